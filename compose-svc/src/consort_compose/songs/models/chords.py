"""Input and output of `set_chords`."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, WithJsonSchema

from consort_compose.songs.models.common import SongAnswer, SongChangeRequest
from consort_compose.songs.models.fields import (
    Measure,
)

_CHORDS: dict[str, Any] = {"type": ["string", "array"], "items": {"type": "object"}}


class SetChords(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(("first_bar", "start_bar", "start_measure", "bar"), "measure")
    chords: Annotated[Any, WithJsonSchema(_CHORDS)] = Field(
        description="Text by bars (% repeats a bar), objects {symbol, start}, or a score_id.",
    )
    measure: Measure = Field(1, description="First bar of the text.")


class ChordsSet(SongAnswer):
    chord_count: int
