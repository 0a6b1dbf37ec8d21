"""Contours as curves, and a measure of how well a melody follows one.

Time and height are numbers from 0 to 1. A melody follows a contour if the correlation (Pearson's) of its pitches with
the heights of the curve at their onsets is at least 0.5, and if it meets the further conditions of the contour:

    arch         rises until 60% of the time, then falls; the highest note begins between 40% and 80%, and the last note
                 is in the lower half
    ascending    rises; the last note is above the first
    descending   falls; the last note is below the first
    wave         changes direction every two measures (at least once); it may begin upward or downward
    static       has no curve and no correlation; all notes are within a fifth, and the mean move is at most 2.5
                 semitones
"""

import itertools
from collections.abc import Sequence

from consort_compose.composer.melody.engine.request_and_result import Contour, NoteTiming

GOOD_FIT = 0.5
"""The smallest fit of a melody that follows its contour."""
_PEAK = 0.6
"""The time at which an arch is highest."""
_STATIC_RANGE, _STATIC_MOVE = 7, 2.5
"""The widest range and the largest mean move of a static melody, in semitones."""


def curve(contour: Contour, time: float, half_wave: float) -> float:
    """Return the height of a contour at a time. `half_wave` is the result of the function of that name."""
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
    """Return how long a wave keeps one direction, as a share of the melody: two measures, but at most half of it."""
    return min(0.5, 2 / measures)


def relative_times(timings: Sequence[NoteTiming]) -> list[float]:
    """Return the onset of each note as a share of the melody's length."""
    begin = timings[0].onset
    length = timings[-1].onset + timings[-1].duration - begin
    return [float((timing.onset - begin) / length) for timing in timings]


def contour_fit(contour: Contour, times: Sequence[float], pitches: Sequence[int], measures: int) -> float:
    """Return how well pitches follow a contour; 1 is an exact fit.

    The result is at least GOOD_FIT if and only if the melody follows the contour as defined above.
    """
    if contour == "static":
        moves = [abs(b - a) for a, b in itertools.pairwise(pitches)]
        wide = max(0, max(pitches) - min(pitches) - _STATIC_RANGE) / 12
        far = max(0.0, (sum(moves) / len(moves) if moves else 0.0) - _STATIC_MOVE) / 4
        return 1.0 - min(1.0, wide + far) if wide == far == 0 else GOOD_FIT - min(GOOD_FIT, 0.01 + wide + far)
    found = correlation([curve(contour, time, half_wave(measures)) for time in times], pitches)
    if contour == "wave":
        return abs(found)
    ends = pitches[-1] - pitches[0]
    is_kept = {
        "ascending": ends > 0,
        "descending": ends < 0,
        "arch": 0.4 <= times[max(range(len(pitches)), key=lambda index: pitches[index])] <= 0.8
        and 2 * pitches[-1] <= max(pitches) + min(pitches),
    }[contour]
    return found if is_kept else min(found, GOOD_FIT - 0.01)


def correlation(left: Sequence[float], right: Sequence[float]) -> float:
    """Return Pearson's correlation, or 0 if one side is constant."""
    count = len(left)
    left_mean, right_mean = sum(left) / count, sum(right) / count
    together = sum((a - left_mean) * (b - right_mean) for a, b in zip(left, right, strict=True))
    left_square = sum((a - left_mean) ** 2 for a in left)
    right_square = sum((b - right_mean) ** 2 for b in right)
    if left_square < 1e-12 or right_square < 1e-12:
        return 0.0
    return float(together / (left_square * right_square) ** 0.5)


def worst_measure(contour: Contour, timings: Sequence[NoteTiming], pitches: Sequence[int], measures: int) -> int:
    """Return the measure with the note that is furthest from the curve."""
    low, high = min(pitches), max(pitches)
    span = max(1, high - low)
    wave = half_wave(measures)
    distances: dict[int, float] = {}
    for timing, time, pitch in zip(timings, relative_times(timings), pitches, strict=True):
        distance = abs((pitch - low) / span - curve(contour, time, wave))
        distances[timing.measure] = max(distance, distances.get(timing.measure, 0.0))
    return max(distances, key=lambda measure: distances[measure])
