"""How much each moment of a performance sounds like a beat: a log likelihood ratio from its notes.

A moment is compared with its neighbours: more notes, a lower bass, a louder note, longer notes, and the time to the
next and from the last moment. The weights are a logistic regression
(`benchmarks/training/train_performance_reading.py`).
"""

import math
from collections.abc import Sequence

from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote

_NEIGHBOURS = 8
_LOCAL = 3
FEATURES = ("count", "bass", "loudness", "length", "next", "last", "lowest")
WEIGHTS = (0.2, 0.33, 0.3, 1.3, -0.2, -0.35, 0.5)
BIAS = -0.1


def salience(notes: Sequence[PerformedNote], moments: Sequence[Moment]) -> list[float]:
    """Return the log likelihood ratio of each moment."""
    return [
        BIAS + sum(weight * value for weight, value in zip(WEIGHTS, row, strict=True))
        for row in moment_features(notes, moments)
    ]


def moment_features(notes: Sequence[PerformedNote], moments: Sequence[Moment]) -> list[tuple[float, ...]]:
    """Return the features of each moment, in the order of FEATURES."""
    times = [moment.time for moment in moments]
    lowest = [min(notes[index].pitch for index in moment.notes) for moment in moments]
    loudest = [max(notes[index].velocity for index in moment.notes) for moment in moments]
    counts = [len(moment.notes) for moment in moments]
    lengths = [
        math.log(max(notes[index].end - notes[index].onset for index in moment.notes) + 0.03) for moment in moments
    ]
    found: list[tuple[float, ...]] = []
    for place in range(len(moments)):
        begin, end = max(0, place - _NEIGHBOURS), min(len(moments), place + _NEIGHBOURS + 1)
        near = end - begin
        usual = (times[end - 1] - times[begin]) / max(1, near - 1) or 0.2
        after = times[place + 1] - times[place] if place + 1 < len(times) else 1.0
        before = times[place] - times[place - 1] if place else 1.0
        local = lowest[max(0, place - _LOCAL) : place + _LOCAL + 1]
        found.append(
            (
                math.log(counts[place] * near / sum(counts[begin:end])),
                (sum(lowest[begin:end]) / near - lowest[place]) / 12,
                (loudest[place] - sum(loudest[begin:end]) / near) / 16,
                lengths[place] - sum(lengths[begin:end]) / near,
                math.log((after + 0.02) / usual),
                math.log((before + 0.02) / usual),
                float(lowest[place] == min(local)),
            )
        )
    return found
