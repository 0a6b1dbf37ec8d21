"""What goes into transform_midi and what comes out."""

from pydantic import Field

from consort_kit.models import ToolOutput
from consort_midi_store.files.models import MidiSource
from consort_midi_store.transforms.models import OperationReport, Operations


class TransformMidi(MidiSource):
    operations: Operations
    name: str | None = Field(None, description="Of the result, e.g. in-d.mid. Default: after the source's.")
    overwrite: bool = Field(False, description="Replace a file of this name; it keeps its id.")
    include_base64: bool = Field(False, description="Also the bytes, up to 256 KB.")


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
    """The result, which is a new file; after a split the first of several."""

    changes: list[OperationReport] = Field(description="One for each operation: what it did.")
    more_files: list[TransformedFile] | None = Field(None, description="After a split: the others.")
    note: str | None = Field(None, description="What became of a song or score that was the source.")
    warnings: list[str] | None = None
