"""The operations of `transform_midi`: what each takes, one model an operation.

Every text here is in each listing of the tools, so it is short, with unit, range or example. An assistant sees one flat
object with the fields of all operations (`flat_schema`); `operation` checks what was given by the model of its type.
"""

from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from consort_kit.client import MUSIC_ID
from consort_kit.models import ToolOutput
from consort_midi_store.transforms.flat_schema import Variant, flat_schema, reader_of
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.quantize import GRID_NAMES, parse_grid

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


def _key(name: str) -> str:
    try:
        parse_key(name)
    except MusicError as error:
        context = {"message": error.message, "suggestions": list(error.suggestions)}
        raise PydanticCustomError("key", "{message}", context) from error
    return name


_PERCENT = "50 straight, 66.7 triplets."
_GRID_TEXT = "1/8, 1/16t (triplets) …"
Tracks: TypeAlias = list[int | str]
Grid: TypeAlias = Annotated[str, AfterValidator(_grid)]


class NoteOperation(Variant):
    """An operation on notes, which may be limited to some of them."""

    tracks: Tracks | None = Field(None, description="Only these: numbers from 0, or names.")
    channels: Annotated[list[int], AfterValidator(_channels)] | None = Field(None, description="Only these, 1-16.")


class Transpose(NoteOperation):
    example: ClassVar[dict[str, Any]] = {"type": "transpose", "to_key": "D major"}

    type: Literal["transpose"]
    semitones: int | None = Field(None, ge=-127, le=127, description="12 is an octave up.")
    to_key: Annotated[str, AfterValidator(_key)] | None = Field(
        None, description="instead, the nearest way, e.g. Bb minor."
    )
    out_of_range: Literal["fold", "clamp", "drop"] = Field("fold", description="fold: by octaves.")
    include_drums: bool = Field(False, description="move channel 10 too.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.semitones is None) == (self.to_key is None):
            raise PydanticCustomError(
                "transpose", "give exactly one of semitones or to_key", {"suggestions": ["semitones", "to_key"]}
            )
        return self


class Quantize(NoteOperation):
    example: ClassVar[dict[str, Any]] = {"type": "quantize", "grid": "1/16"}

    type: Literal["quantize"]
    grid: Grid = Field(description=_GRID_TEXT)
    strength: float = Field(1, ge=0, le=1, description="0-1, default 1.")
    end: Literal["keep", "quantize"] = Field("keep", description="keep (default) or quantize.")
    swing: float = Field(50, ge=50, le=75, description=_PERCENT)


class Swing(NoteOperation):
    example: ClassVar[dict[str, Any]] = {"type": "swing", "amount": 60, "grid": "1/8"}

    type: Literal["swing"]
    amount: float = Field(66.7, ge=50, le=75, description=_PERCENT)
    grid: Grid = Field("1/8", description=_GRID_TEXT)


class Humanize(NoteOperation):
    example: ClassVar[dict[str, Any]] = {"type": "humanize", "timing_ms": 10, "velocity": 8}

    type: Literal["humanize"]
    timing_ms: float = Field(10, ge=0, le=200, description="at most, default 10.")
    timing_ticks: int | None = Field(None, ge=0, le=10_000, description="instead of timing_ms.")
    velocity: int = Field(8, ge=0, le=127, description="at most, default 8.")
    seed: int = Field(0, description="any integer.")


class Velocity(NoteOperation):
    """Done in the order of the fields."""

    example: ClassVar[dict[str, Any]] = {"type": "velocity", "scale": 0.8}

    type: Literal["velocity"]
    set: int | None = Field(None, ge=1, le=127, description="all alike, 1-127.")
    curve: float = Field(1, ge=0.1, le=10, description="over 1 lifts the middle.")
    compress: float = Field(0, ge=-1, le=1, description="1 is all to the mean; below 0 expands.")
    scale: float = Field(1, ge=0, le=127, description="factor.")
    add: int = Field(0, ge=-127, le=127, description="added last.")
    min: int = Field(1, ge=1, le=127, description="at least.")
    max: int = Field(127, ge=1, le=127, description="at most.")

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


class Tempo(Variant):
    example: ClassVar[dict[str, Any]] = {"type": "tempo", "bpm": 96}

    type: Literal["tempo"]
    scale: float | None = Field(None, ge=0.05, le=20, description="2 is twice as fast.")
    bpm: float | None = Field(None, ge=4, le=1000, description="one tempo throughout.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.scale is None) == (self.bpm is None):
            raise PydanticCustomError("tempo", "give exactly one of scale or bpm", {"suggestions": ["bpm", "scale"]})
        return self


class Range(Variant):
    """A stretch of the music, by bars or by time."""

    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("start_bar", "from_bar", "first_measure", "start_measure"), "first_bar"),
        **dict.fromkeys(("end_bar", "to_bar", "last_measure", "end_measure"), "last_bar"),
    }

    first_bar: int | None = Field(None, ge=1, description="from 1.")
    last_bar: int | None = Field(None, ge=1, description="included.")
    start: float = Field(0, ge=0, description="instead, from 0.")
    end: float | None = Field(None, gt=0, description="instead.")
    unit: Literal["beats", "ms"] = Field("beats", description="of start, end; beats are quarters.")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        by_bars = {"first_bar", "last_bar"} & self.model_fields_set
        by_time = {"start", "end", "unit"} & self.model_fields_set
        if by_bars and by_time:
            raise PydanticCustomError(
                "range",
                "give bars (first_bar, last_bar) or times (start, end), not both",
                {"suggestions": sorted(by_bars)},
            )
        if self.end is not None and self.end <= self.start:
            raise PydanticCustomError(
                "range", "end {end} must be after start {start}", {"end": self.end, "start": self.start}
            )
        if self.last_bar is not None and self.last_bar < (self.first_bar or 1):
            context = {"last": self.last_bar, "first": self.first_bar, "suggestions": [f"last_bar: {self.first_bar}"]}
            raise PydanticCustomError("range", "last_bar {last} is before first_bar {first}", context)
        return self

    @property
    def by_bars(self) -> bool:
        return self.first_bar is not None or self.last_bar is not None


class Trim(Range):
    """Keeps a stretch; notes over its edges are cut."""

    example: ClassVar[dict[str, Any]] = {"type": "trim", "first_bar": 5, "last_bar": 12}

    type: Literal["trim"]


class Cut(Range):
    """Takes a stretch out and closes the gap."""

    example: ClassVar[dict[str, Any]] = {"type": "cut", "first_bar": 9, "last_bar": 12}

    type: Literal["cut"]

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if not {"first_bar", "last_bar", "start", "end"} & self.model_fields_set:
            raise PydanticCustomError(
                "range", "say what to cut: first_bar and last_bar, or start and end", {"suggestions": ["first_bar"]}
            )
        return self


class Merge(Variant):
    """Puts all tracks into one, or other files into this one."""

    example: ClassVar[dict[str, Any]] = {"type": "merge", "midi_file_ids": ["midi_4r0c…"], "order": "sequence"}

    type: Literal["merge"]
    midi_file_ids: list[Annotated[str, Field(pattern=MUSIC_ID)]] = Field(
        [], max_length=MAX_MERGED_FILES, description="other files, songs or scores."
    )
    order: Literal["parallel", "sequence"] = Field("parallel", description="sequence: one after the other.")
    one_track: bool | None = Field(None, description="default: true without midi_file_ids.")


class Split(Variant):
    """Gives several files."""

    example: ClassVar[dict[str, Any]] = {"type": "split", "by": "channel"}

    type: Literal["split"]
    by: Literal["channel", "track"] = Field("track", description="a file for each.")


class ExtractTracks(Variant):
    """Keeps these tracks, and the tempo and signatures of all."""

    example: ClassVar[dict[str, Any]] = {"type": "extract_tracks", "tracks": [0, "Bass"]}

    type: Literal["extract_tracks"]
    tracks: Tracks = Field(description="Only these: numbers from 0, or names.")


AnyOperation: TypeAlias = (
    Transpose | Quantize | Swing | Humanize | Velocity | Tempo | Trim | Cut | Merge | Split | ExtractTracks
)
_MODELS: dict[str, type[AnyOperation]] = {
    model.example["type"]: model
    for model in (
        Transpose,
        Quantize,
        Swing,
        Humanize,
        Velocity,
        Tempo,
        Trim,
        Cut,
        Merge,
        Split,
        ExtractTracks,
    )
}

Operation: TypeAlias = Annotated[
    AnyOperation,
    PlainValidator(reader_of(_MODELS)),
    WithJsonSchema(flat_schema(_MODELS, everywhere=NoteOperation)),
]
Operations: TypeAlias = Annotated[
    list[Operation], Field(min_length=1, max_length=MAX_OPERATIONS, description="Done in this order.")
]


class OperationReport(ToolOutput):
    """What one operation did."""

    type: str
    changed: dict[str, int] = Field(description="How many notes, tracks … were changed, by what was done to them.")
    warnings: list[str] | None = None
