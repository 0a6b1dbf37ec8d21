"""What goes into the file tools and what comes out. Every text here is read by an assistant."""

from datetime import datetime
from typing import ClassVar, Self

from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from consort_kit.ids import id_pattern
from consort_kit.models import SourceInput, ToolInput, ToolOutput

MIDI_FILE_ID = id_pattern("midi")
_EXAMPLE_ID = "midi_4r0c9v7j2m5x8b1n6q3t0w4y7z"


class StoreMidi(ToolInput):
    base64: str | None = Field(None, description="The file's bytes in base64.", examples=["TVRoZAAAAAYAAQAB…"])
    path: str | None = Field(
        None,
        description="A file in the data folder's import/, midi/ or export/ folder; relative, no links.",
        examples=["import/song.mid"],
    )
    upload_link: bool = Field(
        False, description="true: store nothing now, answer a link to which the user uploads the file (for big files)."
    )
    name: str | None = Field(
        None,
        description="Unique file name, up to 200 bytes. Default: the path's name, else the new id.",
        examples=["song.mid"],
    )
    overwrite: bool = Field(False, description="true: a file of this name is replaced and keeps its id.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        given = [self.base64 is not None, self.path is not None, self.upload_link]
        if sum(given) != 1:
            raise PydanticCustomError(
                "source", "give exactly one of base64, path or upload_link", {"suggestions": ["base64", "path"]}
            )
        return self


class StoredMidi(ToolOutput):
    midi_file_id: str = Field(description="Id for every tool that takes music.", examples=[_EXAMPLE_ID])
    name: str
    path: str | None = Field(None, description="Where the bytes are, relative to the data folder.")
    bytes: int | None = None
    created_at: datetime | None = None
    duration_ms: int | None = None
    note_count: int | None = None
    download_url: str | None = Field(None, description="Link to the file, for a browser; valid for one hour.")
    upload_url: str | None = Field(None, description="Give this to the user: a page to upload the file (or PUT it).")
    expires_at: datetime | None = Field(None, description="When the upload link ends.")
    warnings: list[str] | None = Field(None, description="What was odd in the file and was tolerated.")


class StoredFile(ToolInput):
    """For tools that take a stored file."""

    aliases: ClassVar[dict[str, str]] = {"file_id": "midi_file_id"}

    midi_file_id: str | None = Field(
        None, description="Id from store_midi or list_midi.", pattern=MIDI_FILE_ID, examples=[_EXAMPLE_ID]
    )
    path: str | None = Field(None, description="Instead of the id: `path` or `name` as store_midi answered it.")

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if (self.midi_file_id is None) == (self.path is None):
            raise PydanticCustomError(
                "key", "give exactly one of midi_file_id or path", {"suggestions": ["list_midi shows the ids"]}
            )
        return self


class GetMidi(StoredFile):
    aliases: ClassVar[dict[str, str]] = {"file_id": "midi_file_id", "name": "path"}

    include_base64: bool = Field(
        False, description="true: also the bytes, up to 256 KB; bigger files only by download_url."
    )


class MidiSource(SourceInput):
    """For tools that work on a file: a stored one, or its bytes."""

    aliases: ClassVar[dict[str, str]] = {"file_id": "midi_file_id"}

    midi_file_id: str | None = Field(None, description="Id of a stored file.", pattern=MIDI_FILE_ID)
    path: str | None = Field(None, description="Instead: `path` or `name` of a stored file.")
    base64: str | None = Field(None, description="Instead: the bytes of a file that is not stored.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if sum(value is not None for value in (self.midi_file_id, self.path, self.base64)) != 1:
            raise PydanticCustomError(
                "source", "give exactly one of midi_file_id, path or base64", {"suggestions": ["midi_file_id"]}
            )
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
    midi_file_id: str
    name: str
    path: str
    bytes: int
    created_at: datetime
    updated_at: datetime
    download_url: str = Field(description="Link to the file, for a browser; valid for one hour.")
    metadata: MidiMetadata
    base64: str | None = None
    warnings: list[str] | None = None


class ListMidi(ToolInput):
    limit: int = Field(20, ge=1, le=100, description="Files in one answer.")
    name_contains: str | None = Field(
        None, max_length=200, description="Only files with this in their name, whatever its case.", examples=["waltz"]
    )
    cursor: str | None = Field(None, max_length=200, description="next_cursor of the page before; leave out to begin.")


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
    export_name: str | None = Field(
        None, description="Name of the file in the export folder. Default: its own.", examples=["final.mid"]
    )
    overwrite: bool = Field(False, description="true: a file of this name there is replaced.")


class ExportedMidi(ToolOutput):
    midi_file_id: str
    export_path: str = Field(description="Relative to the data folder.", examples=["export/final.mid"])
    bytes: int


class DeleteMidi(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"file_id": "midi_file_id"}

    midi_file_id: str = Field(description="Id of the stored file.", pattern=MIDI_FILE_ID)


class DeletedMidi(ToolOutput):
    midi_file_id: str
    name: str
