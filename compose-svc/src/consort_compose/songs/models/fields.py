"""Types of fields that several song tools share."""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from consort_compose.score_library.references import PREFIX
from consort_compose.scores.service import SCORE_OR_PIECE
from consort_compose.songs.document.song import MAX_MEASURE, MAX_TEMPO, MIN_TEMPO
from consort_kit.ids import id_pattern
from consort_music.fields import ParsedText
from consort_music.metre import Metre, parse_metre

SONG_ID = id_pattern("song")
MIDI_FILE_ID = id_pattern("midi", PREFIX)
"""The id of a stored file, or a reference to a piece of the score library."""

Beats = Annotated[int | float | str, WithJsonSchema({"type": ["number", "string"]})]
"""Quarter notes, as a number or an expression such as "9 + 1/3"."""

PitchInput = Annotated[int | str, WithJsonSchema({"type": ["integer", "string"]})]
"""A MIDI note number or a name such as F#4."""

VelocityOrChange = Annotated[int | str, WithJsonSchema({"type": ["integer", "string"]})]
"""A velocity from 1 to 127, or a change such as "+10" or "x0.8"."""

MetreOrEmpty = Annotated[
    Metre | Literal[""],
    ParsedText(Metre, lambda text: parse_metre(text) if text.strip() else "", lambda value: value and value.name),
]
"""A time signature such as 3/4. Empty means the default of the tool: the song's, or no change."""

# The schemas omit the bounds, to keep the tool list small; descriptions and errors state them.
TempoBpm = Annotated[float, Field(ge=MIN_TEMPO, le=MAX_TEMPO), WithJsonSchema({"type": "number"})]
SectionTempo = Annotated[float, Field(ge=0, le=MAX_TEMPO), WithJsonSchema({"type": "number"})]
MidiValue = Annotated[int, Field(ge=0, le=127), WithJsonSchema({"type": "integer"})]
Measure = Annotated[int, Field(ge=1, le=MAX_MEASURE), WithJsonSchema({"type": "integer"})]
PageSize = Annotated[int, Field(ge=1, le=2000), WithJsonSchema({"type": "integer"})]
Cursor = Annotated[int, Field(ge=0), WithJsonSchema({"type": "integer"})]
MidiFileId = Annotated[str, Field(pattern=MIDI_FILE_ID)]
ScoreId = Annotated[str, Field(pattern=SCORE_OR_PIECE)]
Semitones = Annotated[int, Field(ge=-127, le=127), WithJsonSchema({"type": "integer"})]
Share = Annotated[float, Field(ge=0, le=1), WithJsonSchema({"type": "number"})]
SwingPercent = Annotated[float, Field(ge=50, le=75), WithJsonSchema({"type": "number"})]
Milliseconds = Annotated[float, Field(ge=0, le=200), WithJsonSchema({"type": "number"})]
SongId = Annotated[str, Field(pattern=SONG_ID)]
SongsOnPage = Annotated[int, Field(ge=1, le=100), WithJsonSchema({"type": "integer"})]
ShortText = Annotated[str, Field(max_length=200), WithJsonSchema({"type": "string"})]
