"""Four voices from chord symbols: every chord set, every join judged, the best way found by dynamic programming.

Parallel fifths and octaves, overlapping and crossing voices and notes outside of a voice's range are faults; they cost
so much that they are taken only where nothing else is possible, and then they are listed. Spacing, doubling, leaps,
sevenths that do not fall and leading notes that do not rise cost a little.

A melody that is given is the soprano and is never changed, whatever it costs.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import attrgetter
from typing import Literal, NamedTuple

from consort_compose.composer.voice_ranges import VOICE_RANGES, VOICES
from consort_compose.composer.voicings.cheapest import cheapest_path
from consort_compose.composer.voicings.tones import MAIN_TONE, essential, weights
from consort_music.chords import ChordSymbol
from consort_music.errors import MusicError
from consort_music.pitch import Pitch

Voicing = tuple[int, int, int, int]
"""MIDI numbers, soprano first."""

RANGES = tuple(VOICE_RANGES[voice].midi for voice in VOICES)
"""The lowest and the highest note of each voice, soprano first."""
_CENTRES = (70, 65, 58, 50)
_CENTRE_WEIGHTS = (0.12, 0.1, 0.1, 0.05)

FaultKind = Literal[
    "parallel_fifths", "parallel_octaves", "overlap", "crossing", "out_of_range", "spacing", "missing_tone"
]

_FAULT = 1000.0
_RESTLESS = 40.0
"""What it costs to end on an inversion that nobody asked for."""
_POOL = 36
_PAIRS = ((0, 3), (0, 1), (0, 2), (1, 3), (2, 3), (1, 2))


class Satb(NamedTuple):
    """One chord in four voices."""

    soprano: Pitch
    alto: Pitch
    tenor: Pitch
    bass: Pitch


class Fault(NamedTuple):
    """What is wrong, and at which chord (counted from 0); a parallel is at the chord it arrives at."""

    position: int
    kind: FaultKind
    voices: tuple[str, ...]


@dataclass(frozen=True)
class Realization:
    """`chords` has None where a symbol is N.C. `cost` compares realizations of the same symbols: lower is better."""

    chords: list[Satb | None]
    faults: list[Fault]
    cost: float


class _State(NamedTuple):
    """A voicing with what its joins need to know, worked out once."""

    notes: Voicing
    cost: float
    perfect: tuple[int, ...]
    """For each pair of voices 7 for a fifth, 12 for an octave or unison, else 0."""
    falling: tuple[int, ...]
    rising: tuple[int, ...]
    """The voices that have the chord's seventh, and its leading note."""


def realize_satb(
    chords: Sequence[ChordSymbol],
    soprano: Sequence[int | None] | None = None,
    *,
    free_bass: bool = False,
    low: int = 0,
    high: int = 127,
) -> Realization:
    """Set chords for four voices. `soprano` has the melody's MIDI note for each chord, None where it is free; it may be
    foreign to its chord. With `free_bass` a chord without a slash may stand in inversion. `low` and `high` bind the
    voices that are not given. Raises INVALID_RANGE if they bind too much."""
    melody = [None] * len(chords) if soprano is None else list(soprano)
    if len(melody) != len(chords):
        raise ValueError(f"{len(chords)} chords, but {len(melody)} notes of the soprano")
    found: list[Voicing | None] = [None] * len(chords)
    total = 0.0
    start = 0
    while start < len(chords):
        if chords[start].is_no_chord:
            start += 1
            continue
        end = start
        while end < len(chords) and not chords[end].is_no_chord:
            end += 1
        layers = [_within(chords[at], melody[at], free_bass, low, high) for at in range(start, end)]
        if free_bass:
            layers[-1] = _at_rest(layers[-1], chords[end - 1])
        resolving = [_resolves(first, second) for first, second in itertools.pairwise(chords[start:end])]
        joins = [partial(_join, resolves) for resolves in resolving]
        path, cost = cheapest_path(layers, attrgetter("cost"), joins)
        found[start:end] = [state.notes for state in path]
        total += cost
        start = end
    spelled = [
        None if notes is None else Satb(*(chord.pitch(note) for note in notes))
        for chord, notes in zip(chords, found, strict=True)
    ]
    return Realization(spelled, faults(chords, found), round(total, 3))


# --- joins

_STEPS = tuple(0.0 if d == 0 else d * 0.8 if d <= 2 else d + (0 if d <= 4 else 1.5 * (d - 4)) for d in range(128))
_BASS_STEPS = tuple(0.0 if d == 0 else 0.6 + 0.15 * d + (0 if d <= 7 else 1.5 * (d - 7)) for d in range(128))


def _join(resolves: bool, first: _State, second: _State, limit: float) -> float:
    """What it costs to go from one voicing to the next; never negative. From `limit` on only that it is more."""
    s0, a0, t0, b0 = old = first.notes
    s1, a1, t1, b1 = new = second.notes
    if old == new:
        return 0.0
    moves = (s1 - s0, a1 - a0, t1 - t0, b1 - b0)
    cost = _STEPS[abs(moves[0])] + _STEPS[abs(moves[1])] + _STEPS[abs(moves[2])] + _BASS_STEPS[abs(moves[3])]
    if cost >= limit:
        return cost
    for (upper, lower), interval, next_interval in zip(_PAIRS, first.perfect, second.perfect, strict=True):
        if interval and interval == next_interval:
            one, other = moves[upper], moves[lower]
            if one and other:
                cost += _FAULT if (one > 0) == (other > 0) else 25.0
    outer = second.perfect[0]
    if outer and abs(moves[0]) > 2 and moves[0] * moves[3] > 0:
        cost += 4.0  # a hidden fifth or octave between the outer voices
    if a1 > s0 or s1 < a0 or t1 > a0 or a1 < t0 or b1 > t0 or t1 < b0:
        cost += _FAULT / 2
    for voice in first.falling:
        if moves[voice] not in (0, -1, -2):
            cost += 5.0
    if resolves:
        for voice in first.rising:
            if moves[voice] != 1:
                cost += 4.0 if voice in (0, 3) else 1.5
    return cost


def _resolves(first: ChordSymbol, second: ChordSymbol) -> bool:
    """A dominant that goes home: a major third over a root that falls a fifth."""
    if first.root is None or second.root is None:
        return False
    return (second.root.pitch_class - first.root.pitch_class) % 12 == 5 and (3, 0) in first.degrees


# --- the ways to set one chord


@lru_cache(maxsize=8192)
def _states(chord: ChordSymbol, soprano: int | None, free_bass: bool) -> tuple[_State, ...]:
    """The good voicings of a chord, best first. Where the rules leave none that has the chord's main tones, wider gaps
    are allowed, then notes beyond the ranges, and in the end all voices may join the melody."""
    coverage = _Coverage(chord, free_bass)
    found: list[tuple[Voicing, float]] = []
    for reach, gap in ((0, 12), (0, 24), (7, 24), (19, 127), (127, 127)):
        found += _candidates(coverage, soprano, reach, gap)
        found.sort(key=lambda item: item[1])
        if found and coverage.is_enough(found[0][0]):
            break
    limit = found[0][1] + 60.0
    return tuple(_state(notes, cost, chord) for notes, cost in found[:_POOL] if cost <= limit)


def _at_rest(states: tuple[_State, ...], chord: ChordSymbol) -> tuple[_State, ...]:
    """The last chord ends on its own bass, if it can."""
    own = chord.bass_pitch_class
    return tuple(
        state if state.notes[3] % 12 == own else state._replace(cost=state.cost + _RESTLESS) for state in states
    )


def _within(chord: ChordSymbol, soprano: int | None, free_bass: bool, low: int, high: int) -> tuple[_State, ...]:
    states = _states(chord, soprano, free_bass)
    if low <= RANGES[3][0] and high >= RANGES[0][1]:
        return states
    top = 0 if soprano is None else 1
    found = [state for state in states if low <= state.notes[3] and state.notes[top] <= high]
    if not found and soprano is None:
        every = voicings(chord, free_bass)
        found = [_state(notes, cost, chord) for notes, cost in every if low <= notes[3] and notes[0] <= high][:_POOL]
    if not found:
        raise MusicError(
            "INVALID_RANGE",
            f"{chord.name} cannot be set for four voices between {Pitch.from_midi(low).name} and "
            f"{Pitch.from_midi(high).name}. Give range_low and range_high at least two octaves apart, such as E2 and "
            "A5.",
            ["E2", "A5"],
            "range_low",
        )
    return tuple(found)


def voicings(chord: ChordSymbol, free_bass: bool = False) -> list[tuple[Voicing, float]]:
    """Every setting of a chord within the ranges and without a gap, with its cost, best first."""
    return sorted(_candidates(_Coverage(chord, free_bass), None, 0, 12), key=lambda item: item[1])


class _Coverage:
    """What four pitch classes cost as a chord: tones left out, tones doubled, another bass. Each set is judged once."""

    def __init__(self, chord: ChordSymbol, free_bass: bool) -> None:
        self._weights = weights(chord)
        self._known: dict[tuple[int, ...], float] = {}
        self.tones = set(essential(chord, 5))
        self.basses = _bass_costs(chord, free_bass)

    def cost(self, classes: tuple[int, int, int, int]) -> float:
        known = self._known.get(classes)
        if known is None:
            known = self._known[classes] = self._judge(classes)
        return known

    def is_enough(self, notes: Voicing) -> bool:
        present = {note % 12 for note in notes}
        return all(tone in present for tone, cost in self._weights.missing.items() if cost >= MAIN_TONE)

    def _judge(self, classes: tuple[int, int, int, int]) -> float:
        cost = self.basses.get(classes[3], 40.0)
        cost += sum(missing for tone, missing in self._weights.missing.items() if tone not in classes)
        for tone in set(classes):
            more = classes.count(tone) - 1
            if more:
                cost += more * (self._weights.doubled.get(tone, 0.0) + 4.0 * (more - 1))
        return cost


def _candidates(coverage: _Coverage, soprano: int | None, reach: int, gap: int) -> Iterable[tuple[Voicing, float]]:
    tops = _notes(coverage.tones, 0, reach) if soprano is None else [soprano]
    altos, tenors = _notes(coverage.tones, 1, reach), _notes(coverage.tones, 2, reach)
    lows = _notes(coverage.basses, 3, reach)
    if reach == 127:
        altos, tenors, lows = [*altos, *tops], [*tenors, *tops], [*lows, *tops]
    priced_altos, priced_tenors, priced_lows = _priced(altos, 1), _priced(tenors, 2), _priced(lows, 3)
    for s, s_cost in _priced(tops, 0):
        for a, a_cost in priced_altos:
            if not 0 <= s - a <= gap:
                continue
            upper = s_cost + a_cost + _spacing_cost(s - a)
            for t, t_cost in priced_tenors:
                if not 0 <= a - t <= gap:
                    continue
                middle = upper + t_cost + _spacing_cost(a - t)
                for b, b_cost in priced_lows:
                    if b <= t:
                        cost = middle + b_cost + coverage.cost((s % 12, a % 12, t % 12, b % 12))
                        if b == t:
                            cost += 2.0
                        elif t - b > 19:
                            cost += 0.6 * (t - b - 19)
                        yield (s, a, t, b), cost


def _notes(classes: Iterable[int], voice: int, reach: int) -> list[int]:
    low, high = RANGES[voice]
    wanted = set(classes)
    return [note for note in range(max(low - reach, 0), min(high + reach, 127) + 1) if note % 12 in wanted]


def _priced(notes: Iterable[int], voice: int) -> list[tuple[int, float]]:
    """Notes of a voice with what they cost: away from its middle a little, outside of its range a lot."""
    low, high = RANGES[voice]
    priced = []
    for note in notes:
        cost = abs(note - _CENTRES[voice]) * _CENTRE_WEIGHTS[voice]
        if not low <= note <= high:
            cost += 30.0 + 6.0 * max(low - note, note - high)
        priced.append((note, cost))
    return priced


def _spacing_cost(gap: int) -> float:
    """Between two of the upper voices: a unison, or more than an octave."""
    if gap == 0:
        return 5.0
    return 30.0 + 2.0 * gap if gap > 12 else 0.0


def _bass_costs(chord: ChordSymbol, free_bass: bool) -> dict[int, float]:
    bass = chord.bass_pitch_class
    assert bass is not None
    costs = {bass: 0.0}
    if free_bass and chord.bass is None:
        for degree, tone in zip(chord.degrees, chord.tones, strict=True):
            if degree[0] in (3, 5, 7):
                costs.setdefault(tone.pitch_class, {3: 4.0, 5: 14.0, 7: 10.0}[degree[0]])
    return costs


def _state(notes: Voicing, cost: float, chord: ChordSymbol) -> _State:
    perfect = []
    for upper, lower in _PAIRS:
        interval = (notes[upper] - notes[lower]) % 12
        perfect.append(12 if interval == 0 else 7 if interval == 7 else 0)
    sevenths, thirds = set(), set()
    for (number, alteration), tone in zip(chord.degrees, chord.tones, strict=True):
        if number == 7 and alteration < 0:
            sevenths.add(tone.pitch_class)
        if (number, alteration) == (3, 0):
            thirds.add(tone.pitch_class)
    falling = tuple(voice for voice, note in enumerate(notes) if note % 12 in sevenths)
    rising = tuple(voice for voice, note in enumerate(notes) if note % 12 in thirds)
    return _State(notes, cost, tuple(perfect), falling, rising)


# --- the verdict on what was made


def faults(chords: Sequence[ChordSymbol], voicings: Sequence[Voicing | None]) -> list[Fault]:
    """What is wrong in a realization, in order."""
    found: list[Fault] = []
    previous: Voicing | None = None
    for index, (chord, notes) in enumerate(zip(chords, voicings, strict=True)):
        if notes is not None:
            found += _chord_faults(index, chord, notes)
            if previous is not None:
                found += join_faults(index, previous, notes)
        previous = notes
    return found


def _chord_faults(index: int, chord: ChordSymbol, notes: Voicing) -> Iterable[Fault]:
    for voice, note, (low, high) in zip(VOICES, notes, RANGES, strict=True):
        if not low <= note <= high:
            yield Fault(index, "out_of_range", (voice,))
    for upper in range(3):
        pair = VOICES[upper : upper + 2]
        if notes[upper] < notes[upper + 1]:
            yield Fault(index, "crossing", pair)
        if upper < 2 and notes[upper] - notes[upper + 1] > 12:
            yield Fault(index, "spacing", pair)
    present = {note % 12 for note in notes}
    if any(cost >= MAIN_TONE and pitch_class not in present for pitch_class, cost in weights(chord).missing.items()):
        yield Fault(index, "missing_tone", ())


def join_faults(index: int, old: Voicing, new: Voicing) -> Iterable[Fault]:
    """What is wrong between two chords; `index` is the second's."""
    for upper, lower in _PAIRS:
        interval = (old[upper] - old[lower]) % 12
        same = interval == (new[upper] - new[lower]) % 12
        if same and interval in (0, 7) and (new[upper] - old[upper]) * (new[lower] - old[lower]) > 0:
            yield Fault(
                index, "parallel_octaves" if interval == 0 else "parallel_fifths", (VOICES[upper], VOICES[lower])
            )
    for upper in range(3):
        if new[upper + 1] > old[upper] or new[upper] < old[upper + 1]:
            yield Fault(index, "overlap", VOICES[upper : upper + 2])
