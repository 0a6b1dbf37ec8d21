"""Fields that many composer tools have: read once, and refused with the same codes by all."""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from consort_kit.errors import refuse
from consort_music.chords import parse_chord
from consort_music.errors import MusicError, quoted
from consort_music.intervals import parse_interval
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.pitch import Pitch

MAX_TEXT = 3_000_000
HIGHEST_MIDI = 127


def checked(parse: Callable[[str], object], code: str | None = None) -> AfterValidator:
    """A text that this parser understands; refused with the parser's code, or this one."""

    def check(text: str) -> str:
        try:
            parse(text)
        except MusicError as error:
            raise refuse(code or error.code, error.message, error.suggestions) from None
        return text

    return AfterValidator(check)


def parse_note(text: str) -> Pitch:
    if text.strip().isdecimal() and int(text.strip()[:4]) <= HIGHEST_MIDI:
        name = Pitch.from_midi(int(text)).name
        raise MusicError(
            "INVALID_NOTE", f"{quoted(text)} is a MIDI number. Write the name of the note: {name}.", [name]
        )
    pitch = Pitch.parse(text)
    pitch.midi  # noqa: B018  raises where there is no such note
    return pitch


def _as_bars(given: object) -> object:
    """Take a list of symbols for one chord a bar."""
    return " | ".join(given) if isinstance(given, list) and all(isinstance(each, str) for each in given) else given


ChordBars = Annotated[str, BeforeValidator(_as_bars), Field(max_length=4000)]
"""Chords by bar, as `C | Am | F G`, or a list of them."""
KeyName = Annotated[str, checked(parse_key)]
NoteName = Annotated[str, checked(parse_note, "INVALID_NOTE")]
IntervalName = Annotated[str, checked(parse_interval)]
MetreName = Annotated[str, checked(parse_metre)]
ChordName = Annotated[str, checked(parse_chord)]

InputFormat = Literal["musicxml", "abc", "notes"]
MusicText = Annotated[str, Field(max_length=MAX_TEXT)]
Seed = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""As big as JSON carries exactly."""

IncludeMusicXml = Annotated[bool, Field(description="Add MusicXML.")]
IncludeNotes = Annotated[bool, Field(description="Add note objects.")]

MUSIC = "Notes (C4:q D4:e R:h), ABC, MusicXML, or an id: score_…, song_…, midi_…"
"""How every composer tool describes its music."""
MUSIC_ALIASES = ("score_id", "song_id", "midi_file_id", "abc", "musicxml")
"""Accepted as names of the field that takes music."""
