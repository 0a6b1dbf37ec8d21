"""Divide a take into systems, like the lines of a page, so that notes are wide enough on any screen."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

_WIDTH_OF_NOTE = 30.0
"""Pixels from one note to the next, about."""
_FEWEST_S, _MOST_S = 2.0, 30.0
_MOST_SYSTEMS = 14
_FILL = 0.6
"""A system may be shorter than the others by this factor, to end at a bar line."""
_MARGIN_S = 0.15


class TakeSystem(NamedTuple):
    start: float
    end: float


def divide_systems(data: dict[str, Any], pixels: float) -> list[TakeSystem]:
    """Return the systems of a take, each with the same length in seconds, the last one too."""
    starts = sorted({round(note[0], 2) for note in [*data["expected"], *data["played"]]})
    if not starts:
        return [TakeSystem(0.0, 4.0)]
    ends = [note[1] for note in [*data["expected"], *data["played"]]]
    begin, end = max(starts[0] - _MARGIN_S, 0.0), max(ends) + _MARGIN_S
    gaps = sorted(after - before for before, after in pairwise(starts) if after - before > 0.03)
    usual = gaps[len(gaps) // 2] if gaps else 0.5
    length = min(max(usual * pixels / _WIDTH_OF_NOTE, _FEWEST_S), _MOST_S)
    length = max(length, (end - begin) / _MOST_SYSTEMS)
    if end - begin <= 1.15 * length:
        return [TakeSystem(begin, end)]
    lines = [time for time, _ in data["bars"]]
    found: list[TakeSystem] = []
    while begin < end - 0.05:
        stop = _last_line(lines, begin + _FILL * length, begin + length) or begin + length
        found.append(TakeSystem(begin, begin + length))
        if stop < begin + length:
            found[-1] = TakeSystem(begin, stop)
        begin = stop
    return found


def _last_line(lines: Sequence[float], after: float, before: float) -> float | None:
    """Return the last bar line between two times, a little before the note on it."""
    place = bisect_right(lines, before) - 1
    return lines[place] - 0.06 if place >= 0 and lines[place] >= after else None
