"""Rhythmic grids: read their names and find the grid point nearest to a tick.

A grid is named by its note value, such as `1/16`. A `t` means triplets: `1/8t` has three points in a quarter note. A
grid may be swung: its second, fourth, sixth … points are then later (see `swing`).

Grids start at tick 0. The arithmetic is exact, also for grid points between two ticks. A position is rounded to a tick
only once, at the end; halves round up.
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from consort_music.beats import exact_fraction, round_half_up
from consort_music.errors import MusicError, quoted
from consort_music.timing.swing import STRAIGHT, parse_swing

GRID_NAMES = ("1/4", "1/8", "1/16", "1/32", "1/4t", "1/8t", "1/16t", "1/32t")
"""The usual grid names, shown in error messages. `GRID_PATTERN` also accepts whole, half and sixty-fourth notes."""
GRID_PATTERN = r"^1/(1|2|4|8|16|32|64)t?$"


class Grid(NamedTuple):
    """A grid. `step` is in quarter notes; `swing` is the length of the first step as a share of each pair of steps."""

    step: Fraction
    swing: Fraction = STRAIGHT


def parse_grid(name: str, swing: float | Fraction = 50) -> Grid:
    """Read a grid name such as `1/16` or `1/8t` and a swing in percent. Raise INVALID_GRID if one is not valid."""
    if not re.fullmatch(GRID_PATTERN, name):
        raise MusicError(
            "INVALID_GRID", f"{quoted(name)} is not a grid. Write one such as {', '.join(GRID_NAMES)}.", GRID_NAMES
        )
    step = Fraction(4, int(name[2:].rstrip("t")))
    return Grid(step * Fraction(2, 3) if name.endswith("t") else step, parse_swing(swing))


class TickGrid:
    """A grid on ticks. It counts in parts of a tick, chosen so that every grid point is a whole number of parts."""

    def __init__(self, grid: Grid, ppq: int) -> None:
        step = grid.step * ppq
        swung = 2 * step * grid.swing
        self._parts = lcm(step.denominator, swung.denominator)  # per tick
        self._step = int(step * self._parts)
        self._swung = int(swung * self._parts)  # from the first to the second point of each pair
        self._is_straight = grid.swing == STRAIGHT
        self.period = (2 * step).numerator
        """The grid repeats after this many ticks."""

    def nearest(self, tick: int) -> Fraction:
        """Return the grid point nearest to a tick. If two are equally near, return the later one."""
        return Fraction(self._nearest(tick * self._parts), self._parts)

    def after(self, tick: int) -> int:
        """Return the first tick after `tick` that is a rounded grid point."""
        pair = 4 * self._step  # measured in half parts, because a point at exactly half a tick rounds up
        earliest = (2 * tick + 1) * self._parts
        rest = earliest % pair
        point = 0 if rest == 0 else 2 * self._swung if rest <= 2 * self._swung else pair
        return round_half_up(Fraction(earliest - rest + point, 2 * self._parts))

    def move(self, tick: int, strength: float | Fraction = 1) -> int:
        """Return the tick moved towards the nearest point: not at all with strength 0, all the way with 1."""
        return self._mover(exact_fraction(strength))(tick)

    def move_all(self, ticks: Sequence[int], strength: float | Fraction = 1) -> list[int]:
        """Return many ticks moved as `move` does. Sorted ticks are faster, because equal ones are computed once."""
        share = exact_fraction(strength)
        if share == 0:
            return list(ticks)
        if share == 1 and self._parts == 1 and self._is_straight:
            step, two_steps = self._step, 2 * self._step
            return [(tick + tick + step) // two_steps * step for tick in ticks]
        move = self._mover(share)
        last_tick, new_tick = -1, -1
        moved: list[int] = []
        for tick in ticks:
            if tick != last_tick:
                last_tick, new_tick = tick, move(tick)
            moved.append(new_tick)
        return moved

    def _nearest(self, at: int) -> int:
        """Return the grid point nearest to `at`, both in parts of a tick."""
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
        """Return `move` for one strength, with integer arithmetic only."""
        parts, nearest = self._parts, self._nearest
        toward, whole = share.numerator, share.denominator
        scale = parts * whole

        def move(tick: int) -> int:
            at = tick * parts
            return (2 * (at * (whole - toward) + nearest(at) * toward) + scale) // (2 * scale)

        return move
