"""Place labels above the roll, such as tempos and keys, next to each other without overlaps."""

from collections.abc import Iterable
from heapq import nlargest
from typing import NamedTuple

from consort_music.pictures.time_axis import TimeAxis

_MOST_LABELS = 300
_BETWEEN_LABELS = 6.0


class Label(NamedTuple):
    """A text that is valid from `left` to `right` on the time axis, in pixels."""

    left: float
    right: float
    text: str


def find_labels(axis: TimeAxis, changes: Iterable[tuple[int, str]]) -> list[Label]:
    """Return the visible changes as labels. `changes` are pairs (tick, text) sorted by tick.

    The first label is the one that is valid at the left edge. Those of the others that are valid longest come first.
    """
    seen: list[tuple[int, str]] = []
    for tick, text in changes:
        if tick >= axis.end:
            break
        if tick <= axis.start:
            seen = [(int(axis.start), text)]
        elif not seen or text != seen[-1][1]:
            seen.append((tick, text))
    points = [*(axis.x(tick) for tick, _ in seen), axis.right]
    labels = [Label(*each) for each in zip(points[:-1], points[1:], (text for _, text in seen), strict=True)]
    return labels[:1] + nlargest(_MOST_LABELS, labels[1:], key=lambda label: label.right - label.left)


class LabelRow:
    """A row of labels without overlaps."""

    def __init__(self, right: float) -> None:
        self._right = right
        self._taken: list[tuple[float, float]] = []

    def place(self, label: Label, width: float, slip: float) -> float | None:
        """Return the left edge of a free place for a label and occupy it, or return None if there is none.

        The edge is at most `slip` pixels to the right of `label.left`, and not after `label.right`.
        """
        first = label.left
        last = min(first + slip, max(label.right, first))
        for begin in sorted([first, *(end + _BETWEEN_LABELS for _, end in self._taken)]):
            if begin < first:
                continue
            end = begin + width
            if begin > last or end > self._right:
                return None
            if not any(
                begin < other[1] + _BETWEEN_LABELS and other[0] < end + _BETWEEN_LABELS for other in self._taken
            ):
                self._taken.append((begin, end))
                return begin
        return None
