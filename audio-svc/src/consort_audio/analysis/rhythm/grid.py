"""Place onsets on the grid of the player's own beat: which fraction of a beat each one is meant to be, and how many
seconds it is early or late.

1. A first position, in beats, comes from the tracked beats.
2. All onsets of a beat are rounded together to halves, thirds, quarters or sixths of it: to the division with the least
   cost, which is the sum of (deviation / TYPICAL_DEVIATION)² / 2 over the onsets, plus the cost of the division. Fine
   divisions cost more, because anything is near a fine grid.
3. The grid is fitted again around each onset: a line through the times and positions of the onsets within four beats,
   weighted by nearness (tricube) and so that single wrong ones do not pull it (bisquare). So a player who speeds up
   gradually is not wrong. Steps 2 and 3 are repeated.

The deviation is the time of the onset less the time of its position on the line; negative is early.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

DIVISIONS = {1: 0.0, 2: 0.7, 3: 2.5, 4: 1.8, 6: 5.0}
"""The parts of a beat, and the cost of such a division."""
SAME_DIVISION_BONUS = 1.0
"""How much cheaper a division is that the beat before had."""
TYPICAL_DEVIATION = 0.025
"""In seconds."""
REACH = 4.0
"""In beats: how far the fit looks to each side."""
TEMPO_STIFFNESS = 1.5
"""The weight of the tracked tempo in the fit, in onsets: it decides where there are few."""
_ROUNDS = 3
_OUTLIER = 0.08
"""In seconds: an onset so far from the line does not count."""


class GridPlaces(NamedTuple):
    positions: Numbers
    """In beats after the first beat, on the grid."""
    deviations: Numbers
    """In seconds; negative is early."""
    seconds_per_beat: Numbers
    """The local tempo at each onset."""


def place_onsets(onsets: Numbers, beats: Numbers) -> GridPlaces:
    """Place onsets (seconds, ascending) on the grid of beats (seconds, at least two)."""
    raw = beat_positions(onsets, beats)
    slopes = _local_period(raw, beats)
    expected = raw
    positions = raw
    deviations = np.zeros_like(raw)
    for _ in range(_ROUNDS):
        positions = _round_to_grid(expected, slopes)
        deviations, slopes = _fit_lines(onsets, positions, slopes)
        expected = positions + deviations / slopes
    return GridPlaces(positions, deviations, slopes)


def beat_positions(times: Numbers, beats: Numbers) -> Numbers:
    """Return how many beats after the first beat each time is, by the distance between the beats around it."""
    index = np.clip(np.searchsorted(beats, times, side="right") - 1, 0, len(beats) - 2)
    positions: Numbers = index + (times - beats[index]) / (beats[index + 1] - beats[index])
    return positions


def _local_period(positions: Numbers, beats: Numbers) -> Numbers:
    """Return the mean length of the beats within `REACH` of each position."""
    last = len(beats) - 1
    low = np.clip(np.floor(positions - REACH), 0, max(0, last - 1)).astype(int)
    high = np.clip(np.ceil(positions + REACH), 1, last).astype(int)
    high = np.maximum(high, low + 1)
    period: Numbers = (beats[high] - beats[low]) / (high - low)
    return period


def _round_to_grid(positions: Numbers, periods: Numbers) -> Numbers:
    """Round all onsets of a beat to its cheapest division. A beat reaches from 1/8 before it to 1/8 before the next."""
    beat_of = np.floor(positions + 0.125).astype(int)
    rounded = np.empty_like(positions)
    before = 0
    for beat in np.unique(beat_of):
        members = np.flatnonzero(beat_of == beat)
        fractions, period = positions[members] - beat, periods[members]
        best = np.inf
        for division, cost in DIVISIONS.items():
            steps = np.round(fractions * division)
            miss = (fractions - steps / division) * period
            total = cost + float(((miss / TYPICAL_DEVIATION) ** 2).sum()) / 2
            total += 4.0 * (len(members) - len(np.unique(steps)))  # two onsets on one place
            total -= SAME_DIVISION_BONUS * (division == before)
            if total < best - 1e-9:
                best, chosen, places = total, division, beat + steps / division
        rounded[members] = places
        before = chosen
    return rounded


def _fit_lines(onsets: Numbers, positions: Numbers, periods: Numbers) -> tuple[Numbers, Numbers]:
    """Return the deviation of each onset from the line through its neighbours, and the slope of the line."""
    deviations, slopes = np.empty_like(onsets), np.empty_like(onsets)
    low = np.searchsorted(positions, positions - REACH, side="left")
    high = np.searchsorted(positions, positions + REACH, side="right")
    for at in range(len(onsets)):
        near = slice(low[at], high[at])
        x, y = positions[near] - positions[at], onsets[near] - onsets[at]
        nearness = (1 - np.minimum(1, np.abs(x) / (REACH + 0.5)) ** 3) ** 3
        weight, offset, slope = nearness, 0.0, periods[at]
        for _ in range(_ROUNDS):
            offset, slope = _line(x, y, weight, periods[at])
            miss = np.minimum(1, np.abs(y - offset - slope * x) / _OUTLIER)
            weight = nearness * (1 - miss**2) ** 2 + 1e-6
        deviations[at], slopes[at] = -offset, slope
    return deviations, slopes


def _line(x: Numbers, y: Numbers, weight: Numbers, period: float) -> tuple[float, float]:
    """Return offset and slope of the weighted least-squares line, with `TEMPO_STIFFNESS` onsets' weight on `period`."""
    total = weight.sum()
    mean_x, mean_y = (weight * x).sum() / total, (weight * y).sum() / total
    variance = (weight * (x - mean_x) ** 2).sum()
    covariance = (weight * (x - mean_x) * (y - mean_y)).sum()
    slope = (covariance + TEMPO_STIFFNESS * period) / (variance + TEMPO_STIFFNESS)
    return float(mean_y - slope * mean_x), float(slope)
