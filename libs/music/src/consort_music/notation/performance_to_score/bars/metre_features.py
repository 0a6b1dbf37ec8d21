"""Describe hypotheses of beats and bars on the grid of a pulse by features, for `metre_choice`.

A hypothesis is a beat (a simple multiple or part of the pulse), its division by two or by three, the number of beats in
a bar, and where bars begin. Its features tell

- which share of the moments is on bars, beats and their parts, and how they sound there: long, low, many notes, a new
  harmony, a peak of the melody;
- how often a note is held across a beat or a bar line on which none starts (syncopation);
- how often rhythm, pitch and intervals repeat after a beat, a bar, and two, four and eight bars;
- how fast beats and bars are, and where the first and the last moment stand;
- how likely the rhythm is (`rhythm_likelihood`), for each moment and in all.

How loud notes are is left out: the scores to which the weights are fitted have no dynamics.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from consort_music.notation.performance_to_score.bars.beat_pattern_table import RHYTHM_TABLES
from consort_music.notation.performance_to_score.bars.rhythm_likelihood import RhythmLikelihood
from consort_music.notation.performance_to_score.beats.salience import moment_features
from consort_music.notation.performance_to_score.beats.steady_beats import TICKS
from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote

BEATS = (8, 12, 16, 18, 24, 32, 36, 48, 72, 96, 144)
"""The beats that are tried, in ticks of the pulse."""
_FASTEST_S, _SLOWEST_S = 0.2, 1.75
_STRUCTURES = ((2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4))
"""Pairs of the division of the beat and of the beats in a bar."""
_USUAL_BEATS, _USUAL_REACH = {2: 0.1, 3: 0.5}, 0.35
"""Usual beats last 0.43 to 0.86 s, and those that are divided by three 0.64 to 1.29 s (logarithms of 0.55 s)."""
_PHASES = 8
"""The most places at which bars may begin."""
_HARMONY_S = 1.0
"""Harmony is compared between the time before and after a moment, of this length."""
_NO_INTERVAL = 99


class MetreHypothesis(NamedTuple):
    beat: int
    """The length of a beat in ticks."""
    division: int
    beats_per_bar: int
    downbeat: int
    """A place at which a bar begins, in ticks: the first one that is not before the first moment."""


class _PlacedMoment(NamedTuple):
    place: int
    accents: tuple[float, ...]
    pitches: frozenset[int]
    interval: int
    """From the highest note of the moment before to the highest one of this."""
    held: int
    """The length of its longest note in ticks."""


def metre_hypotheses(
    notes: Sequence[PerformedNote], moments: Sequence[Moment], places: Sequence[int | None], period: float
) -> list[tuple[MetreHypothesis, tuple[float, ...]]]:
    """Return all hypotheses with their features. `period` is the length of the pulse in seconds."""
    tick_s = period / TICKS
    placed = _placed(notes, moments, places, tick_s)
    if len(placed) < 2:
        return []
    rhythm = RhythmLikelihood([moment.place for moment in placed], RHYTHM_TABLES)
    repeats: dict[int, tuple[float, float, float]] = {}
    tables: dict[int, _Profile] = {}
    found = []
    for beat in BEATS:
        if not _FASTEST_S <= beat * tick_s <= _SLOWEST_S:
            continue
        for division, beats_per_bar in _STRUCTURES:
            if beat % (2 * division):
                continue
            bar = beat * beats_per_bar
            lags = (beat, bar, 2 * bar, 4 * bar, 8 * bar)
            for lag in lags:
                if lag not in repeats:
                    repeats[lag] = _repetition(placed, lag)
            if bar not in tables:
                tables[bar] = _Profile(placed, bar)
            profile = tables[bar]
            common = (
                *(value for lag in lags for value in repeats[lag]),
                *_tempo_features(beat * tick_s, bar * tick_s, division),
                *(float((division, beats_per_bar) == structure) for structure in _STRUCTURES),
            )
            for phase in profile.phases:
                downbeat = placed[0].place + (phase - placed[0].place) % bar
                hypothesis = MetreHypothesis(beat, division, beats_per_bar, downbeat)
                likelihood = likelihood_features(rhythm, hypothesis, len(placed))
                found.append((hypothesis, (*profile.features(hypothesis), *common, *likelihood)))
    return found


def likelihood_features(rhythm: RhythmLikelihood, hypothesis: MetreHypothesis, count: int) -> tuple[float, float]:
    """Return the last features of a hypothesis: the log likelihood of the rhythm of so many moments."""
    found = rhythm.in_metre(*hypothesis)
    return found / count, found / (10 * math.sqrt(count))


def _tempo_features(beat_s: float, bar_s: float, division: int) -> tuple[float, ...]:
    beat, bar = math.log(beat_s / 0.55), math.log(bar_s / 1.9)
    is_compound = float(division == 3)
    unusual = max(abs(beat - _USUAL_BEATS[division]) - _USUAL_REACH, 0.0)
    return beat, beat * beat, beat * is_compound, beat * beat * is_compound, bar, bar * bar, unusual


def _placed(
    notes: Sequence[PerformedNote], moments: Sequence[Moment], places: Sequence[int | None], tick_s: float
) -> list[_PlacedMoment]:
    """Return the moments with places. Moments at one place are joined; the accents of the first count."""
    found: list[_PlacedMoment] = []
    bass = -1
    changes = _harmonic_changes(notes, moments)
    tops = [max(notes[index].pitch for index in moment.notes) for moment in moments]
    last_top = None
    for number, (place, features) in enumerate(zip(places, moment_features(notes, moments), strict=True)):
        if place is None:
            continue
        own = moments[number].notes
        pitches = frozenset(notes[index].pitch for index in own)
        lowest = min(pitches)
        is_new_bass = float(features[-1] > 0 and lowest % 12 != bass)
        if features[-1] > 0:
            bass = lowest % 12
        if found and found[-1].place == place:
            found[-1] = found[-1]._replace(pitches=found[-1].pitches | pitches)
            continue
        around = tops[max(number - 1, 0) : number + 2]
        is_peak = float(tops[number] == max(around) > min(around))
        held = round(max(notes[index].end - notes[index].onset for index in own) / tick_s)
        interval = tops[number] - last_top if last_top is not None else _NO_INTERVAL
        last_top = tops[number]
        accents = (1.0, *features[:2], *features[3:], is_new_bass, changes[number], is_peak)
        found.append(_PlacedMoment(place, accents, pitches, interval, held))
    return found


def _harmonic_changes(notes: Sequence[PerformedNote], moments: Sequence[Moment]) -> list[float]:
    """Return how different the pitch classes before and after each moment are, less the mean: cosine distances."""
    times = [moment.time for moment in moments]
    classes: list[dict[int, float]] = []
    for moment in moments:
        own: dict[int, float] = {}
        for index in moment.notes:
            length = math.sqrt(min(notes[index].end - notes[index].onset, 1.0))
            own[notes[index].pitch % 12] = own.get(notes[index].pitch % 12, 0.0) + length
        classes.append(own)
    before, after = [0.0] * 12, [0.0] * 12
    first = last = 0
    found = []
    for number, time in enumerate(times):
        while last < len(times) and times[last] < time + _HARMONY_S:
            for pitch, length in classes[last].items():
                after[pitch] += length
            last += 1
        if number:
            for pitch, length in classes[number - 1].items():
                after[pitch] -= length
                before[pitch] += length
        while times[first] < time - _HARMONY_S:
            for pitch, length in classes[first].items():
                before[pitch] -= length
            first += 1
        dot = sum(one * other for one, other in zip(before, after, strict=True))
        norm = math.sqrt(sum(one * one for one in before) * sum(one * one for one in after))
        found.append(1 - dot / norm if norm > 1e-6 else 0.5)
    mean = sum(found) / len(found)
    return [value - mean for value in found]


def _repetition(placed: Sequence[_PlacedMoment], lag: int) -> tuple[float, float, float]:
    """Return the share of moments after which there is another one at this distance, and of those the shares that have
    a pitch in common and that come after the same interval."""
    by_place = {moment.place: moment for moment in placed}
    last = placed[-1].place
    pairs = same = alike = count = 0
    for moment in placed:
        if moment.place + lag > last:
            break
        count += 1
        other = by_place.get(moment.place + lag)
        if other is not None:
            pairs += 1
            same += not moment.pitches.isdisjoint(other.pitches)
            alike += moment.interval == other.interval
    return (pairs + 1.0) / (count + 2.0), (same + 0.5) / (pairs + 2.0), (alike + 0.3) / (pairs + 2.0)


class _Profile:
    """The accents of all moments, summed by their place in bars of one length."""

    def __init__(self, placed: Sequence[_PlacedMoment], bar: int) -> None:
        self._bar = bar
        self._sums: dict[int, list[float]] = {}
        self._held: dict[int, list[int]] = {}
        for moment in placed:
            sums = self._sums.get(moment.place % bar)
            if sums is None:
                self._sums[moment.place % bar] = list(moment.accents)
            else:
                for index, value in enumerate(moment.accents):
                    sums[index] += value
            self._held.setdefault(moment.place % bar, []).append(moment.held)
        for lengths in self._held.values():
            lengths.sort()
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
            *self._syncopation(phase, beat, part),
            1 - total / self._count,
            *(math.log(0.05 + min(share, 1.0)) for share in occupied),
            float(before == 0),
            before / bar,
            float(before > bar // 2),
            float(before % beat == 0),
            float(from_last == 0),
            float(from_last % beat == 0),
        )

    def _syncopation(self, phase: int, beat: int, part: int) -> tuple[float, float, float]:
        """Return the shares of moments that are held, by a part of a beat or more, across a bar line without starting
        on a beat, across one from a beat, and across a beat without starting on one."""
        over_bar_off = over_bar_on = over_beat = 0
        for place, lengths in self._held.items():
            inside = (place - phase) % self._bar
            if inside == 0:
                continue
            across_bar = len(lengths) - bisect_left(lengths, self._bar - inside + part)
            if inside % beat == 0:
                over_bar_on += across_bar
            else:
                over_bar_off += across_bar
                over_beat += len(lengths) - bisect_left(lengths, beat - inside % beat + part)
        return over_bar_off / self._count, over_bar_on / self._count, over_beat / self._count
