"""Input and output of `compose_export_midi`. An assistant reads every description here."""

from typing import ClassVar, Literal

from pydantic import Field

from consort_compose.composer.fields import MUSIC, MUSIC_ALIASES, InputFormat, MusicText, Seed
from consort_kit.tools.models import ToolInput, ToolOutput


class ComposeExportMidi(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "stream")

    stream: MusicText = Field(description=MUSIC)
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    tempo: int | None = Field(None, ge=20, le=300, description="BPM (quarter notes). Default: the music's, or 120.")
    humanize: bool = Field(False, description="Vary timing, velocity, length.")
    humanize_amount: float = Field(
        0.3, ge=0, le=1, description="0.3: shifts of at most 15 ms, velocity 7, length 4.5 %."
    )
    velocity_curve: Literal["flat", "dynamic", "crescendo", "diminuendo"] = Field(
        "flat", description="dynamic accents strong beats."
    )
    seed: Seed | None = Field(None, description="For humanize: same seed, same timing.")
    name: str | None = Field(None, max_length=200, description="File name, such as tune.mid.")
    include_abc: bool = Field(False, description="Add ABC.")
    include_base64: bool = Field(False, description="Add the bytes, up to 256 KB.")


class ExportedFile(ToolOutput):
    midi_file_id: str
    path: str = Field(description="Relative to the data folder; valid as input.")
    full_path: str | None = Field(None, description="The file on the user's machine.")
    download_url: str | None = None
    base64: str | None = Field(None, description="Up to 256 KB.")
    duration_seconds: float
    track_count: int
    tempo: float


class ExportMetadata(ToolOutput):
    measures: int
    time_signature: str
    key_signature: str
    note_count: int
    seed_used: int | None = None


class ExportedScore(ToolOutput):
    midi: ExportedFile
    metadata: ExportMetadata
    abc: str | None = None
