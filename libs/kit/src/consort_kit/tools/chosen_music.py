"""Fields by which every tool that draws music chooses tracks, bars and a title, and the size of a picture."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from consort_kit.tools.models import ToolInput, one_or_more

TrackChoice = Annotated[list[int | str], BeforeValidator(one_or_more), Field(max_length=100)]
"""Tracks by index (from 0) or name. A single track may be given without a list."""


class ChosenMusic(ToolInput):
    """The tracks and bars to draw, and the title above them."""

    tracks: TrackChoice | None = Field(None, description="Only these: indexes from 0, or names.")
    first_bar: int | None = Field(None, ge=1, description="Default: the first.")
    last_bar: int | None = Field(None, ge=1, description="Default: the last.")
    title: str | None = Field(None, max_length=120, description="Default: the music's.")


class PictureSize(ToolInput):
    width: int = Field(1200, ge=320, le=4000, description="Pixels.")
    height: int = Field(600, ge=200, le=3000, description="Pixels.")
