"""Inputs and outputs of the tools for songs as a whole: create, edit, describe, list, export, delete, undo."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_compose.songs.models.alternative_inputs import (
    sections_in_a_list,
    tracks_by_name,
)
from consort_compose.songs.models.common import SongAnswer, SongChangeRequest, SongRequest
from consort_compose.songs.models.fields import (
    Beats,
    MetreOrEmpty,
    MidiFileId,
    ShortText,
    SongId,
    SongsOnPage,
    TempoBpm,
)
from consort_compose.songs.models.sections import SectionFields
from consort_kit.tools.models import ToolInput, ToolOutput

_OBJECTS: dict[str, Any] = {"type": "array", "items": {"type": "object"}}


class CreateSong(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"name": "title", "bpm": "tempo", "instruments": "tracks"}
    title: str | None = Field(None, description="Default: Untitled.")
    tempo: TempoBpm | None = Field(None, description="BPM. Default 120.")
    time_signature: MetreOrEmpty | None = Field(None, description="Default 4/4.")
    key: str | None = Field(None, description="Such as Dm, F# dorian.")
    tracks: Annotated[dict[str, str], BeforeValidator(tracks_by_name), WithJsonSchema({"type": "object"})] = Field(
        default_factory=dict,
        description="{name: General MIDI instrument, or drums}.",
    )
    sections: Annotated[
        list[SectionFields], Field(max_length=100), BeforeValidator(sections_in_a_list), WithJsonSchema(_OBJECTS)
    ] = Field(default_factory=list, description="As in add_section.")
    midi_file_id: MidiFileId | None = Field(None, description="Import this file.")
    from_song_id: SongId | None = Field(None, description="Copy this song.")


class EditSong(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = {"name": "title", "bpm": "tempo"}
    title: str | None = Field(None, description="New title.")
    tempo: TempoBpm | None = Field(None, description="BPM.")
    time_signature: MetreOrEmpty | None = Field(None, description="Such as 3/4.")
    key: str | None = Field(None, description='"" for none.')
    tempo_changes: str | None = Field(None, description='Beat: BPM, such as 16: 96, 20: 80; "" for none.')


class SongChanged(SongAnswer):
    tempo: float
    time_signature: str
    key: str | None = None


class SongCreated(SongChanged):
    tracks: list[str]
    sections: list[str]
    note_count: int
    next: str = Field(description="What to do next.")


class GetSongInfo(SongRequest):
    overview: bool = Field(False, description="Also what each track plays where.")


class OverviewCell(ToolOutput):
    track: str
    note_count: int
    range: str | None = Field(None, description="Lowest and highest pitch.", examples=["C3-G5"])
    notes_a_bar: float | None = None
    empty_bars: str | None = Field(None, description="Bars without a note.", examples=["3-4, 7"])


class OverviewRow(ToolOutput):
    section: str | None = Field(None, description="Absent for bars between sections.")
    bars: str = Field(examples=["1-8"])
    chords: str | None = None
    playing: list[OverviewCell]
    silent: list[str] | None = Field(None, description="Tracks without a note here.")


class SongInfo(SongChanged):
    total_measures: int
    total_beats: Beats
    duration_s: float
    note_count: int
    tracks: list[str]
    sections: list[str]
    chord_count: int
    tempo_changes: str | None = Field(None, description="Beat: BPM, in addition to the tempos of sections.")
    can_undo: list[str] | None = Field(None, description="Most recent first.")
    can_redo: list[str] | None = Field(None, description="Next first.")
    overview: list[OverviewRow] | None = None
    created_at: datetime
    updated_at: datetime


class SongExportMidi(SongRequest):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(("filename", "file_name", "path", "export_name"), "filepath")

    name: str | None = Field(None, description="File name; a file with this name is replaced.")
    filepath: str | None = Field(None, description="Also copy it to export/ by this name.")
    overwrite: bool = Field(True, description="false: reject a taken name.")


class SongExported(SongAnswer):
    midi_file_id: str = Field(description="For every tool that takes music.")
    name: str
    bytes: int
    note_count: int
    duration_ms: int
    download_url: str
    path: str = Field(description="Relative to the data folder; valid as input.")
    export_path: str | None = Field(None, description="The copy in the export folder.")
    full_path: str | None = Field(None, description="Path on the user's machine.")


class ListSongs(ToolInput):
    limit: SongsOnPage = Field(20, description="1 to 100.")
    title_contains: ShortText | None = Field(None, description="Part of the title.")
    cursor: ShortText | None = Field(None, description="From next_cursor.")


class SongListItem(ToolOutput):
    song_id: str
    title: str
    version: int
    note_count: int
    updated_at: datetime


class SongList(ToolOutput):
    items: list[SongListItem] = Field(description="Most recently changed first.")
    next_cursor: str | None = None


class DeleteSong(ToolInput):
    song_id: SongId = Field(description="Id from list_songs.")


class SongDeleted(ToolOutput):
    song_id: str
    title: str
    version: int = Field(description="Its last version.")


class UndoLastAction(SongChangeRequest):
    pass


class Undone(SongAnswer):
    action: str = Field(description="What was undone or redone.")
    undo_steps_left: int
    redo_steps_left: int
    note_count: int
