"""Fit the times at which the player plays the music: a robust smoother with breaks.

Given the written times s and the played times t of matched onsets, find the times c that a steady player with the same
tempo changes would have played. c minimises

    sum w(t - c) (t - c)^2 / NOISE^2  +  sum (r[k+1] - r[k])^2 / (DRIFT^2 (s[k+2] - s[k]) / 2)

where r[k] = (c[k+1] - c[k]) / (s[k+1] - s[k]) is the tempo relative to the mean, and w are Tukey's bisquare weights
(iteratively reweighted least squares). So slow changes of tempo are followed, and a single early or late note is not.

A break is where the player waits or runs ahead and the time is not made up in the next intervals: both sides get their
own curve.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import numpy as np

from consort_audio.signals.arrays import Numbers

_NOISE_S = 0.02
_DRIFT = 0.06
"""The usual change of the relative tempo in one second."""
_ROUNDS = 12
_REACH = 4.7
"""Onsets farther than this many deviations from the curve have no weight."""
_LEAST_SCATTER_S = 0.012
_BREAK_S = 0.11
_BREAK_SHARE = 0.3
_MADE_UP = 0.5


class TempoBreak(NamedTuple):
    """The player waited (positive) or ran ahead before this onset, in seconds."""

    onset: int
    seconds: float


class TempoCurve:
    """Maps written times to the times of the player, in seconds."""

    def __init__(self, written: Sequence[float], played: Sequence[float]) -> None:
        """Fit the curve. `written` increases; both have the same length, at least one."""
        self._written = np.asarray(written, np.float64)
        self._played = np.asarray(played, np.float64)
        self.tempo = _median_tempo(self._written, self._played)
        """Played seconds per written second, the median."""
        self.breaks = _find_breaks(self._written, self._played)
        edges = [0, *(each.onset for each in self.breaks), len(self._written)]
        self._parts = list(pairwise(edges))
        self._fitted = np.concatenate(
            [_fit(self._written[begin:end], self._played[begin:end], self.tempo) for begin, end in self._parts]
        )

    def at(self, written: float) -> float:
        """Return the player's time of a written time. Between two parts it belongs to the later one's start."""
        place = int(np.searchsorted(self._written, written + 1e-9, side="right")) - 1
        part = next((each for each in self._parts if each[0] <= place < each[1]), self._parts[0])
        return self._in_part(written, part)

    def break_times(self) -> list[tuple[float, float]]:
        """Return for each break the written time of the first onset after it, and the seconds waited."""
        return [(float(self._written[each.onset]), each.seconds) for each in self.breaks]

    def _in_part(self, written: float, part: tuple[int, int]) -> float:
        xs, ys = self._written[part[0] : part[1]], self._fitted[part[0] : part[1]]
        if written <= xs[0]:
            return float(ys[0] - (xs[0] - written) * self._slope(xs, ys, 0))
        if written >= xs[-1]:
            return float(ys[-1] + (written - xs[-1]) * self._slope(xs, ys, -1))
        return float(np.interp(written, xs, ys))

    def _slope(self, xs: Numbers, ys: Numbers, side: int) -> float:
        """Return the tempo at an edge, from the nearest onsets at least a second away if there are any."""
        if len(xs) < 3:
            return self.tempo
        far = np.flatnonzero(np.abs(xs - xs[side]) >= 1.0)
        other = (far[0] if side == 0 else far[-1]) if len(far) else (len(xs) - 1 if side == 0 else 0)
        return float((ys[other] - ys[side]) / (xs[other] - xs[side]))

    def local_tempo(self, written: float) -> float:
        """Return the player's seconds per written second around a time."""
        return max((self.at(written + 0.5) - self.at(written - 0.5)), 1e-3) if not self.breaks else self._near(written)

    def _near(self, written: float) -> float:
        place = max(int(np.searchsorted(self._written, written + 1e-9, side="right")) - 1, 0)
        part = next((each for each in self._parts if each[0] <= place < each[1]), self._parts[0])
        return max(self._in_part(written + 0.5, part) - self._in_part(written - 0.5, part), 1e-3)


def _median_tempo(written: Numbers, played: Numbers) -> float:
    if len(written) < 2:
        return 1.0
    gaps, heard = np.diff(written), np.diff(played)
    usable = gaps > 1e-3
    ratios = heard[usable] / gaps[usable]
    if not len(ratios):
        return 1.0
    order = np.argsort(ratios)
    weights = np.cumsum(gaps[usable][order])
    return float(max(ratios[order][np.searchsorted(weights, weights[-1] / 2)], 1e-3))


def _find_breaks(written: Numbers, played: Numbers) -> list[TempoBreak]:
    gaps, heard = np.diff(written), np.diff(played)
    count = len(gaps)
    if count < 4:
        return []
    ratios = (heard / np.maximum(gaps, 1e-3)).tolist()
    breaks: list[TempoBreak] = []
    for index in range(count):
        local = median(ratios[max(0, index - 4) : index] + ratios[index + 1 : index + 5])
        excess = heard[index] - local * gaps[index]
        limit = max(_BREAK_S, _BREAK_SHARE * local * min(gaps[index], 1.0))
        later = heard[index + 1 : index + 3] - local * gaps[index + 1 : index + 3]
        earlier = heard[max(index - 2, 0) : index] - local * gaps[max(index - 2, 0) : index]
        if abs(excess) < limit or len(later) < 2 or index < 1:
            continue
        made_up = -np.sign(excess) * np.array(
            [later[0], later.sum(), *((earlier[-1], earlier.sum()) if len(earlier) else ())]
        )
        if made_up.max() > _MADE_UP * abs(excess):
            continue
        if breaks and index + 1 - breaks[-1].onset < 2:
            continue
        breaks.append(TempoBreak(index + 1, float(excess)))
    return breaks


def _fit(written: Numbers, played: Numbers, tempo: float) -> Numbers:
    """Return the smoothed times of one part."""
    count = len(written)
    if count == 1:
        return played.copy()
    if count == 2:
        middle, half = played.mean(), tempo * (written[1] - written[0]) / 2
        ratio = (played[1] - played[0]) / max(written[1] - written[0], 1e-3) / tempo
        return played.copy() if 0.8 < ratio < 1.25 else np.array([middle - half, middle + half])
    gaps = np.maximum(np.diff(written), 1e-3)
    # rows of the second difference of c: tempo[k+1] - tempo[k]
    penalty = 1 / (_DRIFT * tempo) ** 2 / np.maximum((written[2:] - written[:-2]) / 2, 0.05)
    first, last = 1 / gaps[:-1], 1 / gaps[1:]
    rows = np.stack([first, -first - last, last])
    weights = np.ones(count)
    curve = played
    for turn in range(_ROUNDS):
        curve = _solve(rows, penalty, weights / _NOISE_S**2, played)
        residuals = played - curve
        scatter = max(1.4826 * float(np.median(np.abs(residuals))), _LEAST_SCATTER_S)
        if turn < 3:
            weights = 1 / np.maximum(1, np.abs(residuals) / scatter)
        else:
            weights = np.clip(1 - (residuals / (_REACH * scatter)) ** 2, 1e-4, 1) ** 2
    return curve


def _solve(rows: Numbers, penalty: Numbers, weights: Numbers, played: Numbers) -> Numbers:
    """Solve (W + D'PD) c = W t, a system with five diagonals, by Gaussian elimination without pivots."""
    count = len(played)
    main, upper, second = weights.copy(), np.zeros(count), np.zeros(count)
    main[:-2] += penalty * rows[0] ** 2
    main[1:-1] += penalty * rows[1] ** 2
    main[2:] += penalty * rows[2] ** 2
    upper[:-2] += penalty * rows[0] * rows[1]
    upper[1:-1] += penalty * rows[1] * rows[2]
    second[:-2] += penalty * rows[0] * rows[2]
    d, u, s = main.tolist(), upper.tolist(), second.tolist()
    right = (weights * played).tolist()
    for k in range(count - 1):
        factor = u[k] / d[k]
        d[k + 1] -= factor * u[k]
        u[k + 1] -= factor * s[k]
        right[k + 1] -= factor * right[k]
        if k + 2 < count:
            factor = s[k] / d[k]
            d[k + 2] -= factor * s[k]
            right[k + 2] -= factor * right[k]
    solved = [0.0] * count
    for k in range(count - 1, -1, -1):
        value = right[k]
        if k + 1 < count:
            value -= u[k] * solved[k + 1]
        if k + 2 < count:
            value -= s[k] * solved[k + 2]
        solved[k] = value / d[k]
    return np.array(solved)
