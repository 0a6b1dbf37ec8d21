"""What goes into the file tools and what comes out. Every text here is read by an assistant."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from consort_kit.client import MUSIC_ALIASES, MUSIC_ID
from consort_kit.errors import refuse
from consort_kit.ids import id_pattern, prefix_of
from consort_kit.models import SourceInput, ToolInput, ToolOutput, check_one_given, one_or_more

MIDI_FILE_ID = id_pattern("midi")
_EXAMPLE_ID = "midi_4r0c9v7j2m5x8b1n6q3t0w4y7z"
_MUSIC = "Id of a stored file, song or score."
_FULL_PATH = "Where the file is on the user's machine; absent if bytes are kept on S3."


TrackChoice = Annotated[list[int | str], BeforeValidator(one_or_more), Field(max_length=100)]


def _only_a_file(value: Any) -> Any:
    """Reject the id of a song or score: delete_midi deletes files only."""
    kind = prefix_of(value) if isinstance(value, str) else None
    if kind == "song":
        raise refuse("INVALID_INPUT", "'midi_file_id' is a song's id. delete_song deletes a song.", ["delete_song"])
    if kind == "score":
        raise refuse("INVALID_INPUT", "'midi_file_id' is a score's id. A score ends by itself after 30 days.")
    return value


class StoreMidi(ToolInput):
    base64: str | None = Field(None, description="The file's bytes.")
    path: str | None = Field(
        None, description="A file in import/, midi/ or export/ of the data folder.", examples=["import/song.mid"]
    )
    upload_link: bool = Field(False, description="true: answer a link for the user to upload the file (big files).")
    name: str | None = Field(
        None, description="Unique file name. Default: the path's, or untitled.", examples=["song.mid"]
    )
    overwrite: bool = Field(False, description="true: replace a file of this name; it keeps its id.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        check_one_given(self, ("base64", "path", "upload_link"), '{"path": "import/song.mid"}')
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
    expires_at: datetime | None = Field(None, description="When the upload link ends.")
    warnings: list[str] | None = Field(None, description="What was odd in the file and was tolerated.")


class StoredFile(ToolInput):
    """For tools that take a file, song or score by its id or path."""

    aliases: ClassVar[dict[str, str]] = MUSIC_ALIASES

    midi_file_id: str | None = Field(None, description=_MUSIC, pattern=MUSIC_ID)
    path: str | None = Field(None, description="Instead: a file's `path` or `name`.")

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        check_one_given(self, ("midi_file_id", "path"), '{"midi_file_id": "midi_4r0c…"}')
        return self


class GetMidi(StoredFile):
    aliases: ClassVar[dict[str, str]] = {**MUSIC_ALIASES, "name": "path"}

    include_base64: bool = Field(False, description="true: also the bytes, up to 256 KB.")


class MidiSource(SourceInput):
    """For tools that work on music: a file, song or score, or a file's bytes."""

    aliases: ClassVar[dict[str, str]] = MUSIC_ALIASES

    midi_file_id: str | None = Field(None, description=_MUSIC, pattern=MUSIC_ID)
    path: str | None = Field(None, description="Instead: a file's `path` or `name`.")
    base64: str | None = Field(None, description="Instead: a file's bytes.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        check_one_given(self, ("midi_file_id", "path", "base64"), '{"midi_file_id": "midi_4r0c…"}')
        return self

    @property
    def given(self) -> str:
        """The field that says which file."""
        return next(name for name in ("midi_file_id", "path", "base64") if getattr(self, name) is not None)


class TrackSummary(ToolOutput):
    index: int
    name: str | None = None
    instruments: list[str] = Field(description="General MIDI names; Drums for channel 10.")
    channels: list[int] = Field(description="1 to 16.")
    note_count: int


class TempoChange(ToolOutput):
    beat: float = Field(description="In quarter notes from the start.")
    bpm: float


class TimeSignature(ToolOutput):
    beat: float | None = None
    numerator: int
    denominator: int


class KeySignature(ToolOutput):
    beat: float | None = None
    key: str = Field(examples=["F# minor"])


class NoteRange(ToolOutput):
    lowest: int = Field(description="MIDI number, 0 to 127.")
    lowest_name: str = Field(examples=["C2"])
    highest: int
    highest_name: str


class MidiMetadata(ToolOutput):
    format: int = Field(description="0 one track, 1 tracks that sound together, 2 separate patterns.")
    ppq: int | None = Field(None, description="Ticks per quarter note; absent when time is in SMPTE frames.")
    duration_ms: int
    note_count: int
    note_range: NoteRange | None = Field(None, description="Without drums.")
    tracks: list[TrackSummary]
    tempo_map: list[TempoChange]
    time_signatures: list[TimeSignature]
    key_signatures: list[KeySignature]
    omitted: dict[str, int] | None = Field(None, description="How many entries are missing in each list that was cut.")


class MidiFileInfo(ToolOutput):
    midi_file_id: str | None = Field(None, description="Absent for what is not stored as a file.")
    song_id: str | None = Field(None, description="The song whose own file this is.")
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
    limit: int = Field(20, ge=1, le=100, description="Files in one answer.")
    name_contains: str | None = Field(
        None, max_length=200, description="Only names with this text.", examples=["waltz"]
    )
    cursor: str | None = Field(None, max_length=200, description="next_cursor of the page before.")


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
    """A file as manifest.json has it."""

    id: str
    name: str
    path: str = Field(description="Relative to the data folder.")
    bytes: int
    createdAt: datetime


class ExportMidi(StoredFile):
    export_name: str | None = Field(None, description="Name there. Default: its own.", examples=["final.mid"])
    overwrite: bool = Field(False, description="true: replace a file of this name there.")


class ExportedMidi(ToolOutput):
    midi_file_id: str
    export_path: str = Field(
        description="Relative to the data folder; valid as path of other calls.", examples=["export/final.mid"]
    )
    full_path: str = Field(description="Where the file is on the user's machine.")
    download_url: str = Field(description="Link to the file, for a browser; valid for one hour.")
    bytes: int


class DeleteMidi(ToolInput):
    aliases: ClassVar[dict[str, str]] = MUSIC_ALIASES

    midi_file_id: Annotated[str, BeforeValidator(_only_a_file)] = Field(
        description="Id of the stored file.", pattern=MIDI_FILE_ID
    )


class DeletedMidi(ToolOutput):
    midi_file_id: str
    name: str
