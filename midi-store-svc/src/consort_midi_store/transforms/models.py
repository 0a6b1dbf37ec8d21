"""The operations of `transform_midi`. Every text here is in each listing of the tools: short, with unit and range."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from consort_kit.models import ToolInput, ToolOutput
from consort_midi_store.files.models import MUSIC_ID
from consort_music.errors import MusicError
from consort_music.quantize import GRID_NAMES, GRID_PATTERN, parse_grid

MAX_OPERATIONS = 20
MAX_MERGED_FILES = 16


def _channels(numbers: list[int]) -> list[int]:
    for number in numbers:
        if not 1 <= number <= 16:
            raise PydanticCustomError("channel", "channels are 1 to 16, not {number}", {"number": number})
    return numbers


def _grid(name: str) -> str:
    try:
        parse_grid(name)
    except MusicError as error:
        raise PydanticCustomError("grid", "{message}", {"message": error.message, "suggestions": GRID_NAMES}) from error
    return name


# Each of these is in the schema once and referred to by name where it is used.
Tracks = TypeAliasType("Tracks", Annotated[list[int | str], Field(description="Indexes from 0, or names.")])
Channels = TypeAliasType("Channels", Annotated[list[int], AfterValidator(_channels), Field(description="1-16.")])
Grid = TypeAliasType(
    "Grid",
    Annotated[
        str,
        AfterValidator(_grid),
        Field(description="Note value; t: triplets.", json_schema_extra={"pattern": GRID_PATTERN}),
    ],
)
Swinging = TypeAliasType(
    "Swinging", Annotated[float, Field(ge=50, le=75, description="Percent: 50 straight, 66.7 triplet feel.")]
)


class NoteOperation(ToolInput):
    """An operation on notes, which may be limited to some of them."""

    tracks: Tracks | None = None
    channels: Channels | None = None


class Transpose(NoteOperation):
    type: Literal["transpose"]
    semitones: int = Field(ge=-127, le=127, description="12: an octave up.")
    out_of_range: Literal["fold", "clamp", "drop"] = Field("fold", description="fold: by octaves.")
    include_drums: bool = Field(False, description="true: channel 10 too.")


class Quantize(NoteOperation):
    type: Literal["quantize"]
    grid: Grid
    strength: float = Field(1, ge=0, le=1, description="Share of the way to the grid.")
    end: Literal["keep", "quantize"] = Field("keep", description="keep: durations stay.")
    swing: Swinging = 50


class Swing(NoteOperation):
    type: Literal["swing"]
    amount: Swinging = 66.7
    grid: Grid = "1/8"


class Humanize(NoteOperation):
    type: Literal["humanize"]
    timing_ms: float = Field(10, ge=0, le=200, description="Most it moves.")
    timing_ticks: int | None = Field(None, ge=0, le=10_000, description="Instead of timing_ms.")
    velocity: int = Field(8, ge=0, le=127, description="Most it changes.")
    seed: int = Field(0, description="Same seed: same result.")


class Velocity(NoteOperation):
    """In this order."""

    type: Literal["velocity"]
    set: int | None = Field(None, ge=1, le=127, description="All alike.")
    curve: float = Field(1, ge=0.1, le=10, description="Over 1: louder in the middle; below: softer.")
    compress: float = Field(0, ge=-1, le=1, description="Share of the way to the mean; below 0 expands.")
    scale: float = Field(1, ge=0, le=127, description="Factor.")
    add: int = Field(0, ge=-127, le=127, description="Added last.")
    min: int = Field(1, ge=1, le=127, description="At least.")
    max: int = Field(127, ge=1, le=127, description="At most.")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.model_fields_set & {"set", "curve", "compress", "scale", "add", "min", "max"}:
            raise PydanticCustomError(
                "velocity",
                "say how: set, curve, compress, scale, add, min or max",
                {"suggestions": ["scale", "add", "set"]},
            )
        if self.min > self.max:
            raise PydanticCustomError(
                "velocity", "min {low} is above max {high}: swap them", {"low": self.min, "high": self.max}
            )
        return self


class Tempo(ToolInput):
    """scale or bpm."""

    type: Literal["tempo"]
    scale: float | None = Field(None, ge=0.05, le=20, description="2: twice as fast.")
    bpm: float | None = Field(None, ge=4, le=1000, description="One tempo throughout.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.scale is None) == (self.bpm is None):
            raise PydanticCustomError("tempo", "give exactly one of scale or bpm", {"suggestions": ["bpm", "scale"]})
        return self


class Trim(ToolInput):
    """Keeps start to end; notes over the edges are cut."""

    type: Literal["trim"]
    start: float = Field(0, ge=0, description="Becomes the beginning.")
    end: float | None = Field(None, gt=0, description="Default: the file's end.")
    unit: Literal["beats", "ms"] = Field("beats", description="beats: quarter notes from 0.")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end is not None and self.end <= self.start:
            raise PydanticCustomError(
                "range", "end {end} must be after start {start}", {"end": self.end, "start": self.start}
            )
        return self


class Merge(ToolInput):
    """Puts all tracks into one, or other files into this one."""

    type: Literal["merge"]
    midi_file_ids: list[Annotated[str, Field(pattern=MUSIC_ID)]] = Field(
        [], max_length=MAX_MERGED_FILES, description="Other files, songs or scores."
    )
    order: Literal["parallel", "sequence"] = Field("parallel", description="sequence: each from the next bar on.")
    one_track: bool | None = Field(None, description="Default: true without midi_file_ids.")


class Split(ToolInput):
    """Gives several files."""

    type: Literal["split"]
    by: Literal["channel", "track"] = Field("track", description="A file for each.")


class ExtractTracks(ToolInput):
    """Keeps these tracks, and the tempo and signatures of all."""

    type: Literal["extract_tracks"]
    tracks: Tracks


Operation: TypeAlias = Annotated[
    Transpose | Quantize | Swing | Humanize | Velocity | Tempo | Trim | Merge | Split | ExtractTracks,
    Field(discriminator="type"),
]
Operations: TypeAlias = Annotated[
    list[Operation], Field(min_length=1, max_length=MAX_OPERATIONS, description="Done in this order.")
]


class OperationReport(ToolOutput):
    """What one operation did."""

    type: str
    changed: dict[str, int] = Field(description="How many notes, tracks … were changed, by what was done to them.")
    warnings: list[str] | None = None
