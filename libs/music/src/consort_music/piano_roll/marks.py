"""Words above the roll that say what holds from a point on, placed beside each other so that none lies over another."""

from collections.abc import Iterable
from heapq import nlargest
from typing import NamedTuple

from consort_music.piano_roll.shapes import Axis

_MOST_MARKS = 300
_BETWEEN_MARKS = 6.0


class Mark(NamedTuple):
    """What `label` says holds between these two points."""

    left: float
    right: float
    label: str


def marks_of(axis: Axis, changes: Iterable[tuple[int, str]]) -> list[Mark]:
    """Real changes that are seen, and what holds at the beginning: that one first, then the longest-lasting."""
    seen: list[tuple[int, str]] = []
    for tick, label in changes:
        if tick >= axis.end:
            break
        if tick <= axis.start:
            seen = [(int(axis.start), label)]
        elif not seen or label != seen[-1][1]:
            seen.append((tick, label))
    points = [*(axis.x(tick) for tick, _ in seen), axis.right]
    marks = [Mark(*each) for each in zip(points[:-1], points[1:], (label for _, label in seen), strict=True)]
    return marks[:1] + nlargest(_MOST_MARKS, marks[1:], key=lambda mark: mark.right - mark.left)


class Line:
    """Places for marks beside each other, none over another."""

    def __init__(self, right: float) -> None:
        self._right = right
        self._taken: list[tuple[float, float]] = []

    def place(self, mark: Mark, width: float, slip: float) -> float | None:
        """The first free place at most `slip` to the right of where the mark belongs and still in what it holds for.

        That place is then taken.
        """
        first = mark.left
        last = min(first + slip, max(mark.right, first))
        for begin in sorted([first, *(end + _BETWEEN_MARKS for _, end in self._taken)]):
            if begin < first:
                continue
            end = begin + width
            if begin > last or end > self._right:
                return None
            if not any(begin < other[1] + _BETWEEN_MARKS and other[0] < end + _BETWEEN_MARKS for other in self._taken):
                self._taken.append((begin, end))
                return begin
        return None
