"""How an operation bends time."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Bend:
    """Where ticks come to, the same in every `period` of ticks.

    Ends move as starts do, and what would not end after its start does so at `after` the start; without `after` notes
    keep their lengths instead.
    """

    move: Callable[[Sequence[int]], list[int]]
    period: int
    after: Callable[[int], int] | None = None

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
