"""The JSON input of each operation of `transform_midi`, one pydantic model per operation.

These descriptions are sent with every tool listing, so keep them short: a unit, a range or an example. An assistant
sees one flat object with the fields of all operations (`flat_schema`). The model of the given `type` checks the object,
and its method `operation` returns the parsed parameters.
"""

import re
from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from consort_midi_store.files.models import MUSIC_ID
from consort_midi_store.transforms.operation_parameters import (
    ALL_CHANNELS,
    CutOperation,
    ExtractTracksOperation,
    HumanizeOperation,
    MergeOperation,
    NoteFilter,
    OperationParameters,
    QuantizeOperation,
    SplitOperation,
    SwingOperation,
    TargetKey,
    TempoOperation,
    TimeRange,
    TransposeOperation,
    TrimOperation,
    VelocityOperation,
)
from consort_midi_store.transforms.schema.flat_schema import Variant, flat_schema, reader_of
from consort_music.fields import ParsedText
from consort_music.keys import parse_key
from consort_music.timing.grid import Grid, parse_grid
from consort_music.timing.swing import parse_swing

MAX_OPERATIONS = 20
MAX_MERGED_FILES = 16

_TONIC_ALONE = re.compile("[A-G][#♯b♭]?")  # a lower-case letter means minor


def _parse_target_key(text: str) -> TargetKey:
    return TargetKey(parse_key(text), _TONIC_ALONE.fullmatch(text.strip()) is not None)


def _check_channels(numbers: list[int]) -> list[int]:
    for number in numbers:
        if not 1 <= number <= 16:
            raise PydanticCustomError("channel", "Channels are 1 to 16, not {number}", {"number": number})
    return numbers


_SWING_TEXT = "50 straight, 66.7 triplets."
_GRID_TEXT = "1/8, 1/16t (triplets) …"
GridField: TypeAlias = Annotated[Grid, ParsedText(Grid, parse_grid, str)]
TargetKeyField: TypeAlias = Annotated[TargetKey, ParsedText(TargetKey, _parse_target_key, str)]
TrackList: TypeAlias = list[int | str]


class OperationInput(Variant):
    """Base of all operations."""

    @abstractmethod
    def operation(self) -> OperationParameters:
        """Return the parsed parameters."""


class NoteOperationInput(OperationInput):
    """An operation on notes, which may be limited to some of them."""

    tracks: TrackList | None = Field(None, description="Only these: numbers from 0, or names.")
    channels: Annotated[list[int], AfterValidator(_check_channels)] | None = Field(
        None, description="Only these, 1-16."
    )

    @property
    def selection(self) -> NoteFilter:
        if self.channels is None:
            return NoteFilter(self.tracks, ALL_CHANNELS)
        return NoteFilter(self.tracks, frozenset(number - 1 for number in self.channels))


class TransposeInput(NoteOperationInput):
    example: ClassVar[dict[str, Any]] = {"type": "transpose", "to_key": "D major"}

    type: Literal["transpose"]
    semitones: int | None = Field(None, ge=-127, le=127, description="12 is an octave up.")
    to_key: TargetKeyField | None = Field(None, description="a key instead, e.g. Bb minor; shortest way.")
    out_of_range: Literal["fold", "clamp", "drop"] = Field("fold", description="fold: by octaves.")
    include_drums: bool = Field(False, description="move channel 10 too.")

    @model_validator(mode="after")
    def _check_one_way(self) -> Self:
        if (self.semitones is None) == (self.to_key is None):
            raise PydanticCustomError(
                "transpose", "Give exactly one of semitones and to_key", {"suggestions": ["semitones", "to_key"]}
            )
        return self

    def operation(self) -> TransposeOperation:
        return TransposeOperation(self.semitones, self.to_key, self.out_of_range, self.include_drums, self.selection)


class QuantizeInput(NoteOperationInput):
    example: ClassVar[dict[str, Any]] = {"type": "quantize", "grid": "1/16"}

    type: Literal["quantize"]
    grid: GridField = Field(description=_GRID_TEXT)
    strength: float = Field(1, ge=0, le=1, description="0-1, default 1.")
    end: Literal["keep", "quantize"] = Field("keep", description="keep (default) or quantize.")
    swing: float = Field(50, ge=50, le=75, description=_SWING_TEXT)

    def operation(self) -> QuantizeOperation:
        grid = self.grid._replace(swing=parse_swing(self.swing))
        return QuantizeOperation(grid, self.strength, self.end, self.selection)


class SwingInput(NoteOperationInput):
    example: ClassVar[dict[str, Any]] = {"type": "swing", "amount": 60, "grid": "1/8"}

    type: Literal["swing"]
    amount: float = Field(66.7, ge=50, le=75, description=_SWING_TEXT)
    grid: GridField = Field("1/8", validate_default=True, description=_GRID_TEXT)

    def operation(self) -> SwingOperation:
        return SwingOperation(self.grid._replace(swing=parse_swing(self.amount)), self.selection)


class HumanizeInput(NoteOperationInput):
    example: ClassVar[dict[str, Any]] = {"type": "humanize", "timing_ms": 10, "velocity": 8}

    type: Literal["humanize"]
    timing_ms: float = Field(10, ge=0, le=200, description="at most, default 10.")
    timing_ticks: int | None = Field(None, ge=0, le=10_000, description="instead of timing_ms.")
    velocity: int = Field(8, ge=0, le=127, description="at most, default 8.")
    seed: int = Field(0, description="any integer.")

    def operation(self) -> HumanizeOperation:
        return HumanizeOperation(self.timing_ms, self.timing_ticks, self.velocity, self.seed, self.selection)


class ChangeVelocityInput(NoteOperationInput):
    """The fields are applied in the order in which they are declared."""

    example: ClassVar[dict[str, Any]] = {"type": "velocity", "scale": 0.8}

    type: Literal["velocity"]
    set: int | None = Field(None, ge=1, le=127, description="all alike, 1-127.")
    curve: float = Field(1, ge=0.1, le=10, description="over 1 lifts the middle.")
    compress: float = Field(0, ge=-1, le=1, description="1 is all to the mean; below 0 expands.")
    scale: float = Field(1, ge=0, le=127, description="factor.")
    add: int = Field(0, ge=-127, le=127, description="added after scale.")
    min: int = Field(1, ge=1, le=127, description="at least.")
    max: int = Field(127, ge=1, le=127, description="at most.")

    @model_validator(mode="after")
    def _check_changes_something(self) -> Self:
        if not self.model_fields_set & {"set", "curve", "compress", "scale", "add", "min", "max"}:
            raise PydanticCustomError(
                "velocity",
                "Give at least one of set, curve, compress, scale, add, min and max",
                {"suggestions": ["scale", "add", "set"]},
            )
        if self.min > self.max:
            raise PydanticCustomError(
                "velocity", "min {low} is above max {high}. Swap them", {"low": self.min, "high": self.max}
            )
        return self

    def operation(self) -> VelocityOperation:
        return VelocityOperation(
            self.set, self.curve, self.compress, self.scale, self.add, self.min, self.max, self.selection
        )


class TempoInput(OperationInput):
    example: ClassVar[dict[str, Any]] = {"type": "tempo", "bpm": 96}

    type: Literal["tempo"]
    scale: float | None = Field(None, ge=0.05, le=20, description="2 is twice as fast.")
    bpm: float | None = Field(None, ge=4, le=1000, description="one tempo throughout.")

    @model_validator(mode="after")
    def _check_one_way(self) -> Self:
        if (self.scale is None) == (self.bpm is None):
            raise PydanticCustomError("tempo", "Give exactly one of scale and bpm", {"suggestions": ["bpm", "scale"]})
        return self

    def operation(self) -> TempoOperation:
        return TempoOperation(self.scale, self.bpm)


class RangeInput(OperationInput):
    """An operation on a part of the music, given in bars or in time."""

    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("start_bar", "from_bar", "first_measure", "start_measure"), "first_bar"),
        **dict.fromkeys(("end_bar", "to_bar", "last_measure", "end_measure"), "last_bar"),
    }

    first_bar: int | None = Field(None, ge=1, description="from 1.")
    last_bar: int | None = Field(None, ge=1, description="included.")
    start: float = Field(0, ge=0, description="instead of bars, from 0.")
    end: float | None = Field(None, gt=0, description="instead of bars.")
    unit: Literal["beats", "ms"] = Field("beats", description="of start, end; beats are quarters.")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        by_bars = {"first_bar", "last_bar"} & self.model_fields_set
        by_time = {"start", "end", "unit"} & self.model_fields_set
        if by_bars and by_time:
            raise PydanticCustomError(
                "range",
                "Give bars (first_bar, last_bar) or times (start, end), not both",
                {"suggestions": sorted(by_bars)},
            )
        if self.end is not None and self.end <= self.start:
            raise PydanticCustomError(
                "range", "end is {end} and must be after start, {start}", {"end": self.end, "start": self.start}
            )
        if self.last_bar is not None and self.last_bar < (self.first_bar or 1):
            context = {"last": self.last_bar, "first": self.first_bar, "suggestions": [f"last_bar: {self.first_bar}"]}
            raise PydanticCustomError("range", "last_bar {last} is before first_bar {first}", context)
        return self

    @property
    def range(self) -> TimeRange:
        return TimeRange(self.first_bar, self.last_bar, self.start, self.end, self.unit)


class TrimInput(RangeInput):
    """Keeps a part of the music. Notes that cross its edges are shortened."""

    example: ClassVar[dict[str, Any]] = {"type": "trim", "first_bar": 5, "last_bar": 12}

    type: Literal["trim"]

    def operation(self) -> TrimOperation:
        return TrimOperation(self.range)


class CutInput(RangeInput):
    """Removes a part of the music and closes the gap."""

    example: ClassVar[dict[str, Any]] = {"type": "cut", "first_bar": 9, "last_bar": 12}

    type: Literal["cut"]

    @model_validator(mode="after")
    def _check_range_is_given(self) -> Self:
        if not {"first_bar", "last_bar", "start", "end"} & self.model_fields_set:
            raise PydanticCustomError(
                "range", "Give first_bar and last_bar, or start and end", {"suggestions": ["first_bar"]}
            )
        return self

    def operation(self) -> CutOperation:
        return CutOperation(self.range)


class MergeInput(OperationInput):
    """Merges all tracks into one, or other files into this one."""

    example: ClassVar[dict[str, Any]] = {"type": "merge", "midi_file_ids": ["midi_4r0c…"], "order": "sequence"}

    type: Literal["merge"]
    midi_file_ids: list[Annotated[str, Field(pattern=MUSIC_ID)]] = Field(
        [], max_length=MAX_MERGED_FILES, description="other files, songs or scores."
    )
    order: Literal["parallel", "sequence"] = Field("parallel", description="sequence: one after the other.")
    one_track: bool | None = Field(None, description="default: true without midi_file_ids.")

    def operation(self) -> MergeOperation:
        return MergeOperation(self.midi_file_ids, self.order, self.one_track)


class SplitInput(OperationInput):
    """Makes several files from one."""

    example: ClassVar[dict[str, Any]] = {"type": "split", "by": "channel"}

    type: Literal["split"]
    by: Literal["channel", "track"] = Field("track", description="one file for each.")

    def operation(self) -> SplitOperation:
        return SplitOperation(self.by)


class ExtractTracksInput(OperationInput):
    """Keeps these tracks, and the tempo and signatures of all tracks."""

    example: ClassVar[dict[str, Any]] = {"type": "extract_tracks", "tracks": [0, "Bass"]}

    type: Literal["extract_tracks"]
    tracks: TrackList = Field(description="Only these: numbers from 0, or names.")

    def operation(self) -> ExtractTracksOperation:
        return ExtractTracksOperation(self.tracks)


OPERATION_INPUTS: dict[str, type[OperationInput]] = {
    model.example["type"]: model
    for model in (
        TransposeInput,
        QuantizeInput,
        SwingInput,
        HumanizeInput,
        ChangeVelocityInput,
        TempoInput,
        TrimInput,
        CutInput,
        MergeInput,
        SplitInput,
        ExtractTracksInput,
    )
}
_read_input = reader_of(OPERATION_INPUTS)


def _read_operation(raw: Any) -> OperationParameters:
    return raw if isinstance(raw, OperationParameters) else _read_input(raw).operation()


Operation: TypeAlias = Annotated[
    OperationParameters,
    PlainValidator(_read_operation),
    WithJsonSchema(flat_schema(OPERATION_INPUTS, shared_fields=NoteOperationInput)),
]
Operations: TypeAlias = Annotated[
    list[Operation], Field(min_length=1, max_length=MAX_OPERATIONS, description="Done in this order.")
]
