"""Find the bars: which beats are the first of a bar, and how many beats a bar has.

Each beat gets a log likelihood ratio of being a downbeat from what happens there: a low bass note, long notes, many
notes, a loud note, a change of harmony, a sustain pedal that is lifted. A Viterbi search over the position in the bar,
for each length of the bar, then explains all beats together; it may cut a bar short at a cost. The length with the best
score is the metre. The weights are a logistic regression (`benchmarks/training/train_performance_reading.py`); those of
long notes (1.5 times) and of harmony (twice) were then raised. The weight of the pedal and the cost of a cut where
beats were tracked were chosen on the `tune` part, played at five speeds.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote

EVIDENCE = ("onset", "bass", "count", "velocity", "length", "harmony", "harmony of two", "new bass", "lowest", "pedal")
WEIGHTS = (-0.17, 0.05, 0.23, 0.0, 0.54, 0.5, 0.3, 0.04, 0.07, 0.1)
"""The log odds per standard deviation of each kind of evidence."""
BIAS = -0.03
LENGTH_PRIORS = {1: -4.0, 2: -1.0, 3: -1.3, 4: -1.1}
"""Log prior probabilities of the beats in a bar."""
CUT_OF_TRACKED, CUT_OF_GIVEN, CUT_OF_STEADY = -3.0, -6.0, -18.0
"""The log probability that a bar is cut short after any beat. Where beats are steady, none was lost or added; where
they were given, few."""
_LIFTED_BEFORE_S, _LIFTED_AFTER_S = 0.06, 0.12
"""The pedal is lifted for the harmony of a beat from so long before it to so long after it."""
_FEWEST_LIFTS = 10
"""With fewer lifts in the whole piece, the pedal says nothing."""
_CERTAIN = 1000.0


class BarReading(NamedTuple):
    beats_per_bar: int
    downbeats: list[int]
    """Indexes of beats, sorted."""
    margin: float
    """How much better this metre is than the second best, in nats."""
    second: int
    """The beats per bar of the second best metre."""


def beat_evidence(
    notes: Sequence[PerformedNote], moments: Sequence[Moment], beats: Sequence[float], lifts: Sequence[float]
) -> list[list[float]]:
    """Return the evidence at each beat, in the order of EVIDENCE, scaled to mean 0 and deviation 1.

    `lifts` has the seconds at which the sustain pedal is lifted.
    """
    times = [moment.time for moment in moments]
    period = [max(after - before, 0.05) for before, after in pairwise(beats)] or [0.5]
    period.append(period[-1])
    chroma = _chroma(notes, beats)
    rows: list[list[float]] = []
    bass_before = 60.0
    for place, beat in enumerate(beats):
        reach = min(0.12 * period[place], 0.09)
        first = bisect_left(times, beat - reach)
        here: list[int] = []
        while first < len(times) and times[first] <= beat + reach:
            here.extend(moments[first].notes)
            first += 1
        last = bisect_left(times, beat + 0.9 * period[place])
        inside = [index for moment in moments[first:last] for index in moment.notes]
        lowest = min((notes[index].pitch for index in here), default=72)
        lowest_inside = min((notes[index].pitch for index in inside), default=72)
        length = max((notes[index].end - notes[index].onset for index in here), default=0.05)
        rows.append(
            [
                float(bool(here)),
                -float(lowest),
                math.log(1 + len(here)),
                float(max((notes[index].velocity for index in here), default=40)),
                math.log(max(length, 0.05) / period[place]),
                _difference(chroma[place], chroma[place + 1]),
                _difference(_sum(chroma[max(place - 1, 0) : place + 1]), _sum(chroma[place + 1 : place + 3])),
                float(bool(here)) * min(abs(lowest - bass_before), 12.0),
                float(lowest < lowest_inside),
                float(len(lifts) >= _FEWEST_LIFTS and _is_lifted(lifts, beat)),
            ]
        )
        if here:
            bass_before = float(lowest)
    return _standardized(rows)


def find_bars(
    evidence: Sequence[Sequence[float]], lengths: Sequence[int], downbeat: int | None, cut: float
) -> BarReading:
    """Return the bars that explain the evidence best.

    `downbeat` is a beat that is known to begin a bar. `cut` is the log probability that a beat cuts a bar short.
    """
    odds = [BIAS + sum(weight * value for weight, value in zip(WEIGHTS, row, strict=True)) for row in evidence]
    if downbeat is not None and 0 <= downbeat < len(odds):
        odds[downbeat] = _CERTAIN
    found = []
    for length in lengths:
        score, downbeats = _path(odds, length, cut)
        found.append((score + LENGTH_PRIORS.get(length, -3.0), length, downbeats))
    found.sort(key=lambda each: each[0], reverse=True)
    best = found[0]
    second = found[1] if len(found) > 1 else best
    return BarReading(best[1], best[2], best[0] - second[0], second[1])


def _path(odds: list[float], length: int, cut_cost: float) -> tuple[float, list[int]]:
    """Return the score of the best path of positions in bars of one length, and its downbeats."""
    if length == 1:
        return sum(odds), list(range(len(odds)))
    state = [0.0] * length
    origins: list[int] = []
    for beat, gain in enumerate(odds):
        if beat:
            best = max(range(length), key=state.__getitem__)
            arrive = state[length - 1]
            cut = best != length - 1 and state[best] + cut_cost > arrive
            origins.append(best if cut else length - 1)
            state = [state[best] + cut_cost if cut else arrive, *state[: length - 1]]
        state[0] += gain
    at = max(range(length), key=state.__getitem__)
    total = state[at]
    found = []
    for beat in range(len(odds) - 1, -1, -1):
        if at == 0:
            found.append(beat)
            at = origins[beat - 1] if beat else 0
        else:
            at -= 1
    return total, found[::-1]


def _is_lifted(lifts: Sequence[float], beat: float) -> bool:
    place = bisect_left(lifts, beat - _LIFTED_BEFORE_S)
    return place < len(lifts) and lifts[place] < beat + _LIFTED_AFTER_S


def _chroma(notes: Sequence[PerformedNote], beats: Sequence[float]) -> list[list[float]]:
    """Return how long each pitch class sounds before the first beat and from each beat to the next."""
    rows = [[0.0] * 12 for _ in range(len(beats) + 1)]
    for note in notes:
        if note.is_drum:
            continue
        at = bisect_left(beats, note.onset + 0.05)
        end = min(note.end, note.onset + 4.0)
        start = note.onset
        while start < end and at <= len(beats):
            until = min(end, beats[at]) if at < len(beats) else end
            rows[at][note.pitch % 12] += max(until - start, 0.02)
            start = max(until, start + 1e-6)
            at += 1
    return rows


def _sum(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)] or [0.0] * 12


def _difference(first: Sequence[float], second: Sequence[float]) -> float:
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    norm = math.sqrt(sum(a * a for a in first) * sum(b * b for b in second))
    return 1 - dot / norm if norm > 0 else 0.5


def _standardized(rows: list[list[float]]) -> list[list[float]]:
    if not rows:
        return rows
    columns = []
    for column in zip(*rows, strict=True):
        mean = sum(column) / len(column)
        deviation = math.sqrt(sum((value - mean) ** 2 for value in column) / len(column)) or 1.0
        columns.append([(value - mean) / deviation for value in column])
    return [list(row) for row in zip(*columns, strict=True)]
