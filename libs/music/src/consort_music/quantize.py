"""Rhythmic grids: their names, and the nearest grid point to a tick, exact and with ties up.

A grid is named by its note value, `1/16`, with `t` for triplets: `1/8t` has three points in a quarter note. Swing
delays every second point: it is the share of each pair of steps that the first one takes, in percent as drum machines
have it, so that 50 is straight, 66.7 the triplet feel (taken as exactly two thirds) and 75 the dotted one.

Grids begin at tick 0. Points that fall between ticks stay exact until a position is rounded, once, halves up.
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from consort_music.errors import MusicError, quoted

GRID_NAMES = ("1/4", "1/8", "1/16", "1/32", "1/4t", "1/8t", "1/16t", "1/32t")
"""The usual ones, for messages; whole, half and sixty-fourth notes are grids too."""
GRID_PATTERN = r"^1/(1|2|4|8|16|32|64)t?$"
STRAIGHT = Fraction(1, 2)
_MAX_SWING = Fraction(3, 4)
_TRIPLET_SWING = Fraction(2, 3)
_NEAR_TRIPLET = Fraction(1, 1000)


class Grid(NamedTuple):
    """`step` in quarter notes; `swing` is the first step's share of each pair."""

    step: Fraction
    swing: Fraction = STRAIGHT


def parse_grid(name: str, swing: float | Fraction = 50) -> Grid:
    """The grid of a name such as `1/16` or `1/8t`, and of a swing in percent; raises INVALID_GRID."""
    if not re.fullmatch(GRID_PATTERN, name):
        raise MusicError(
            "INVALID_GRID", f"{quoted(name)} is not a grid. Write one such as {', '.join(GRID_NAMES)}.", GRID_NAMES
        )
    step = Fraction(4, int(name[2:].rstrip("t")))
    return Grid(step * Fraction(2, 3) if name.endswith("t") else step, parse_swing(swing))


def parse_swing(percent: float | Fraction) -> Fraction:
    """The share that the first of two steps takes; raises INVALID_GRID outside of 50 to 75 percent."""
    share = exact(percent) / 100
    if not STRAIGHT <= share <= _MAX_SWING:
        raise MusicError(
            "INVALID_GRID",
            f"Swing must be from 50 (straight) to 75 percent, not {float(percent):g}. Example: 66.7.",
            ["66.7"],
        )
    return _TRIPLET_SWING if abs(share - _TRIPLET_SWING) < _NEAR_TRIPLET else share


def exact(number: float | Fraction) -> Fraction:
    """A float means the decimal it prints as: 0.1 is 1/10."""
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)


def half_up(number: Fraction) -> int:
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


class TickGrid:
    """A grid laid over ticks. All its numbers are integers, in parts of a tick so small that each point is whole."""

    def __init__(self, grid: Grid, ppq: int) -> None:
        step = grid.step * ppq
        swung = 2 * step * grid.swing
        self._parts = lcm(step.denominator, swung.denominator)
        self._step = int(step * self._parts)
        self._swung = int(swung * self._parts)  # where the second point of each pair is
        self._is_straight = grid.swing == STRAIGHT
        self.period = (2 * step).numerator
        """After so many ticks the grid repeats: all that is said of a tick holds for those so far on."""

    def nearest(self, tick: int) -> Fraction:
        """The grid point next to a tick; of two as near, the later."""
        return Fraction(self._nearest(tick * self._parts), self._parts)

    def after(self, tick: int) -> int:
        """The first tick of the grid that is later than `tick`."""
        pair = 4 * self._step  # in halves of parts: a point rounds to a later tick from half a tick on
        earliest = (2 * tick + 1) * self._parts
        rest = earliest % pair
        point = 0 if rest == 0 else 2 * self._swung if rest <= 2 * self._swung else pair
        return half_up(Fraction(earliest - rest + point, 2 * self._parts))

    def move(self, tick: int, strength: float | Fraction = 1) -> int:
        """Go that share of the way to the nearest point: 0 stays, 1 arrives."""
        return self._mover(exact(strength))(tick)

    def move_all(self, ticks: Sequence[int], strength: float | Fraction = 1) -> list[int]:
        """`move` for many ticks, fast where they come in order."""
        share = exact(strength)
        if share == 0:
            return list(ticks)
        if share == 1 and self._parts == 1 and self._is_straight:
            step, two_steps = self._step, 2 * self._step
            return [(tick + tick + step) // two_steps * step for tick in ticks]
        move = self._mover(share)
        known, place = -1, -1
        places: list[int] = []
        for tick in ticks:
            if tick != known:
                known, place = tick, move(tick)
            places.append(place)
        return places

    def _nearest(self, at: int) -> int:
        step = self._step
        if self._is_straight:
            return (2 * at + step) // (2 * step) * step
        pair, rest = divmod(at, 2 * step)
        if 2 * rest < self._swung:
            point = 0
        elif 2 * rest < self._swung + 2 * step:
            point = self._swung
        else:
            point = 2 * step
        return pair * 2 * step + point

    def _mover(self, share: Fraction) -> Callable[[int], int]:
        parts, nearest = self._parts, self._nearest
        toward, whole = share.numerator, share.denominator
        scale = parts * whole

        def move(tick: int) -> int:
            at = tick * parts
            return (2 * (at * (whole - toward) + nearest(at) * toward) + scale) // (2 * scale)

        return move


def swing_ticks(ticks: Sequence[int], grid: Grid, ppq: int) -> list[int]:
    """Straight time bent into swing: in each pair of steps the first is stretched to its share, the second squeezed.

    What is on a point of the straight grid comes to the swung one; what is between keeps its proportion.
    """
    step = grid.step * ppq
    parts, half = step.denominator, step.numerator  # positions in parts of a tick, so that a step is whole
    pair = 2 * half
    share, of = grid.swing.numerator, grid.swing.denominator
    scale = parts * of
    bent: list[int] = []
    known, place = -1, -1
    for tick in ticks:
        if tick != known:
            rest = tick * parts % pair
            start = (tick * parts - rest) * of
            moved = rest * 2 * share if rest < half else pair * share + (rest - half) * 2 * (of - share)
            known, place = tick, (2 * (start + moved) + scale) // (2 * scale)
        bent.append(place)
    return bent
