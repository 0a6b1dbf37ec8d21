"""Track the beats of a performance from its notes alone.

The moments of the performance are divided into segments: a segment leads from one moment on a beat to the next one, and
lasts one beat, or several if no note starts on the beats between. A semi-Markov Viterbi search finds the most probable
segments. The score of a segment is the sum of

- how well the moments inside fit a beat divided by two or by three: the log density of their places in the beat,
  which has peaks at the halves, thirds, quarters and so on (finer ones only in slow beats);
- how much the moment at its end sounds like a beat (`salience`);
- the prior probability of its tempo, of the change of tempo from the last segment, and of a change between division by
  two and by three;
- the cost of beats without a note.

At each moment the best few segments that end there are kept, so time is linear in the number of moments.

Reference: the model of beats as segments of a marked point process is ours; compare C. Raphael, "Automated rhythm
transcription" (2001), and E. Nakamura et al., "Rhythm transcription of polyphonic piano music" (2017).
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import NamedTuple

FASTEST_S, SLOWEST_S = 0.22, 1.9
"""The shortest and the longest beat."""
_STEPS = 96
"""Places in a beat for which densities are computed."""
_SPREAD_BEATS, _SPREAD_S = 0.043, 0.026
_FLOOR = 0.019
"""The share of moments that are anywhere in a beat."""
_ON_BEAT = 0.38
_FINE = 0.06
_BEAT_GAIN = 0.7
_MISSING = -2.27
_TEMPO_SPREAD = 0.117
_TEMPO_TAIL = 1.5
"""Changes of tempo beyond two deviations cost this much, and one more for each deviation."""
_USUAL_S, _USUAL_SPREAD = 0.56, 0.81
_DIVISION_CHANGE = 6.3
_SKIPPED = -3.0
_KEPT = 8
_SALIENCE = 1.5
"""The weight of the salience of moments."""
_LONGEST_START_S = 2.5
_FIRST_MOMENTS = 12
_FREE = 0.1
"""A beat without a note has no moment within this part of it."""
_SLOWEST_WRITTEN_S = 1.22
"""Slower beats than this are divided afterwards."""
_COUNTS = (1, 2, 3, 4)
_COUNTS_OF_GAP = (1, 2, 3, 4, 6, 8)


class TrackedBeats(NamedTuple):
    times: list[float]
    """The beats in seconds, from at or before the first moment to after the last."""
    is_ternary: list[bool]
    """For each beat but the last, whether it is read as divided by three."""


class _State(NamedTuple):
    score: float
    period: float
    division: int
    segment: int


class _Segment(NamedTuple):
    before: _State
    start: int
    end: int
    beats: int


@lru_cache(maxsize=1)
def _densities() -> list[tuple[tuple[list[float], list[float]], float]]:
    """Return, for each quarter octave of tempo, the log densities of places in the beat for both divisions, and the
    log density on the beat itself."""
    found = []
    for step in range(int(4 * math.log2(SLOWEST_S / FASTEST_S)) + 2):
        period = FASTEST_S * 2 ** (step / 4)
        spread = math.hypot(_SPREAD_BEATS, _SPREAD_S / period)
        fine = _FINE * min(1.0, max(0.05, (period - 0.3) / 0.7))
        quarters = 0.26 * min(1.0, max(0.15, (period - 0.1) / 0.6))
        sixths = 0.16 * min(1.0, max(0.1, (period - 0.15) / 0.7))
        by_two = {0.0: _ON_BEAT, 1 / 2: 0.30, 1 / 4: quarters / 2, 3 / 4: quarters / 2}
        by_two |= {number / 8: fine / 4 for number in (1, 3, 5, 7)}
        by_three = {0.0: _ON_BEAT, 1 / 3: 0.21, 2 / 3: 0.23}
        by_three |= {1 / 2: 0.4 * sixths, 1 / 6: 0.3 * sixths, 5 / 6: 0.3 * sixths}
        by_three |= {number / 12: fine / 6 for number in (1, 3, 5, 7, 9, 11)}
        tables = (_table(by_two, spread), _table(by_three, spread))
        found.append((tables, math.log(_ON_BEAT / sum(by_two.values()) / (spread * math.sqrt(2 * math.pi)))))
    return found


def _table(weights: dict[float, float], spread: float) -> list[float]:
    total = sum(weights.values())
    peaks = [*weights.items(), (1.0, weights[0.0])]
    row = []
    for step in range(_STEPS + 1):
        density = sum(
            weight * math.exp(-(((step / _STEPS - place) / spread) ** 2) / 2)
            / (total * spread * math.sqrt(2 * math.pi))
            for place, weight in peaks
        )  # fmt: skip
        row.append(math.log(_FLOOR + (1 - _FLOOR) * density))
    return row


def track_beats(times: Sequence[float], saliences: Sequence[float], usual: float | None = None) -> TrackedBeats:
    """Return the beats of moments at these times. `usual` is the length of a beat in seconds, if it is known."""
    if len(times) < 2:
        period = usual or 0.5
        start = times[0] if times else 0.0
        return TrackedBeats([start, start + period], [False])
    states, segments = _search(times, saliences, usual)
    last = _best_end(states)
    if last is None:
        return TrackedBeats([times[0] + number * 0.5 for number in range(int((times[-1] - times[0]) / 0.5) + 2)], [])
    path = []
    while last.segment >= 0:
        segment = segments[last.segment]
        path.append((segment, last.division))
        last = segment.before
    beats: list[float] = []
    ternary: list[bool] = []
    for segment, division in reversed(path):
        start, end = times[segment.start], times[segment.end]
        beats.extend(start + (end - start) * number / segment.beats for number in range(segment.beats))
        ternary.extend([division == 1] * segment.beats)
    beats.append(times[path[0][0].end])
    if usual is None and median(after - before for before, after in pairwise(beats)) > _SLOWEST_WRITTEN_S:
        beats, ternary = _divided(beats, ternary, times)
    return _extended(beats, ternary, times)


def _search(
    times: Sequence[float], saliences: Sequence[float], usual: float | None
) -> tuple[list[list[_State]], list[_Segment]]:
    count = len(times)
    states: list[list[_State]] = [[] for _ in times]
    segments: list[_Segment] = []
    densities = _densities()
    log_usual = math.log(usual or _USUAL_S)
    usual_scale = 1 / (2 * (_USUAL_SPREAD if usual is None else 0.25) ** 2)
    for start in range(count):
        begin = times[start]
        if start < _FIRST_MOMENTS and begin - times[0] < _LONGEST_START_S:
            states[start].append(_State((_SKIPPED / 2 - 0.3) * start, 0.0, 0, -1))
        if not states[start]:
            continue
        states[start].sort(reverse=True)
        kept = states[start][:_KEPT]
        logs = [(state, math.log(state.period) if state.period else None) for state in kept]
        for end in range(start + 1, count):
            span = times[end] - begin
            if span > 2 * SLOWEST_S and end > start + 1:
                break
            for beats in _COUNTS if end > start + 1 else _counts_of_gap(span):
                period = span / beats
                if period < FASTEST_S:
                    break
                if period > SLOWEST_S or (beats > 1 and not _are_free(times, start, end, beats, period)):
                    continue
                log_period = math.log(period)
                tables, peak = densities[int(4 * math.log2(period / FASTEST_S) + 0.5)]
                by_two, by_three = tables
                fits = [0.0, 0.0]
                scale = _STEPS / period
                for inner in range(start + 1, end):
                    place = int(((times[inner] - begin) * scale) % _STEPS + 0.5)
                    fits[0] += by_two[place]
                    fits[1] += by_three[place]
                common = peak + _BEAT_GAIN + _SALIENCE * saliences[end] + _MISSING * (beats - 1)
                common -= beats * (log_period - log_usual) ** 2 * usual_scale
                for division, (score, before) in enumerate(_best_before(logs, log_period)):
                    segments.append(_Segment(before, start, end, beats))
                    state = _State(score + common + fits[division], period, division, len(segments) - 1)
                    states[end].append(state)
    return states, segments


def _counts_of_gap(span: float) -> tuple[int, ...]:
    """Return how many beats a time without notes may last; after a long pause the tempo is a usual one."""
    return _COUNTS_OF_GAP if span <= _COUNTS_OF_GAP[-1] * SLOWEST_S else (round(span / _USUAL_S),)


def _best_before(logs: list[tuple[_State, float | None]], log_period: float) -> list[tuple[float, _State]]:
    """Return, for each division, the best score of arriving from one of the states before, and that state."""
    best, found = [-math.inf, -math.inf], [logs[0][0], logs[0][0]]
    for state, log_before in logs:
        score = state.score
        if log_before is None:
            scores = (score, score)
        else:
            change = abs(log_period - log_before) / _TEMPO_SPREAD
            score -= change * change / 2 if change <= 2 else change + _TEMPO_TAIL
            other = score - _DIVISION_CHANGE
            scores = (other, score) if state.division else (score, other)
        for division in (0, 1):
            if scores[division] > best[division]:
                best[division], found[division] = scores[division], state
    return list(zip(best, found, strict=True))


def _are_free(times: Sequence[float], start: int, end: int, beats: int, period: float) -> bool:
    """Return whether no moment is near the beats inside a segment."""
    near = _FREE * period
    for number in range(1, beats):
        beat = times[start] + number * period
        place = bisect_left(times, beat, start + 1, end)
        if (place < end and times[place] - beat < near) or (place - 1 > start and beat - times[place - 1] < near):
            return False
    return True


def _best_end(states: list[list[_State]]) -> _State | None:
    best, found = -math.inf, None
    for skipped, ending in enumerate(reversed(states[-_FIRST_MOMENTS:])):
        for state in ending:
            if state.segment >= 0 and state.score + skipped * _SKIPPED > best:
                best, found = state.score + skipped * _SKIPPED, state
    return found


def _divided(beats: list[float], ternary: list[bool], times: Sequence[float]) -> tuple[list[float], list[bool]]:
    """Divide very slow beats into the halves or thirds that people would count, at moments near them if possible."""
    parts = 3 if 2 * sum(ternary) > len(ternary) else 2
    found = []
    for start, end in pairwise(beats):
        found.append(start)
        for number in range(1, parts):
            beat = start + (end - start) * number / parts
            place = bisect_left(times, beat)
            near = min(times[max(place - 1, 0) : place + 1], key=lambda time: abs(time - beat))
            found.append(near if abs(near - beat) < _FREE * (end - start) / parts else beat)
    return [*found, beats[-1]], [False] * len(found)


def _extended(beats: list[float], ternary: list[bool], times: Sequence[float]) -> TrackedBeats:
    """Add beats before the first and after the last, so that all moments are between two beats."""
    first, last = beats[1] - beats[0], beats[-1] - beats[-2]
    lead = max(0, math.ceil((beats[0] - times[0]) / first - 0.3))
    trail = max(1, math.ceil((times[-1] - beats[-1]) / last + 0.3))
    before = [beats[0] - first * number for number in range(lead, 0, -1)]
    after = [beats[-1] + last * number for number in range(1, trail + 1)]
    flags = [ternary[0]] * lead + ternary + [ternary[-1]] * trail
    return TrackedBeats(before + beats + after, flags)
