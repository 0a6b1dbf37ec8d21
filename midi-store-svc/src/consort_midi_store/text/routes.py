"""The text tools."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import AlreadyExists, NotFound
from consort_kit.tool import tool, tool_router
from consort_midi_store.text.models import MidiNotes, MidiVerdict, ReadMidiNotes, ValidateMidi
from consort_midi_store.text.service import TextService

router = tool_router()


def _texts(request: Request) -> TextService:
    service: TextService = request.app.state.texts
    return service


Texts = Annotated[TextService, Depends(_texts)]


@tool(router, title="Read the notes of a MIDI file", toolset="midi", effect="read", heavy=True, errors=(NotFound,))
async def read_midi_notes(body: ReadMidiNotes, texts: Texts) -> MidiNotes:
    """Read the notes of a file, song or score in the order of time, a page at a time.

    Answers MIDI text, which can be changed and given to validate_midi, or objects with pitch, start and duration in
    beats, velocity, track. Use get_midi for an overview.

    Example: {"midi_file_id": "midi_4r0c…", "tracks": [1], "last_bar": 8}
    """
    return await texts.read_notes(body)


@tool(router, title="Make a MIDI file of text", toolset="midi", effect="write", errors=(AlreadyExists,))
async def validate_midi(body: ValidateMidi, texts: Texts) -> MidiVerdict:
    """Make a MIDI file of text: the shortest way from an idea to music. Valid text is stored at once.

    MIDI text, one item a line: `tempo 120` (needed), `time 4/4`, `track NAME INSTRUMENT` (General MIDI, or drums: kick,
    snare), then its notes as `PITCH VELOCITY [START] [DURATION]` in beats: without START after the note before, without
    DURATION one beat; fractions such as 4+1/3 without spaces. Or a note list (`C4:q D4:e`, a part a line), ABC or
    MusicXML. `valid: false` comes with every error, its line and what to write instead.

    Example: {"midi_text": "tempo 120\\ntime 4/4\\ntrack Lead piano\\nC4 80\\nE4 80\\nG4 80 2 1/2"}
    """
    return await texts.validate(body)
