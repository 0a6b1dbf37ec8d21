"""The parameters of each operation, checked and parsed.

They are dataclasses and not pydantic models, because they are sent to a child process that should import little.
`schema.operation_inputs` makes them from JSON.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from consort_music.keys import Key
from consort_music.timing.grid import Grid

ALL_CHANNELS = frozenset(range(16))
"""Channels are numbered from 0 here, as in MIDI status bytes."""


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """Selects the notes that an operation changes. `tracks` are indexes (from 0) or names; None means all tracks."""

    tracks: Sequence[int | str] | None = None
    channels: frozenset[int] = ALL_CHANNELS


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A part of the music: from `first_bar` to the end of `last_bar`, or from `start` to `end` in `unit`.

    Bars are counted from 1, beats and milliseconds from 0. Without an end, the range goes to the end of the music.
    """

    first_bar: int | None = None
    last_bar: int | None = None
    start: float = 0
    end: float | None = None
    unit: Literal["beats", "ms"] = "beats"

    @property
    def is_in_bars(self) -> bool:
        return self.first_bar is not None or self.last_bar is not None


class TargetKey(NamedTuple):
    """The key to transpose to. If the caller gave only a tonic, such as "D", the mode of the file is kept."""

    key: Key
    is_tonic_alone: bool


@dataclass(frozen=True, slots=True)
class TransposeOperation:
    """Transpose notes. Exactly one of `semitones` and `to_key` is given."""

    type: ClassVar = "transpose"
    semitones: int | None = None
    to_key: TargetKey | None = None
    out_of_range: Literal["fold", "clamp", "drop"] = "fold"
    include_drums: bool = False
    selection: NoteFilter = NoteFilter()


@dataclass(frozen=True, slots=True)
class QuantizeOperation:
    """Move notes towards a grid. With `strength` 0 they do not move; with 1 they move to the grid."""

    type: ClassVar = "quantize"
    grid: Grid
    strength: float = 1
    end: Literal["keep", "quantize"] = "keep"
    selection: NoteFilter = NoteFilter()


@dataclass(frozen=True, slots=True)
class SwingOperation:
    """Delay offbeats by the swing of the grid."""

    type: ClassVar = "swing"
    grid: Grid
    selection: NoteFilter = NoteFilter()


@dataclass(frozen=True, slots=True)
class HumanizeOperation:
    """Change notes randomly, by at most these amounts. If `timing_ticks` is given, `timing_ms` is ignored."""

    type: ClassVar = "humanize"
    timing_ms: float
    timing_ticks: int | None
    velocity: int
    seed: int
    selection: NoteFilter = NoteFilter()


@dataclass(frozen=True, slots=True)
class VelocityOperation:
    """Change velocities. The fields are applied in the order in which they are declared."""

    type: ClassVar = "velocity"
    set: int | None
    curve: float
    compress: float
    scale: float
    add: int
    min: int
    max: int
    selection: NoteFilter = NoteFilter()


@dataclass(frozen=True, slots=True)
class TempoOperation:
    """Change the tempo. Exactly one of `scale` (a factor) and `bpm` (quarter notes per minute) is given."""

    type: ClassVar = "tempo"
    scale: float | None = None
    bpm: float | None = None


@dataclass(frozen=True, slots=True)
class TrimOperation:
    """Keep a part of the music."""

    type: ClassVar = "trim"
    range: TimeRange


@dataclass(frozen=True, slots=True)
class CutOperation:
    """Remove a part of the music."""

    type: ClassVar = "cut"
    range: TimeRange


@dataclass(frozen=True, slots=True)
class MergeOperation:
    """Merge other files into this one, or all tracks into one.

    If `one_track` is None, the result has one track if no other files are given.
    """

    type: ClassVar = "merge"
    midi_file_ids: Sequence[str] = ()
    order: Literal["parallel", "sequence"] = "parallel"
    one_track: bool | None = None


@dataclass(frozen=True, slots=True)
class SplitOperation:
    """Make a file for each channel or track."""

    type: ClassVar = "split"
    by: Literal["channel", "track"] = "track"


@dataclass(frozen=True, slots=True)
class ExtractTracksOperation:
    """Keep these tracks, given by index (from 0) or name."""

    type: ClassVar = "extract_tracks"
    tracks: Sequence[int | str]


OperationParameters: TypeAlias = (
    TransposeOperation
    | QuantizeOperation
    | SwingOperation
    | HumanizeOperation
    | VelocityOperation
    | TempoOperation
    | TrimOperation
    | CutOperation
    | MergeOperation
    | SplitOperation
    | ExtractTracksOperation
)
