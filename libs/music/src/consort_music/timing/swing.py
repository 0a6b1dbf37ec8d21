"""Swing: read its percentage, and move straight ticks to swing.

The swing is the length of the first step as a share of each pair of steps. It is given in percent, as on drum machines:
50 is straight, 66.7 is the triplet feel (taken as exactly two thirds), 75 is the dotted feel.
"""

from collections.abc import Sequence
from fractions import Fraction

from consort_music.beats import exact_fraction
from consort_music.errors import MusicError

STRAIGHT = Fraction(1, 2)
_MAX_SWING = Fraction(3, 4)
_TRIPLET_SWING = Fraction(2, 3)
_NEAR_TRIPLET = Fraction(1, 1000)
"""A swing this near to two thirds is taken as two thirds."""


def parse_swing(percent: float | Fraction) -> Fraction:
    """Return the swing as a share: 60 becomes 3/5. Raise INVALID_GRID if it is not from 50 to 75 percent."""
    share = exact_fraction(percent) / 100
    if not STRAIGHT <= share <= _MAX_SWING:
        raise MusicError(
            "INVALID_GRID",
            f"Swing must be from 50 (straight) to 75 percent, not {float(percent):g}. Example: 66.7.",
            ["66.7"],
        )
    return _TRIPLET_SWING if abs(share - _TRIPLET_SWING) < _NEAR_TRIPLET else share


def swing_ticks(ticks: Sequence[int], step: Fraction, swing: Fraction) -> list[int]:
    """Return straight ticks moved to swing. `step` is in ticks; `swing` is a share, as `parse_swing` returns it.

    In each pair of steps the first is stretched and the second compressed. Ticks on the straight grid move to the swung
    grid. Ticks between two grid points keep their relative position between them.
    """
    parts, half = step.denominator, step.numerator  # parts of a tick, so that a step is a whole number of them
    pair = 2 * half
    share, whole = swing.numerator, swing.denominator
    scale = parts * whole
    swung: list[int] = []
    last_tick, new_tick = -1, -1
    for tick in ticks:
        if tick != last_tick:
            rest = tick * parts % pair
            start = (tick * parts - rest) * whole
            moved = rest * 2 * share if rest < half else pair * share + (rest - half) * 2 * (whole - share)
            last_tick, new_tick = tick, (2 * (start + moved) + scale) // (2 * scale)
        swung.append(new_tick)
    return swung
