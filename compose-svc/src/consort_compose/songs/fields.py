"""The kinds of values that song tools take."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from consort_compose.scores.service import SCORE_ID
from consort_compose.songs.song import MAX_MEASURE, MAX_TEMPO, MIN_TEMPO
from consort_kit.ids import id_pattern

SONG_ID = id_pattern("song")
MIDI_FILE_ID = id_pattern("midi")

Beats = Annotated[int | float | str, WithJsonSchema({"type": ["number", "string"]})]
"""Quarter notes from 0, as a number or an expression such as "9 + 1/3"."""

Pitch = Annotated[int | str, WithJsonSchema({"type": ["integer", "string"]})]
"""A MIDI number or a name."""

# The bounds below are checked, and told in words: in the schema of every tool they would cost more than they say.
Tempo = Annotated[float, Field(ge=MIN_TEMPO, le=MAX_TEMPO), WithJsonSchema({"type": "number"})]
SectionTempo = Annotated[float, Field(ge=0, le=MAX_TEMPO), WithJsonSchema({"type": "number"})]
MidiValue = Annotated[int, Field(ge=0, le=127), WithJsonSchema({"type": "integer"})]
Measure = Annotated[int, Field(ge=1, le=MAX_MEASURE), WithJsonSchema({"type": "integer"})]
PageSize = Annotated[int, Field(ge=1, le=2000), WithJsonSchema({"type": "integer"})]
Cursor = Annotated[int, Field(ge=0), WithJsonSchema({"type": "integer"})]
MidiFileId = Annotated[str, Field(pattern=MIDI_FILE_ID), WithJsonSchema({"type": "string"})]
ScoreId = Annotated[str, Field(pattern=SCORE_ID), WithJsonSchema({"type": "string"})]
Semitones = Annotated[int, Field(ge=-127, le=127), WithJsonSchema({"type": "integer"})]
Share = Annotated[float, Field(ge=0, le=1), WithJsonSchema({"type": "number"})]
Swing = Annotated[float, Field(ge=50, le=75), WithJsonSchema({"type": "number"})]
Milliseconds = Annotated[float, Field(ge=0, le=200), WithJsonSchema({"type": "number"})]
SongId = Annotated[str, Field(pattern=SONG_ID), WithJsonSchema({"type": "string"})]
SongsOnPage = Annotated[int, Field(ge=1, le=100), WithJsonSchema({"type": "integer"})]
ShortText = Annotated[str, Field(max_length=200), WithJsonSchema({"type": "string"})]
