"""Input fields that several composer tools have. Fields for keys, pitches and metres are in `consort_music.fields`."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

MAX_TEXT = 3_000_000


def _as_bars(given: object) -> object:
    """Join a list of texts into one text, one bar for each; return other values unchanged."""
    return " | ".join(given) if isinstance(given, list) and all(isinstance(each, str) for each in given) else given


ChordBars = Annotated[str, BeforeValidator(_as_bars), Field(max_length=4000)]
"""Chords by bar, such as `C | Am | F G`. A list of bars is accepted too."""

InputFormat = Annotated[
    Literal["musicxml", "abc", "notes", "kern", "mei", "musedata", "romantext", "tinynotation", "capella"],
    WithJsonSchema({"type": "string"}),  # to keep the tool list small; the format is nearly always detected
]
MusicText = Annotated[str, Field(max_length=MAX_TEXT)]
Seed = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""At most 2^53 - 1: larger integers lose digits in JSON."""

IncludeMusicXml = Annotated[bool, Field(description="Add MusicXML.")]
IncludeNotes = Annotated[bool, Field(description="Add note objects.")]

MUSIC = "Notes (C4:q D4:e R:h), ABC, MusicXML, kern, MEI, or score_…, song_…, midi_…, corpus:…"
"""Description of the music field in every composer tool."""
MUSIC_ALIASES = ("score_id", "song_id", "midi_file_id", "abc", "musicxml")
"""Other accepted names of the music field."""


def text_as_list(given: object) -> object:
    """Put a single text into a list. This avoids a union type, whose branches would appear in error messages."""
    return [given] if isinstance(given, str) else given
