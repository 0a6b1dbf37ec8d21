"""The tools for notes and text."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import AlreadyExists, NotFound
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_midi_store.midi_text.models import MidiNotes, MidiVerdict, ReadMidiNotes, ValidateMidi
from consort_midi_store.midi_text.service import MidiTextService

router = tool_router()


def _midi_text(request: Request) -> MidiTextService:
    service: MidiTextService = request.app.state.midi_text
    return service


MidiTexts = Annotated[MidiTextService, Depends(_midi_text)]


@tool(router, title="Read the notes of a MIDI file", toolset="midi", effect="read", heavy=True, errors=(NotFound,))
async def read_midi_notes(body: ReadMidiNotes, midi_text: MidiTexts) -> MidiNotes:
    """Read which notes are inside a MIDI file: list those of a track, hand, line or bars (measures). Returns its
    contents as text that validate_midi takes, or as objects with start and length in beats, velocity and track.

    Example: {"midi_file_id": "midi_4r0c…", "tracks": [1], "last_bar": 8}
    """
    return await midi_text.read_notes(body)


@tool(router, title="Make a MIDI file from text", toolset="midi", effect="write", errors=(AlreadyExists,))
async def validate_midi(body: ValidateMidi, midi_text: MidiTexts) -> MidiVerdict:
    """Write a MIDI file from text: check, convert and store typed notes (MIDI text, note list), an ABC tune or
    MusicXML.

    MIDI text has one item per line: `tempo 120` (required), `time 4/4`, `track NAME INSTRUMENT` (General MIDI, or
    drums: kick, snare), then its notes as `PITCH VELOCITY [START] [DURATION]` in beats. Without START a note follows
    the one before; without DURATION it lasts one beat. Fractions such as 4+1/3 have no spaces. A note list is `C4:q
    D4:e`, one part per line.

    Example: {"midi_text": "tempo 120\\ntime 4/4\\ntrack Lead piano\\nC4 80\\nE4 80\\nG4 80 2 1/2"}
    """
    return await midi_text.validate(body)
