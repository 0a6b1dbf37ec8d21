"""The inputs and results of the tools for files. The descriptions are sent with every tool listing; keep them short."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from consort_kit.errors import field_error
from consort_kit.ids import id_pattern, prefix_of
from consort_kit.tools.models import SourceInput, ToolInput, ToolOutput, check_one_given
from consort_music.music_ids import MUSIC_ALIASES, MUSIC_ROUTES

MIDI_FILE_ID = id_pattern("midi")
MUSIC_ID = id_pattern(*MUSIC_ROUTES)
"""The id of a stored file, a song or a score."""
_EXAMPLE_ID = "midi_4r0c9v7j2m5x8b1n6q3t0w4y7z"
_MUSIC = "Id of a file, song or score."
_FULL_PATH = "Where the file is on the user's machine; absent if files are stored on S3."


def _reject_songs_and_scores(value: Any) -> Any:
    """Raise an error if the value is the id of a song or score, because delete_midi deletes only files."""
    kind = prefix_of(value) if isinstance(value, str) else None
    if kind == "song":
        raise field_error("INVALID_INPUT", "'midi_file_id' is the id of a song. Use delete_song.", ["delete_song"])
    if kind == "score":
        raise field_error(
            "INVALID_INPUT", "'midi_file_id' is the id of a score. Scores are deleted automatically after 30 days."
        )
    return value


class StoreMidi(ToolInput):
    base64: str | None = Field(None, description="Bytes of MIDI, MusicXML, ABC…")
    path: str | None = Field(None, description="A file in import/, midi/ or export/.", examples=["import/song.mid"])
    upload_link: bool = Field(False, description="Return a link to upload a large file.")
    name: str | None = Field(None, description="Unique. Default: that of the path, or untitled.", examples=["song.mid"])
    overwrite: bool = Field(False, description="Replace a file with this name; it keeps its id.")
    restore_version: int | None = Field(None, ge=1, description="The replaced_version.")

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        check_one_given(self, ("base64", "path", "upload_link", "restore_version"), '{"path": "import/song.mid"}')
        if self.restore_version is not None and self.name is None:
            raise field_error("INVALID_INPUT", "'restore_version' needs 'name', the name of the stored file.", ["name"])
        return self


class StoredMidi(ToolOutput):
    midi_file_id: str = Field(description="Id for every tool that takes music.", examples=[_EXAMPLE_ID])
    name: str
    path: str | None = Field(None, description="Relative to the data folder; valid as input.")
    full_path: str | None = Field(None, description=_FULL_PATH)
    bytes: int | None = None
    created_at: datetime | None = None
    duration_ms: int | None = None
    note_count: int | None = None
    download_url: str | None = Field(None, description="Link to the file, for a browser; valid for one hour.")
    upload_url: str | None = Field(None, description="Give this to the user: a page to upload the file (or PUT it).")
    expires_at: datetime | None = Field(None, description="When the upload link expires.")
    replaced_version: int | None = Field(None, description="For restore_version. The last 10 are kept for 30 days.")
    warnings: list[str] | None = Field(None, description="Oddities in the file that were tolerated.")


class StoredFile(ToolInput):
    """Base of inputs that take a file, song or score by its id or path."""

    aliases: ClassVar[dict[str, str]] = MUSIC_ALIASES

    midi_file_id: str | None = Field(None, description=_MUSIC, pattern=MUSIC_ID)
    path: str | None = Field(None, description="Instead: a file's `path` or `name`.")

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        check_one_given(self, ("midi_file_id", "path"), '{"midi_file_id": "midi_4r0c…"}')
        return self


class GetMidi(StoredFile):
    aliases: ClassVar[dict[str, str]] = {**MUSIC_ALIASES, "name": "path"}

    include_base64: bool = Field(False, description="Also the bytes, up to 256 KB.")


class MidiSource(SourceInput):
    """Base of inputs that take a file, song or score by its id or path, or a file as base64."""

    aliases: ClassVar[dict[str, str]] = MUSIC_ALIASES

    midi_file_id: str | None = Field(None, description=_MUSIC, pattern=MUSIC_ID)
    path: str | None = Field(None, description="Instead: a file's `path` or `name`.")
    base64: str | None = Field(None, description="Instead: a file's bytes.")

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        check_one_given(self, ("midi_file_id", "path", "base64"), '{"midi_file_id": "midi_4r0c…"}')
        return self

    @property
    def given(self) -> str:
        """The name of the field that gives the music."""
        return next(name for name in ("midi_file_id", "path", "base64") if getattr(self, name) is not None)


class MidiTrackInfo(ToolOutput):
    index: int
    name: str | None = None
    instruments: list[str] = Field(description="General MIDI names; Drums for channel 10.")
    channels: list[int] = Field(description="1 to 16.")
    note_count: int


class TempoInfo(ToolOutput):
    beat: float = Field(description="In quarter notes from the start.")
    bpm: float


class TimeSignatureInfo(ToolOutput):
    beat: float | None = None
    numerator: int
    denominator: int


class KeySignatureInfo(ToolOutput):
    beat: float | None = None
    key: str = Field(examples=["F# minor"])


class NoteRangeInfo(ToolOutput):
    lowest: int = Field(description="MIDI number, 0 to 127.")
    lowest_name: str = Field(examples=["C2"])
    highest: int
    highest_name: str


class MidiMetadata(ToolOutput):
    format: int = Field(description="0: one track; 1: tracks that sound together; 2: separate pieces.")
    ppq: int | None = Field(None, description="Ticks per quarter note; absent if time is in SMPTE frames.")
    duration_ms: int
    note_count: int
    note_range: NoteRangeInfo | None = Field(None, description="Without drums.")
    tracks: list[MidiTrackInfo]
    tempo_map: list[TempoInfo]
    time_signatures: list[TimeSignatureInfo]
    key_signatures: list[KeySignatureInfo]
    omitted: dict[str, int] | None = Field(None, description="How many entries were left out of each list.")


class MidiFileInfo(ToolOutput):
    midi_file_id: str | None = Field(None, description="Absent if it is not a stored file.")
    song_id: str | None = Field(None, description="The song that this file was exported from.")
    score_id: str | None = None
    name: str
    path: str | None = Field(None, description="Relative to the data folder; valid as input.")
    full_path: str | None = Field(None, description=_FULL_PATH)
    bytes: int
    created_at: datetime | None = None
    updated_at: datetime | None = None
    download_url: str | None = Field(None, description="Link to the file, for a browser; valid for one hour.")
    metadata: MidiMetadata
    base64: str | None = None
    warnings: list[str] | None = None


class ListMidi(ToolInput):
    limit: int = Field(20, ge=1, le=100, description="Files per page.")
    name_contains: str | None = Field(None, max_length=200, description="Part of the name.", examples=["waltz"])
    cursor: str | None = Field(None, max_length=200, description="From next_cursor.")


class MidiListItem(ToolOutput):
    midi_file_id: str
    name: str
    bytes: int
    created_at: datetime
    duration_ms: int


class MidiList(ToolOutput):
    items: list[MidiListItem] = Field(description="Newest first.")
    next_cursor: str | None = Field(None, description="For the next page; absent on the last.")


class ManifestEntry(BaseModel):
    """An entry of manifest.json."""

    id: str
    name: str
    path: str = Field(description="Relative to the data folder.")
    bytes: int
    createdAt: datetime


class ExportMidi(StoredFile):
    export_name: str | None = Field(None, description="Of the copy. Default: the file's name.", examples=["final.mid"])
    overwrite: bool = Field(False, description="Replace this file in export/.")
    restore_version: int | None = Field(None, ge=1, description="The replaced_version.")

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        given = ("midi_file_id", "path", "restore_version")
        check_one_given(self, given, '{"midi_file_id": "midi_4r0c…"}')
        if self.restore_version is not None and self.export_name is None:
            raise field_error("INVALID_INPUT", "'restore_version' needs 'export_name'.", ["export_name"])
        return self


class ExportedMidi(ToolOutput):
    midi_file_id: str | None = None
    export_path: str = Field(
        description="Relative to the data folder; valid as path of other calls.", examples=["export/final.mid"]
    )
    full_path: str = Field(description="Where the file is on the user's machine.")
    download_url: str | None = Field(None, description="Link to the file, for a browser; valid for one hour.")
    bytes: int
    replaced_version: int | None = Field(None, description="For restore_version. The last 10 are kept for 30 days.")


class DeleteMidi(ToolInput):
    aliases: ClassVar[dict[str, str]] = MUSIC_ALIASES

    midi_file_id: Annotated[str, BeforeValidator(_reject_songs_and_scores)] = Field(
        description="Id of the stored file.", pattern=MIDI_FILE_ID
    )


class DeletedMidi(ToolOutput):
    midi_file_id: str
    name: str
