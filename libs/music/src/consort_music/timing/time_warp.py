"""Compute new starts and ends of notes that are quantized or swung. Times are ticks of any resolution."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Self

from consort_music.timing.grid import Grid, TickGrid
from consort_music.timing.swing import swing_ticks


@dataclass(frozen=True)
class TimeWarp:
    """A map from old to new ticks that repeats every `period` ticks.

    If `after` is given, ends are mapped too. A note whose new end is not later than its new start ends at
    `after(new start)` instead. If `after` is None, notes keep their lengths.
    """

    move: Callable[[Sequence[int]], list[int]]
    period: int
    after: Callable[[int], int] | None = None

    @classmethod
    def quantizing(cls, grid: Grid, ppq: int, strength: float, *, ends_too: bool = False) -> Self:
        """Return the warp that moves starts, and ends if `ends_too`, towards the grid. `strength` is from 0 to 1."""
        ticks = TickGrid(grid, ppq)
        return cls(partial(ticks.move_all, strength=strength), ticks.period, ticks.after if ends_too else None)

    @classmethod
    def swinging(cls, grid: Grid, ppq: int) -> Self:
        """Return the warp from straight to swung time. It moves starts and ends, so adjacent notes stay adjacent."""
        move = partial(swing_ticks, step=grid.step * ppq, swing=grid.swing)
        return cls(move, TickGrid(grid, ppq).period, lambda start: start + 1)

    def apply(self, starts: Sequence[int], ends: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the new starts and ends of these notes."""
        new_starts = self.move(starts)
        if self.after is None:
            return new_starts, keep_lengths(starts, ends, new_starts)
        after = self.after
        new_ends = self.move(ends)
        return new_starts, [
            end if end > start else after(start) for start, end in zip(new_starts, new_ends, strict=True)
        ]

    @cached_property
    def moves(self) -> "array[int]":
        """By how many ticks each tick of the first period moves."""
        return _differences(self.move(range(self.period)))

    @cached_property
    def shortest(self) -> "array[int]":
        """For each new start in the first period: the length of a note whose new end is not later than its start."""
        return array("q") if self.after is None else _differences(map(self.after, range(self.period)))


def _differences(ticks: Iterable[int]) -> "array[int]":
    return array("q", (new - old for old, new in enumerate(ticks)))


def keep_lengths(starts: Iterable[int], ends: Iterable[int], new_starts: Iterable[int]) -> list[int]:
    """Return the ends of notes with new starts and unchanged lengths."""
    return [end + new - was for was, end, new in zip(starts, ends, new_starts, strict=True)]
