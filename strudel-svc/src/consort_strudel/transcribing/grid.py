"""Choose the grid of music, and move notes to it.

The grid of starts is the coarsest one on which nearly all notes start. Ends are on a finer grid if nearly all of them
are; otherwise they were played freely (short or overlapping), and are moved to the grid of starts.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from consort_music.timing.grid import parse_grid

_PARTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 5, 7, 10, 32, 20, 48)
"""Parts of a quarter note, in the order in which they are tried."""
_FINEST = 48
_MOST_OFF = Fraction(1, 100)
"""A moment is on a grid if it is at most so many quarter notes from it."""
_STARTS_SHARE = 0.995
_ENDS_SHARE = 0.97


class NoteGrid(NamedTuple):
    """Steps in quarter notes."""

    starts: Fraction
    ends: Fraction


def choose_grid(starts: Sequence[Fraction], ends: Sequence[Fraction], name: str | None = None) -> NoteGrid:
    """Return the grid with this name (such as 1/16 or 1/8t), or the one that fits the notes."""
    if name is not None:
        step = parse_grid(name).step
        return NoteGrid(step, step)
    step = _fitting(starts, _STARTS_SHARE) or Fraction(1, _FINEST)
    return NoteGrid(step, _fitting(ends, _ENDS_SHARE, step) or step)


def _fitting(moments: Sequence[Fraction], share: float, coarsest: Fraction | None = None) -> Fraction | None:
    """Return the step of the first grid on which this share of the moments lies. It divides `coarsest`."""
    for parts in _PARTS:
        step = Fraction(1, parts)
        if coarsest is not None and coarsest % step:
            continue
        if _count_on(moments, parts) >= share * len(moments):
            return step
    return None


def _count_on(moments: Iterable[Fraction], parts: int) -> int:
    return sum(abs(moment * parts - round(moment * parts)) <= _MOST_OFF * parts for moment in moments)


def nearest(moment: Fraction, step: Fraction) -> Fraction:
    return floor(moment / step + Fraction(1, 2)) * step
