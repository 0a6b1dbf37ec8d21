"""Where notes come to when time is bent: quantised to a grid, or swung. Times are ticks of any resolution."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Self

from consort_music.quantize import Grid, TickGrid, swing_ticks


@dataclass(frozen=True)
class Bend:
    """Where ticks come to, the same in every `period` of ticks.

    Ends move as starts do, and what would not end after its start does so at `after` the start; without `after` notes
    keep their lengths instead.
    """

    move: Callable[[Sequence[int]], list[int]]
    period: int
    after: Callable[[int], int] | None = None

    @classmethod
    def quantizing(cls, grid: Grid, ppq: int, strength: float, *, ends_too: bool = False) -> Self:
        """Go that share of the way to the grid; durations stay, or ends go to the grid too."""
        ticks = TickGrid(grid, ppq)
        return cls(partial(ticks.move_all, strength=strength), ticks.period, ticks.after if ends_too else None)

    @classmethod
    def swinging(cls, grid: Grid, ppq: int) -> Self:
        """Bend straight time into swing, starts and ends alike, so that legato stays legato."""
        return cls(partial(swing_ticks, grid=grid, ppq=ppq), TickGrid(grid, ppq).period, lambda start: start + 1)

    def placed(self, starts: Sequence[int], ends: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the starts and ends of these notes after bending."""
        new_starts = self.move(starts)
        if self.after is None:
            return new_starts, lengths_kept(starts, ends, new_starts)
        after = self.after
        new_ends = self.move(ends)
        return new_starts, [
            end if end > start else after(start) for start, end in zip(new_starts, new_ends, strict=True)
        ]

    @cached_property
    def moves(self) -> "array[int]":
        """How far the ticks of the first period move."""
        return _differences(self.move(range(self.period)))

    @cached_property
    def shortest(self) -> "array[int]":
        """By start in the first period, how much later a note ends that would not have."""
        return array("q") if self.after is None else _differences(map(self.after, range(self.period)))


def _differences(ticks: Iterable[int]) -> "array[int]":
    return array("q", (new - old for old, new in enumerate(ticks)))


def lengths_kept(starts: Iterable[int], ends: Iterable[int], new_starts: Iterable[int]) -> list[int]:
    """Return the ends of notes that begin elsewhere and last as long as before."""
    return [end + new - was for was, end, new in zip(starts, ends, new_starts, strict=True)]
