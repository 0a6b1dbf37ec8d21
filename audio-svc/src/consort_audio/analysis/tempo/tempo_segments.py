"""Divide a sequence of beats into parts of constant tempo, and judge whether the tempo is steady.

Within a part, beat number i falls on `start + i · period` (least squares). The division minimises

    sum of squared deviations / (2 · jitter²) + COST_OF_A_PART · number of parts     (optimal partitioning),

where the jitter is how far the beats of this player usually are from an even grid, so that a change shows soon in even
playing and uneven playing is no change. Then neighbouring parts whose tempos differ by less than `LEAST_CHANGE` are
joined. The tempo is steady if there is one part, and the local tempo (over four beats) stays within `STEADY_SPREAD` of
it (standard deviation, relative).
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from consort_audio.signals.arrays import Numbers

LEAST_JITTER, MOST_JITTER = 0.015, 0.025
"""In seconds: the limits of the jitter."""
JITTER_FACTOR = 2.0
"""The jitter is so many times the estimated standard deviation of a beat."""
COST_OF_A_PART = 18.0
LEAST_CHANGE = 0.04
STEADY_SPREAD = 0.035
SHORTEST_PART = 3
"""In beats."""
_MEDIAN_OF_NORMAL = 0.6745
"""The median distance from the mean of a normal distribution, in standard deviations."""
_FARTHEST = 600
"""In beats: a part longer than this is divided and joined again."""


class TempoPart(NamedTuple):
    first: int
    """Index of its first beat."""
    last: int
    """Index of its last beat, which is the first of the next part."""
    start: float
    """In seconds: the fitted time of the first beat."""
    period: float
    """In seconds per beat."""

    @property
    def bpm(self) -> float:
        return 60 / self.period


def tempo_parts(beats: Numbers) -> list[TempoPart]:
    """Return the parts of constant tempo in order. There must be at least two beats."""
    borders = _best_borders(beats)
    parts = [_fit(beats, first, last) for first, last in pairwise(borders)]
    while len(parts) > 1:
        changes = [abs(np.log(after.period / before.period)) for before, after in pairwise(parts)]
        least = int(np.argmin(changes))
        if changes[least] >= np.log1p(LEAST_CHANGE):
            break
        parts[least : least + 2] = [_fit(beats, parts[least].first, parts[least + 1].last)]
    return parts


def beat_jitter(beats: Numbers) -> float:
    """Return the jitter of beats in seconds, by the median of their second differences, which a few changes of tempo
    leave as it is."""
    if len(beats) < SHORTEST_PART:
        return MOST_JITTER
    deviation = float(np.median(np.abs(np.diff(beats, 2)))) / (_MEDIAN_OF_NORMAL * np.sqrt(6))
    return float(np.clip(JITTER_FACTOR * deviation, LEAST_JITTER, MOST_JITTER))


def local_tempo(beats: Numbers, span: int = 4) -> Numbers:
    """Return the tempo over `span` beats around each such span, in beats per minute."""
    span = min(span, len(beats) - 1)
    tempo: Numbers = 60 * span / (beats[span:] - beats[:-span])
    return tempo


def spread(beats: Numbers) -> float:
    """Return the relative standard deviation of the local tempo, without the most extreme tenth at each side."""
    tempo = np.sort(local_tempo(beats))
    kept = tempo[len(tempo) // 10 : len(tempo) - len(tempo) // 10]
    return float(kept.std() / kept.mean())


def is_steady(beats: Numbers, parts: list[TempoPart]) -> bool:
    """Say whether the tempo is one and the same."""
    return len(parts) == 1 and spread(beats) <= STEADY_SPREAD


def _best_borders(beats: Numbers) -> list[int]:
    """Return the indices of the beats where parts begin, and the last beat (optimal partitioning, Jackson 2005)."""
    count = len(beats)
    index = np.arange(count, dtype=float)
    sums = np.zeros((5, count + 1))
    for row, values in enumerate((np.ones(count), index, index**2, beats, beats * index)):
        sums[row, 1:] = np.cumsum(values)
    squares = np.concatenate([[0], np.cumsum(beats**2)])
    best = np.full(count, np.inf)
    best[0] = 0.0
    scale = 2 * beat_jitter(beats) ** 2
    came_from = np.zeros(count, np.int64)
    for last in range(1, count):
        low = max(0, last - _FARTHEST)
        firsts = np.arange(low, max(low, last - SHORTEST_PART) + 1 if last >= SHORTEST_PART else 1)
        n, sx, sxx, sy, sxy = (sums[:, last + 1, None] - sums[:, firsts]).astype(float)
        syy = squares[last + 1] - squares[firsts]
        vx, vy, vxy = sxx - sx**2 / n, syy - sy**2 / n, sxy - sx * sy / n
        error = np.maximum(0, vy - vxy**2 / np.maximum(vx, 1e-9))
        costs = best[firsts] + error / scale + COST_OF_A_PART
        choice = int(np.argmin(costs))
        best[last], came_from[last] = costs[choice], firsts[choice]
    borders = [count - 1]
    while borders[-1] > 0:
        borders.append(int(came_from[borders[-1]]))
    return borders[::-1]


def _fit(beats: Numbers, first: int, last: int) -> TempoPart:
    values = beats[first : last + 1]
    index = np.arange(len(values))
    period, start = np.polyfit(index, values, 1)
    return TempoPart(first, last, float(start), float(period))
