"""What goes into the picture tool. Every text here is read by an assistant."""

from typing import Literal

from pydantic import Field

from consort_kit.models import ToolInput
from consort_midi_store.files.models import MidiSource, TrackChoice


class PictureOptions(ToolInput):
    """What is drawn, and how."""

    tracks: TrackChoice | None = Field(None, description="Only these: indexes from 0, or names.")
    first_bar: int | None = Field(None, ge=1, description="Default: the first.")
    last_bar: int | None = Field(None, ge=1, description="Default: the last.")
    width: int = Field(1200, ge=320, le=4000, description="Pixels.")
    height: int = Field(600, ge=200, le=3000, description="Pixels.")
    title: str | None = Field(None, max_length=120, description="Default: the music's.")


class RenderPianoRoll(PictureOptions, MidiSource):
    format: Literal["png", "svg"] = Field("png", description="png is what chat programs show.")
