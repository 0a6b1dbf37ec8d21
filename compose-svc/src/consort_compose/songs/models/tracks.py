"""Inputs and outputs of the track tools."""

from typing import ClassVar

from pydantic import Field

from consort_compose.songs.models.common import SongAnswer, SongChangeRequest
from consort_compose.songs.models.fields import (
    Beats,
    MidiValue,
)
from consort_kit.tools.models import ToolOutput


class TrackInfo(ToolOutput):
    name: str
    instrument: str
    program: int | None = Field(None, description="0 to 127; absent for drums.")
    is_drums: bool
    volume: int | None = None
    pan: int | None = None
    instrument_changes: str | None = Field(None, description="Beat: instrument, or drum kit number.")
    note_count: int
    lowest: str | None = None
    highest: str | None = None
    end_time: Beats | None = Field(None, description="Beat where the last note ends.")


class AddTrack(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = {"track": "name", "program": "instrument"}
    name: str = Field(description="Unique.")
    instrument: str = Field(description="General MIDI name, or drums.", coerce_numbers_to_str=True)
    volume: MidiValue | None = Field(None, description="0 to 127.")
    pan: MidiValue | None = Field(None, description="0 left, 64 centre, 127.")


class EditTrack(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = {"track": "name", "program": "instrument"}
    name: str = Field(description="Current name.")
    new_name: str | None = Field(None, description="New name.")
    instrument: str | None = Field(None, description="New instrument.", coerce_numbers_to_str=True)
    volume: MidiValue | None = Field(None, description="0 to 127.")
    pan: MidiValue | None = Field(None, description="0 left, 64 centre, 127.")


class RemoveTrack(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = {"track": "name"}
    name: str = Field(description="Track.")


class TrackChanged(SongAnswer):
    track: TrackInfo


class TrackRemoved(SongAnswer):
    removed: str
    removed_notes: int


class TrackList(SongAnswer):
    tracks: list[TrackInfo]
