"""Choose the grid of music, and move notes to it.

The grid of starts is the coarsest one on which all notes start exactly, or else the coarsest one on which nearly all
start nearly. The grid of ends is chosen in the same way among the grids that divide it; if none fits, the ends were
played freely, and are moved to the coarsest of these grids that keeps most lengths at about half to double.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from consort_music.timing.grid import GRID_PATTERN, parse_grid

_PARTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 5, 7, 10, 32, 20, 48, 60)
"""Parts of a quarter note, in the order in which they are tried."""
_PARTS_OF_ENDS = (1, 2, 3, 4, 6, 8)
"""Parts of a step of the grid of starts."""
_FINEST = 48
_FINEST_MEANT = 24
_EXACT, _NEAR = Fraction(1, 400), Fraction(1, 100)
"""How many quarter notes a moment may be away from a grid point that it is on."""
_STARTS_SHARE = 0.99
_ENDS_SHARE = 0.97
_PARTS_OF_FREE_ENDS = (1, 2, 4)
_LENGTHS_SHARE = 0.9
_FINEST_FREE_END = Fraction(1, 16)
_MOST_LONGER = 2
"""A note that becomes more than this many times as long, or as short, is not the same to the ear."""


class StartEndGrid(NamedTuple):
    """Steps in quarter notes."""

    starts: Fraction
    ends: Fraction


def choose_grid(
    starts: Sequence[Fraction],
    ends: Sequence[Fraction],
    name: str | None = None,
    spans: Sequence[tuple[Fraction, Fraction]] = (),
) -> StartEndGrid:
    """Return the grid with this name (such as 1/16 or 1/8t), or the one that fits the notes.

    `spans` are the starts and ends of the notes whose lengths matter, if their ends were played freely.
    """
    if name is not None:
        step = parse_grid(name).step
        return StartEndGrid(step, step)
    step = _fitting(starts, [Fraction(1, parts) for parts in _PARTS], _STARTS_SHARE) or Fraction(1, _FINEST)
    return StartEndGrid(step, _fitting_ends(ends, step) or _keeping_lengths(spans, step))


def are_ends_free(ends: Sequence[Fraction], step: Fraction) -> bool:
    """Return whether ends are on no grid that divides the steps of the starts."""
    return _fitting_ends(ends, step) is None


def _fitting_ends(ends: Sequence[Fraction], step: Fraction) -> Fraction | None:
    finer = [step / parts for parts in _PARTS_OF_ENDS if parts == 1 or step / parts >= Fraction(1, _FINEST)]
    return _fitting(ends, finer, _ENDS_SHARE)


def grid_name(step: Fraction) -> str:
    """Return the note value of a step: `1/16`, `1/8t`, or the part of a whole note."""
    part = step / 4
    triplet = part * Fraction(3, 2)
    if part.numerator == 1 and part.denominator & (part.denominator - 1) == 0:
        return str(part)
    return f"{triplet}t" if re.fullmatch(GRID_PATTERN, f"{triplet}t") else str(part)


def length_on_grid(start: Fraction, end: Fraction, grid: StartEndGrid) -> Fraction:
    return max(nearest(end, grid.ends) - nearest(start, grid.starts), grid.ends)


def _keeping_lengths(spans: Sequence[tuple[Fraction, Fraction]], step: Fraction) -> Fraction:
    """Return the coarsest step that keeps most lengths, or else the finest one."""
    steps = [step / parts for parts in _PARTS_OF_FREE_ENDS if parts == 1 or step / parts >= _FINEST_FREE_END]
    for finer in steps:
        grid = StartEndGrid(step, finer)
        kept = sum(is_kept(end - start, length_on_grid(start, end, grid)) for start, end in spans)
        if kept >= _LENGTHS_SHARE * len(spans):
            return finer
    return steps[-1]


def is_kept(old: Fraction, new: Fraction) -> bool:
    """Return whether a length is about the same as another one."""
    return old <= _MOST_LONGER * new and new <= _MOST_LONGER * old


def seems_played(starts: Sequence[Fraction], grid: StartEndGrid) -> bool:
    """Return whether notes are only near a grid that is too fine to be meant."""
    return grid.starts < Fraction(1, _FINEST_MEANT) and _count_on(starts, grid.starts, _EXACT) < len(starts)


def _fitting(moments: Sequence[Fraction], steps: Sequence[Fraction], share: float) -> Fraction | None:
    """Return the first step on whose grid all moments are exactly, or else this share of them nearly."""
    exact = (step for step in steps if _count_on(moments, step, _EXACT) == len(moments))
    near = (step for step in steps if _count_on(moments, step, _NEAR) >= share * len(moments))
    return next(exact, None) or next(near, None)


def _count_on(moments: Iterable[Fraction], step: Fraction, most_off: Fraction) -> int:
    return sum(abs(moment - nearest(moment, step)) <= most_off for moment in moments)


def nearest(moment: Fraction, step: Fraction) -> Fraction:
    return floor(moment / step + Fraction(1, 2)) * step
