"""Place onsets on the grid of the player's own beat: which fraction of a beat each one is meant to be, and how many
seconds it is early or late.

1. A first position, in beats, comes from the tracked beats.
2. All onsets of a beat are rounded together to halves, thirds, quarters or sixths of it: to the division with the least
   cost: the sum of (deviation / TYPICAL_DEVIATION)² / 2 over the onsets (linear when large), plus the cost of the
   division. Fine divisions cost more, because anything is near a fine grid, and so do those that are rare here.
3. The grid is fitted again around each onset: a line through the times and positions of the onsets within four beats,
   weighted by nearness (tricube) and so that single wrong ones do not pull it (bisquare). So a player who speeds up
   gradually is not wrong. Steps 2 and 3 are repeated.

The deviation is the time of the onset less the time of its position on the line; negative is early.
"""

from typing import NamedTuple

import numpy as np

from consort_audio.signals.arrays import Numbers

DIVISIONS = {1: 0.0, 2: 0.7, 3: 2.5, 4: 2.3, 6: 5.5}
"""The parts of a beat, and the cost of such a division."""
SAME_DIVISION_BONUS = 1.0
"""How much cheaper a division is that the beat before had."""
TYPICAL_DEVIATION = 0.025
"""In seconds."""
REACH = 4.0
"""In beats: how far the fit looks to each side."""
TEMPO_STIFFNESS = 1.5
"""The weight of the tracked tempo in the fit, in onsets: it decides where there are few."""
_LINEAR_FROM = 2.0
"""In typical deviations: from here on the cost grows linearly (Huber), because a very late note is possible too."""
_SHARED_PLACE = 4.0
"""The cost of an onset on a place that another one has."""
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
    """Round all onsets of a beat to its cheapest division. A beat reaches from 1/8 before it to 1/8 before the next.

    This is done twice: the second time, divisions that few beats have cost more, by -log of their share.
    """
    beat_of = np.floor(positions + 0.125).astype(int)
    beats = np.split(np.arange(len(beat_of)), np.flatnonzero(np.diff(beat_of)) + 1)
    misses = [_misses(positions[members] - beat_of[members[0]], periods[members]) for members in beats]
    costs = dict(DIVISIONS)
    chosen = [1] * len(beats)
    for _ in range(2):
        for index, costs_here in enumerate(misses):
            before = chosen[index - 1] if index else 0
            chosen[index] = min(
                DIVISIONS, key=lambda each: costs_here[each] + costs[each] - SAME_DIVISION_BONUS * (each == before)
            )
        shares = {each: (chosen.count(each) + 0.5) / (len(chosen) + 1) for each in DIVISIONS}
        costs = {each: cost - (np.log(shares[each]) if each > 1 else 0) for each, cost in DIVISIONS.items()}
    rounded = np.empty_like(positions)
    for members, division in zip(beats, chosen, strict=True):
        beat = beat_of[members[0]]
        rounded[members] = beat + np.round((positions[members] - beat) * division) / division
    return np.maximum.accumulate(rounded)


def _misses(fractions: Numbers, periods: Numbers) -> dict[int, float]:
    """Return for each division what it costs that the onsets of a beat are not on it."""
    found = {}
    for division in DIVISIONS:
        steps = np.round(fractions * division)
        miss = np.abs(fractions - steps / division) * periods / TYPICAL_DEVIATION
        cost = np.where(miss < _LINEAR_FROM, miss**2 / 2, _LINEAR_FROM * (miss - _LINEAR_FROM / 2))
        found[division] = float(cost.sum()) + _SHARED_PLACE * (len(steps) - len(np.unique(steps)))
    return found


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
