"""Input and output of `check_song`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from consort_compose.songs.models.common import SongAnswer, SongRequest
from consort_compose.songs.models.fields import (
    Cursor,
    PageSize,
)
from consort_kit.tools.models import ToolOutput, one_or_more

ProblemKind: TypeAlias = Literal[
    "collision", "out_of_range", "outside_key", "outside_chord", "empty_track", "empty_bar", "passing"
]
"""Kinds of problems, the most likely mistakes first."""


class CheckSong(SongRequest):
    kinds: Annotated[list[ProblemKind], BeforeValidator(one_or_more)] = Field(
        default_factory=list, description="Default: all."
    )
    places: PageSize = Field(5, description="Places per problem.")
    limit: PageSize = Field(12, description="Up to 2000.")
    cursor: Cursor = Field(0, description="From next_cursor.")


class ProblemInfo(ToolOutput):
    kind: str
    track: str | None = None
    message: str
    count: int
    places: str | None = Field(
        None, description="Bars, and beats of the metre from 1.", examples=["bar 3 beat 2.5, bar 7 beat 1 and 4 more"]
    )


class SongChecked(SongAnswer):
    ok: bool = Field(description="true: no problems except passing notes.")
    counts: dict[str, int]
    problems: list[ProblemInfo] = Field(description="Grouped; likely mistakes first, passing notes last.")
    next_cursor: int | None = None
