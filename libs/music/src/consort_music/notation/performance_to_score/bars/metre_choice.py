"""Choose beats and bars for moments that stand on the grid of a pulse (`beats.steady_beats`).

A hypothesis is a beat (a simple multiple or part of the pulse), its division by two or by three, the number of beats in
a bar, and where bars begin. Every one is described by features: which share of the moments is on bars, beats and their
parts, what happens there (long notes, low notes, many notes), how often rhythm and pitch repeat after a bar or a beat,
how fast beats and bars are, and where the first and the last moment stand. A conditional logit model chooses among
them; its weights are fitted by `benchmarks/training/train_metre_choice.py`.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from consort_music.metre import Metre
from consort_music.notation.performance_to_score.bars.metre_choice_weights import WEIGHTS
from consort_music.notation.performance_to_score.beats.salience import moment_features
from consort_music.notation.performance_to_score.beats.steady_beats import TICKS
from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote

_BEATS = (8, 12, 16, 18, 24, 32, 36, 48, 72, 96, 144)
"""The beats that are tried, in ticks of the pulse."""
_FASTEST_S, _SLOWEST_S = 0.2, 1.75
_STRUCTURES = ((2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4))
"""Pairs of the division of the beat and of the beats in a bar."""
_FASTEST_SWING_S, SLOWEST_SWING_S = 0.28, 0.62
"""In slower beats, long-short pairs are more often quarters and eighths of 6/8."""
_LEAST_PAIRS, _MOST_OTHERS = 0.5, 0.1
"""Music swings if so many of its beats are followed by a note on the third third, and few notes are elsewhere."""
_USUAL_BEATS, _USUAL_REACH = {2: 0.1, 3: 0.5}, 0.35
"""Usual beats last 0.43 to 0.86 s, and those that are divided by three 0.64 to 1.29 s (logarithms of 0.55 s)."""
_USUAL_S, _CLOSE = 0.55, 2.5
"""Of equal metres that are worse than the best by less than this, that with the most usual beat is written (1.5 times
as long if it is divided by three)."""
_CERTAIN = 9.0
_PHASES = 5
"""The most places at which bars may begin."""


class MetreHypothesis(NamedTuple):
    beat: int
    """The length of a beat in ticks."""
    division: int
    beats_per_bar: int
    downbeat: int
    """A place at which a bar begins, in ticks: the first one that is not before the first moment."""


class MetreChoice(NamedTuple):
    best: MetreHypothesis
    margin: float
    """How much better it is than the best hypothesis with another kind of metre, in nats."""
    second: int
    """The beats per bar of that one; 0 if there is none."""


class _PlacedMoment(NamedTuple):
    place: int
    accents: tuple[float, ...]
    pitches: frozenset[int]


def choose_metre(
    notes: Sequence[PerformedNote],
    moments: Sequence[Moment],
    places: Sequence[int | None],
    period: float,
    metre: Metre | None = None,
) -> MetreChoice | None:
    """Return the best hypothesis; None if there is none. `period` is the length of the pulse in seconds.

    Only beats and bars of `metre` are considered, if it is given; and only the beats of swing, if it swings.
    """
    swung = _swung_beat(places, period / TICKS)
    found = [
        (sum(weight * value for weight, value in zip(WEIGHTS, features, strict=True)), hypothesis)
        for hypothesis, features in metre_hypotheses(notes, moments, places, period)
        if (metre is None or (hypothesis.division == 3, hypothesis.beats_per_bar) == _kind_of(metre))
        and (swung is None or hypothesis.beat == swung)
    ]
    if not found:
        return None
    score, best = max(found)
    unit = _USUAL_S * best.division / 2 * TICKS / period
    best = min(
        (abs(math.log(hypothesis.beat / unit)), -own, hypothesis)
        for own, hypothesis in found
        if own > score - _CLOSE and _class_of(hypothesis) == _class_of(best)
    )[2]
    others = [
        (other, hypothesis.beats_per_bar) for other, hypothesis in found if _class_of(hypothesis) != _class_of(best)
    ]
    second, beats = max(others, default=(score - _CERTAIN, 0))
    return MetreChoice(best, score - second, beats)


def _swung_beat(places: Sequence[int | None], tick_s: float) -> int | None:
    """Return the length of a beat that is mostly divided into a long and a short note, two to one; None if none is."""
    known = sorted({place for place in places if place is not None})
    for beat in _BEATS:
        if beat % 3 or not _FASTEST_SWING_S <= beat * tick_s <= SLOWEST_SWING_S:
            continue
        for phase in range(0, beat, beat // 3):
            inside = Counter((place - phase) % beat for place in known)
            pairs, rest = inside[beat // 3 * 2], len(known) - inside[0] - inside[beat // 3 * 2]
            if pairs >= _LEAST_PAIRS * inside[0] and rest <= _MOST_OTHERS * len(known):
                return beat
    return None


def _class_of(hypothesis: MetreHypothesis) -> tuple[int, int]:
    """Return what is equal in metres that differ only in the values that are written: 2/4 and 4/4, for example."""
    return hypothesis.division, hypothesis.beats_per_bar % 2


def _kind_of(metre: Metre) -> tuple[bool, int]:
    return metre.is_compound, len(metre.beats)


def metre_hypotheses(
    notes: Sequence[PerformedNote], moments: Sequence[Moment], places: Sequence[int | None], period: float
) -> list[tuple[MetreHypothesis, tuple[float, ...]]]:
    """Return all hypotheses with their features."""
    placed = _placed(notes, moments, places)
    if len(placed) < 2:
        return []
    tick_s = period / TICKS
    repeats: dict[int, tuple[float, float]] = {}
    tables: dict[int, _Profile] = {}
    found = []
    for beat in _BEATS:
        if not _FASTEST_S <= beat * tick_s <= _SLOWEST_S:
            continue
        for division, beats_per_bar in _STRUCTURES:
            if beat % (2 * division):
                continue
            bar = beat * beats_per_bar
            for lag in (beat, bar, 2 * bar):
                if lag not in repeats:
                    repeats[lag] = _repetition(placed, lag)
            if bar not in tables:
                tables[bar] = _Profile(placed, bar)
            profile = tables[bar]
            common = (
                *(value for lag in (beat, bar, 2 * bar) for value in repeats[lag]),
                *_tempo_features(beat * tick_s, bar * tick_s, division),
                *(float((division, beats_per_bar) == structure) for structure in _STRUCTURES),
            )
            for phase in profile.phases:
                downbeat = placed[0].place + (phase - placed[0].place) % bar
                hypothesis = MetreHypothesis(beat, division, beats_per_bar, downbeat)
                found.append((hypothesis, (*profile.features(hypothesis), *common)))
    return found


def _tempo_features(beat_s: float, bar_s: float, division: int) -> tuple[float, ...]:
    beat, bar = math.log(beat_s / 0.55), math.log(bar_s / 1.9)
    is_compound = float(division == 3)
    unusual = max(abs(beat - _USUAL_BEATS[division]) - _USUAL_REACH, 0.0)
    return beat, beat * beat, beat * is_compound, beat * beat * is_compound, bar, bar * bar, unusual


def _placed(
    notes: Sequence[PerformedNote], moments: Sequence[Moment], places: Sequence[int | None]
) -> list[_PlacedMoment]:
    """Return the moments with places. Moments at one place are joined; the accents of the first count.

    How loud the notes are is left out: the scores to which the weights are fitted have no dynamics.
    """
    found: list[_PlacedMoment] = []
    bass = -1
    for moment, place, features in zip(moments, places, moment_features(notes, moments), strict=True):
        if place is None:
            continue
        pitches = frozenset(notes[index].pitch for index in moment.notes)
        lowest = min(pitches)
        is_new_bass = float(features[-1] > 0 and lowest % 12 != bass)
        if features[-1] > 0:
            bass = lowest % 12
        if found and found[-1].place == place:
            found[-1] = found[-1]._replace(pitches=found[-1].pitches | pitches)
        else:
            found.append(_PlacedMoment(place, (1.0, *features[:2], *features[3:], is_new_bass), pitches))
    return found


def _repetition(placed: Sequence[_PlacedMoment], lag: int) -> tuple[float, float]:
    """Return the share of moments after which there is another one at this distance, and the share of those that have
    a pitch in common; both compared with chance."""
    by_place = {moment.place: moment for moment in placed}
    last = placed[-1].place
    pairs = same = count = 0
    for moment in placed:
        if moment.place + lag > last:
            break
        count += 1
        other = by_place.get(moment.place + lag)
        if other is not None:
            pairs += 1
            same += not moment.pitches.isdisjoint(other.pitches)
    return (pairs + 1.0) / (count + 2.0), (same + 0.5) / (pairs + 2.0)


class _Profile:
    """The accents of all moments, summed by their place in bars of one length."""

    def __init__(self, placed: Sequence[_PlacedMoment], bar: int) -> None:
        self._bar = bar
        self._sums: dict[int, list[float]] = {}
        for moment in placed:
            sums = self._sums.get(moment.place % bar)
            if sums is None:
                self._sums[moment.place % bar] = list(moment.accents)
            else:
                for index, value in enumerate(moment.accents):
                    sums[index] += value
        self._count = len(placed)
        self._kinds = len(placed[0].accents)
        self._first, self._last = placed[0].place, placed[-1].place
        self._bars = max((self._last - self._first) / bar, 1.0)
        self.phases = sorted(self._sums, key=self._prominence, reverse=True)[:_PHASES]

    def _prominence(self, phase: int) -> float:
        count, notes, bass, length, after, *_ = self._sums[phase]
        return count + 0.3 * notes + 0.5 * bass + length + 0.3 * after

    def features(self, hypothesis: MetreHypothesis) -> tuple[float, ...]:
        bar, beat, phase = self._bar, hypothesis.beat, hypothesis.downbeat
        half = [bar // 2] if hypothesis.beats_per_bar == 4 else []
        beats = [place for place in range(beat, bar, beat) if place not in half]
        part = beat // hypothesis.division
        parts = [place for place in range(part, bar, part) if place % beat]
        fine = range(part // 2, bar, part)
        found: list[float] = []
        total = 0.0
        occupied = []
        for places in ([0], half, beats, parts, fine):
            sums = [0.0] * self._kinds
            for place in places:
                own = self._sums.get((phase + place) % bar)
                if own:
                    sums = [one + other for one, other in zip(sums, own, strict=True)]
            count = sums[0]
            total += count
            found.append(count / self._count)
            occupied.append(count / (self._bars * len(places)) if places else 0.0)
            if places is not fine:
                found.extend(value / (count + 1) for value in sums[1:])
        before = (phase - self._first) % bar
        from_last = (self._last - phase) % bar
        return (
            *found,
            1 - total / self._count,
            *(math.log(0.05 + min(share, 1.0)) for share in occupied),
            float(before == 0),
            before / bar,
            float(before > bar // 2),
            float(before % beat == 0),
            float(from_last == 0),
            float(from_last % beat == 0),
        )
