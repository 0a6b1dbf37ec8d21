"""The input of render_piano_roll. The descriptions are sent with every tool listing, so keep them short."""

from typing import Literal

from pydantic import Field

from consort_kit.tools.models import ToolInput
from consort_midi_store.files.models import MidiSource, TrackChoice


class PictureOptions(ToolInput):
    """The tracks, bars, size and title of a picture."""

    tracks: TrackChoice | None = Field(None, description="Only these: indexes from 0, or names.")
    first_bar: int | None = Field(None, ge=1, description="Default: the first.")
    last_bar: int | None = Field(None, ge=1, description="Default: the last.")
    width: int = Field(1200, ge=320, le=4000, description="Pixels.")
    height: int = Field(600, ge=200, le=3000, description="Pixels.")
    title: str | None = Field(None, max_length=120, description="Default: the title of the music.")


class RenderPianoRoll(PictureOptions, MidiSource):
    format: Literal["png", "svg"] = Field("png", description="Chat programs show png.")
