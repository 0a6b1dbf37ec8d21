"""Follow the pulse of a performance whose tempo changes only slowly.

A hypothesis says where the last moment stands on a grid, and has a clock: the time of that place and the length of a
beat, with their covariance. Each further moment is put on one of the points of the grid near which the clock expects
it, and corrects the clock (a Kalman filter), so that one note that is early or late does not move the beat. Every
point of the grid either has a note or not; its probability depends on its place in the beat, which is divided by two or
by three. The score of a hypothesis is the log probability of all moments and of all points without one. A beam search
keeps the best few hypotheses for each quarter octave of tempo, so that time is linear in the number of moments.

The pulse need not be the beat that is written: `bars.metre_choice` chooses beats and bars afterwards. `fit` tells how
probable the moments are: where it is poor, the tempo is not steady.

Reference: A. T. Cemgil and H. J. Kappen, "Monte Carlo methods for tempo tracking and rhythm quantization" (2003), whose
switching state-space model this is, with another prior of rhythms and a beam instead of sampling.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from statistics import pstdev
from typing import NamedTuple

TICKS = 24
"""Places are counted in this many parts of the pulse."""
_FASTEST_S, _SLOWEST_S = 0.2, 1.7
_SPREAD_S, _LEAST_SPREAD_S = 0.021, 0.006
"""The deviation of a note from the clock, and that of a chord of many notes."""
_DRIFT = 0.018
"""The deviation of the relative tempo after one pulse."""
_MEMORY = 60
"""The usual tempo is that of about so many moments."""
_UNUSUAL = 0.3 / (2 * 0.04**2)
"""The cost of the squared logarithm of the tempo relative to the usual one."""
_FIRST_SPREAD = 0.035
_PERIODS_PER_BIN = 3
_BINS_PER_OCTAVE = 4
_KEPT, _KEPT_FIRST, _FIRST_MOMENTS = 10, 24, 10
_WORST = 60.0
"""Hypotheses that are worse than the best by more than this are given up."""
_REACH = 3.3
_TWO_TO_THREE = -4.0
_OUTSIDE = -5.0
_TOGETHER, _TOGETHER_S = -1.0, 0.085
_SALIENCE = 1.2
_USUAL_S, _USUAL_WEIGHT = 0.5, 0.185
_SAME_PERIODS = 30
"""Periods whose logarithms differ by less than about one part in this are the same."""
_POINTS = (
    {0: 0.72, 12: 0.42, 6: 0.17, 18: 0.17, 3: 0.02, 9: 0.02, 15: 0.02, 21: 0.02},
    {0: 0.75, 8: 0.5, 16: 0.5, 4: 0.1, 12: 0.1, 20: 0.1},
)
"""The probability of a note at each point, for division by two and by three."""
_COARSE, _FINE = (6, 8), (3, 4)
_FINEST_S = 0.045
_FIRST_PLACES = ((0, 6, 12, 18), (0, 8, 16))
_TERNARY_FIRST = -0.5
_LEAST_FIT = 0.1
_MOST_UNSTEADY = 0.034
"""The most deviation of the logarithm of the tempo; a drift of 5% has at most 0.03."""
_FIRST_TEST, _LEAST_FIRST_FIT, _MOST_UNSTEADY_FIRST = 128, -0.2, 0.04
"""A performance is given up early if it is clearly unsteady after 128 moments, 256, 512 and so on."""
_SMOOTHED_TICKS, _FEWEST_SMOOTHED = 54, 6
"""The time of a place is found from the moments within so many ticks, or the nearest few on each side."""
_LOG_ROOT = math.log(2 * math.pi) / 2


class SteadyPulse(NamedTuple):
    places: list[int | None]
    """The place of each moment in ticks; None for those that are on no point."""
    period: float
    """The last length of the pulse, in seconds."""
    fit: float
    """The mean log likelihood ratio of a moment: this pulse against moments at any time (a Poisson process)."""
    unsteadiness: float
    """The standard deviation of the logarithm of the tempo."""


class _Hypothesis(NamedTuple):
    score: float
    time: float
    period: float
    time_variance: float
    covariance: float
    period_variance: float
    usual: float
    """The logarithm of the usual period so far."""
    place: int
    division: int
    moment: int
    before: "_Hypothesis | None"


class _Points(NamedTuple):
    hits: list[float | None]
    """The log probability of a note at each tick of the pulse; None where there is no point."""
    misses: list[float]
    """The log probability of no note on the ticks before each."""


_Step = tuple[float, _Hypothesis, int | None, int]
"""Score, hypothesis, and the place and division of the moment; no place if the moment is on no point."""


def steady_pulse(times: Sequence[float], counts: Sequence[int], saliences: Sequence[float]) -> SteadyPulse | None:
    """Return the pulse of moments at these times, with so many notes each; None if there is no steady one."""
    pulse = follow_pulse(times, counts, saliences, gives_up=True)
    is_steady = pulse is not None and pulse.fit >= _LEAST_FIT and pulse.unsteadiness <= _MOST_UNSTEADY
    return pulse if is_steady else None


def follow_pulse(
    times: Sequence[float], counts: Sequence[int], saliences: Sequence[float], gives_up: bool = False
) -> SteadyPulse | None:
    """Return the pulse, steady or not; None if there are no two moments, or if an unsteady one is given up early."""
    if len(times) < 2:
        return None
    test = _FIRST_TEST
    hypotheses = _first_hypotheses(times[0], counts[0], saliences[0])
    by_chance = math.log(len(times) / max(times[-1] - times[0], 0.1)) - 1
    for moment in range(1, len(times)):
        variance = _SPREAD_S**2 / counts[moment] + _LEAST_SPREAD_S**2
        steps = _steps(hypotheses, moment, times, variance, _SALIENCE * saliences[moment])
        hypotheses = _best(steps, moment, times[moment], variance)
        if gives_up and moment == test:
            fit = hypotheses[0].score / moment - by_chance
            if fit < _LEAST_FIRST_FIT or _unsteadiness(hypotheses[0]) > _MOST_UNSTEADY_FIRST:
                return None
            test *= 2
    best = hypotheses[0]
    fit = best.score / len(times) - by_chance
    places: list[int | None] = [None] * len(times)
    for hypothesis in _path(best):
        places[hypothesis.moment] = hypothesis.place
    return SteadyPulse(places, best.period, fit, _unsteadiness(best))


def _path(last: _Hypothesis) -> list[_Hypothesis]:
    """Return a hypothesis and those before it, the last one first."""
    found = [last]
    while found[-1].before is not None:
        found.append(found[-1].before)
    return found


def _unsteadiness(last: _Hypothesis) -> float:
    """Return the standard deviation of the logarithm of the period."""
    logs = [math.log(hypothesis.period) for hypothesis in _path(last)[:-_FIRST_MOMENTS]]
    return pstdev(logs) if len(logs) > 1 else 0.0


def times_of_places(pulse: SteadyPulse, times: Sequence[float], places: Sequence[int]) -> list[float]:
    """Return the times of places (in ticks, rising) of the pulse of these moments, by local linear regression."""
    known = [(place, time) for place, time in zip(pulse.places, times, strict=True) if place is not None]
    ticks = [place for place, _ in known]
    found: list[float] = []
    for place in places:
        first = min(bisect_left(ticks, place - _SMOOTHED_TICKS), max(bisect_left(ticks, place) - _FEWEST_SMOOTHED, 0))
        last = max(bisect_left(ticks, place + _SMOOTHED_TICKS + 1), bisect_left(ticks, place) + _FEWEST_SMOOTHED)
        near = known[first:last] if last - first >= _FEWEST_SMOOTHED else known[-_FEWEST_SMOOTHED:]
        reach = max(_SMOOTHED_TICKS, *(abs(other - place) for other, _ in near)) * 1.1
        weights = [1 - abs(other - place) / reach for other, _ in near]
        total = sum(weights)
        mean = sum(weight * other for weight, (other, _) in zip(weights, near, strict=True)) / total
        middle = sum(weight * time for weight, (_, time) in zip(weights, near, strict=True)) / total
        spread = sum(weight * (other - mean) ** 2 for weight, (other, _) in zip(weights, near, strict=True))
        slope = pulse.period / TICKS
        if spread > 0:
            mixed = sum(
                weight * (other - mean) * (time - middle) for weight, (other, time) in zip(weights, near, strict=True)
            )
            slope = min(max(mixed / spread, slope / 1.5), slope * 1.5)
        found.append(middle + slope * (place - mean))
    return found


@lru_cache(maxsize=1)
def _tables() -> tuple[_Points, _Points]:
    found = []
    for points in _POINTS:
        misses = [0.0]
        for tick in range(TICKS):
            misses.append(misses[-1] + (math.log(1 - points[tick]) if tick in points else 0.0))
        found.append(_Points([math.log(points[tick]) if tick in points else None for tick in range(TICKS)], misses))
    return found[0], found[1]


def _first_hypotheses(time: float, count: int, salience: float) -> list[_Hypothesis]:
    variance = _SPREAD_S**2 / count + _LEAST_SPREAD_S**2
    per_octave = _PERIODS_PER_BIN * _BINS_PER_OCTAVE
    found = []
    for step in range(int(per_octave * math.log2(_SLOWEST_S / _FASTEST_S))):
        period = _FASTEST_S * 2 ** ((step + 0.5) / per_octave)
        log_period = math.log(period)
        for division, (points, places) in enumerate(zip(_tables(), _FIRST_PLACES, strict=True)):
            for place in places:
                score = (points.hits[place] or 0.0) + (_SALIENCE * salience if place == 0 else 0.0)
                score += _TERNARY_FIRST * division
                spread = (_FIRST_SPREAD * period) ** 2
                found.append(
                    _Hypothesis(score, time, period, variance, 0.0, spread, log_period, place, division, 0, None)
                )
    return found


def _steps(
    hypotheses: Sequence[_Hypothesis], moment: int, times: Sequence[float], variance: float, on_beat: float
) -> list[_Step]:
    """Return the best step from the hypotheses to each place in the pulse, division and period."""
    tables = _tables()
    misses = (tables[0].misses, tables[1].misses)
    now = times[moment]
    best: dict[tuple[int, int, int], _Step] = {}
    for hypothesis in hypotheses:
        score, time, period, own, mixed, change, usual, place, division, last, _ = hypothesis
        log_period = math.log(period)
        same = round(log_period * _SAME_PERIODS)
        passed = max(now - time, 0.0) / period
        drift = (_DRIFT * period) ** 2 * passed
        spread = own + 2 * passed * mixed + passed * passed * (change + drift / 3) + variance
        expected = place + (now - time) / period * TICKS
        reach = _REACH * math.sqrt(spread) / period * TICKS
        scale = (period / TICKS) ** 2 / (2 * spread)
        common = score - math.log(spread) / 2 - _LOG_ROOT - _UNUSUAL * (log_period - usual) ** 2
        tempo = _USUAL_WEIGHT * (log_period - _LOG_USUAL) ** 2
        inside = place % TICKS
        beat = place - inside
        key = (inside, division, same)
        known = best.get(key)
        if known is None or score + _OUTSIDE > known[0]:
            best[key] = (score + _OUTSIDE, hypothesis, None, division)
        for other in (0, 1):
            grid = _FINE[other] if period * _FINE[other] > _FINEST_S * TICKS else _COARSE[other]
            hits, own_misses = tables[other]
            near = math.ceil((expected - reach) / grid)
            for target in range(near * grid, math.floor(expected + reach) + 1, grid):
                if target < place or (target == place and (now - times[last] > _TOGETHER_S or other != division)):
                    continue
                tick = target % TICKS
                if other != division and (tick == 0 or (inside and target - tick == beat)):
                    continue
                gain = common - scale * (target - expected) ** 2
                hit = hits[tick]
                if target == place:
                    gain += _TOGETHER
                elif hit is None:
                    continue
                elif target - tick == beat:
                    gain += hit + own_misses[tick] - own_misses[inside + 1]
                else:
                    own_division = misses[division]
                    pulses = (target - tick - beat) // TICKS
                    gain += hit + own_misses[tick] + pulses * own_division[TICKS] - own_division[inside + 1]
                    gain -= pulses * tempo
                if tick == 0 and target != place:
                    gain += on_beat
                if other != division:
                    gain += _TWO_TO_THREE
                key = (tick, other, same)
                known = best.get(key)
                if known is None or gain > known[0]:
                    best[key] = (gain, hypothesis, target, other)
    return list(best.values())


def _best(steps: list[_Step], moment: int, now: float, variance: float) -> list[_Hypothesis]:
    """Return the best hypotheses of each range of tempo, with their clocks corrected; the best one first."""
    steps.sort(key=lambda step: step[0], reverse=True)
    is_first = moment < _FIRST_MOMENTS
    worst = steps[0][0] - (2 * _WORST if is_first else _WORST)
    counts: dict[int, int] = {}
    found = []
    for score, before, place, division in steps:
        if score < worst:
            break
        tempo = int(_BINS_PER_OCTAVE * math.log2(before.period / _FASTEST_S) + 1)
        counts[tempo] = counts.get(tempo, 0) + 1
        if counts[tempo] > (_KEPT_FIRST if is_first else _KEPT):
            continue
        if place is None:
            found.append(before._replace(score=score))
        else:
            found.append(_corrected(before, score, place, division, moment, now, variance))
    return found


def _corrected(
    before: _Hypothesis, score: float, place: int, division: int, moment: int, now: float, variance: float
) -> _Hypothesis:
    """Return a hypothesis after a moment at this place: the two steps of a Kalman filter."""
    passed = (place - before.place) / TICKS
    drift = (_DRIFT * before.period) ** 2 * passed
    own = before.time_variance + 2 * passed * before.covariance + passed * passed * (before.period_variance + drift / 3)
    mixed = before.covariance + passed * before.period_variance + drift * passed / 2
    error = now - before.time - before.period * passed
    memory = 1 / min(moment + 1, _MEMORY)
    gain, period_gain = own / (own + variance), mixed / (own + variance)
    return _Hypothesis(
        score,
        before.time + before.period * passed + gain * error,
        max(before.period + period_gain * error, _FASTEST_S / 2),
        own * (1 - gain),
        mixed * (1 - gain),
        before.period_variance + drift - period_gain * mixed,
        before.usual + memory * (math.log(before.period) - before.usual),
        place,
        division,
        moment,
        before,
    )


_LOG_USUAL = math.log(_USUAL_S)
