"""The input and the result of transform_midi. The descriptions are sent with every tool listing; keep them short.

The models of the operations are in `schema/operation_inputs.py`.
"""

from pydantic import Field

from consort_kit.tools.models import ToolOutput
from consort_midi_store.files.models import MidiSource
from consort_midi_store.transforms.schema.operation_inputs import Operations


class TransformMidi(MidiSource):
    operations: Operations
    name: str | None = Field(None, description="New name: in-d.mid. Default: from the source.")
    overwrite: bool = Field(False, description="Replace a file with this name; it keeps its id.")
    include_base64: bool = Field(False, description="Also return the bytes, up to 256 KB.")


class OperationReport(ToolOutput):
    """The changes that one operation made."""

    type: str
    changed: dict[str, int] = Field(description="Number of notes, tracks … changed, by kind of change.")
    warnings: list[str] | None = None


class TransformedFile(ToolOutput):
    midi_file_id: str
    name: str
    label: str | None = Field(None, description="After a split: the track's name, or its instrument.")
    path: str = Field(description="Relative to the data folder; valid as input.")
    full_path: str | None = Field(None, description="Where the file is on the user's machine.")
    bytes: int
    note_count: int
    duration_ms: int
    download_url: str
    base64: str | None = None


class TransformedMidi(TransformedFile):
    """The stored result. After a split: the first file; the others are in `more_files`."""

    changes: list[OperationReport] = Field(description="What each operation did, in order.")
    more_files: list[TransformedFile] | None = Field(None, description="After a split: the other files.")
    note: str | None = Field(None, description="If the source was a song or score: what happened to it.")
    warnings: list[str] | None = None
