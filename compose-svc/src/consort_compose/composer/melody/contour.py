"""Contours as curves over the melody's time, and the numeric definition by which a melody has one.

Time runs from 0 to 1 and heights from 0 to 1. A melody has a contour where the correlation of its pitches with the
curve, at the onsets of its notes, is at least 0.5, and moreover

    arch         rises to 60% and falls; the highest note begins between 40% and 80%, and the last is in the lower half
    ascending    rises; the last note is above the first
    descending   falls; the last note is below the first
    wave         changes direction every two measures (at least once), upward first or downward first
    static       no curve: all notes within a fifth, and moves of 2.5 semitones in the mean at most
"""

import itertools
from collections.abc import Sequence

from consort_compose.composer.melody.request import Beat, Contour

ENOUGH = 0.5
_PEAK = 0.6
_STATIC_RANGE, _STATIC_MOVE = 7, 2.5


def curve(contour: Contour, time: float, half_wave: float) -> float:
    """The height from 0 to 1 that a contour has at a time from 0 to 1."""
    if contour == "ascending":
        return time
    if contour == "descending":
        return 1 - time
    if contour == "arch":
        return time / _PEAK if time <= _PEAK else (1 - time) / (1 - _PEAK)
    if contour == "wave":
        into = time / half_wave % 2
        return into if into <= 1 else 2 - into
    return 0.5


def half_wave(measures: int) -> float:
    """How long a wave goes one way, as a share of the melody: two measures, and at most half of it."""
    return min(0.5, 2 / measures)


def times(beats: Sequence[Beat]) -> list[float]:
    """When each note begins, from 0 to 1."""
    begin = beats[0].onset
    length = beats[-1].onset + beats[-1].duration - begin
    return [float((beat.onset - begin) / length) for beat in beats]


def fit(contour: Contour, moments: Sequence[float], pitches: Sequence[int], measures: int) -> float:
    """How well pitches at these times follow a contour: 1 exactly, ENOUGH or more as defined above, else less."""
    if contour == "static":
        moves = [abs(b - a) for a, b in itertools.pairwise(pitches)]
        wide = max(0, max(pitches) - min(pitches) - _STATIC_RANGE) / 12
        far = max(0.0, (sum(moves) / len(moves) if moves else 0.0) - _STATIC_MOVE) / 4
        return 1.0 - min(1.0, wide + far) if wide == far == 0 else ENOUGH - min(ENOUGH, 0.01 + wide + far)
    found = correlation([curve(contour, time, half_wave(measures)) for time in moments], pitches)
    if contour == "wave":
        return abs(found)
    ends = pitches[-1] - pitches[0]
    keeps = {
        "ascending": ends > 0,
        "descending": ends < 0,
        "arch": 0.4 <= moments[max(range(len(pitches)), key=lambda index: pitches[index])] <= 0.8
        and 2 * pitches[-1] <= max(pitches) + min(pitches),
    }[contour]
    return found if keeps else min(found, ENOUGH - 0.01)


def correlation(left: Sequence[float], right: Sequence[float]) -> float:
    """Pearson's; 0 where one of both is constant."""
    count = len(left)
    left_mean, right_mean = sum(left) / count, sum(right) / count
    together = sum((a - left_mean) * (b - right_mean) for a, b in zip(left, right, strict=True))
    left_square = sum((a - left_mean) ** 2 for a in left)
    right_square = sum((b - right_mean) ** 2 for b in right)
    if left_square < 1e-12 or right_square < 1e-12:
        return 0.0
    return float(together / (left_square * right_square) ** 0.5)


def worst_measure(contour: Contour, beats: Sequence[Beat], pitches: Sequence[int], measures: int) -> int:
    """The measure that is furthest from the curve."""
    low, high = min(pitches), max(pitches)
    span = max(1, high - low)
    wave = half_wave(measures)
    away: dict[int, float] = {}
    for beat, time, pitch in zip(beats, times(beats), pitches, strict=True):
        off = abs((pitch - low) / span - curve(contour, time, wave))
        away[beat.measure] = max(off, away.get(beat.measure, 0.0))
    return max(away, key=lambda measure: away[measure])
