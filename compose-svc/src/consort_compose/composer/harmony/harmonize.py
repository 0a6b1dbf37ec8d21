"""Chords for a melody: the style's chords on a lattice, what the melody asks of each, and the best ways through it.

The rule of strong beats comes first: a melody note on a strong beat is a tone of its chord, wherever the style has a
chord that makes it so; the note at the start of a span weighs most. Then the bass motion that was asked for, then the
model's opinion, the style's successions, and how much of the melody's time is in the chord.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from consort_compose.composer.harmony.chords import Chord, symbol_of
from consort_compose.composer.harmony.line import ChordRhythm, Line, LineNote, Span
from consort_compose.composer.harmony.model import LEAST, State, chord_probabilities
from consort_compose.composer.harmony.phrases import MARKED, phrases
from consort_compose.composer.harmony.search import FORBIDDEN, Lattice, Path, differing_paths
from consort_compose.composer.harmony.styles import BassMotion, bass_move, basses_of, closes, comes_to_rest, is_common
from consort_compose.composer.harmony.vocabulary import Style, Vocabulary, vocabulary
from consort_music.chords import ChordSymbol
from consort_music.keys import Key

_FINAL = 20_000.0
"""The last note of all decides what the last chord is."""
_STRONG_START = 10_000.0
_STRONG = 1_000.0
_BASS_FAULT = 200.0
_PARALLEL = 8.0
_SEED_NOISE = 0.35
_OUTSIDE = 3.0
"""What a chord from outside of the style costs."""


@dataclass(frozen=True)
class Weights:
    """How much a style listens to each voice."""

    model: float
    fit: dict[ChordRhythm, float]
    """For the melody's time in the chord; more for a chord of several beats, since the model hears single ones."""
    uncommon: float
    unresolved: float
    staying: dict[ChordRhythm, float]
    home: float
    """What a tonic chord at the end is worth; at the start, half of it."""
    differing: float


_STAYING: dict[ChordRhythm, float] = {"per_measure": -0.5, "per_half": -0.3, "per_beat": -0.1}
_FIT: dict[ChordRhythm, float] = {"per_measure": 3.0, "per_half": 2.5, "per_beat": 2.0}
_WEIGHTS: dict[Style, Weights] = {
    "classical": Weights(
        model=1.0,
        fit={"per_measure": 2.0, "per_half": 1.0, "per_beat": 0.5},
        uncommon=0.3,
        unresolved=1.2,
        staying={"per_measure": -0.7, "per_half": -0.1, "per_beat": 0.0},
        home=1.5,
        differing=0.8,
    ),
    "pop": Weights(0.5, _FIT, 1.0, 1.0, _STAYING, 3.0, 0.8),
    "jazz": Weights(0.5, dict.fromkeys(_FIT, 1.5), 1.2, 4.0, _STAYING, 3.0, 0.7),
    "modal": Weights(0.2, _FIT, 0.8, 1.0, _STAYING, 2.0, 0.8),
}
_STANDS_FOR = {"tritone": 7, "diminished": 7}
"""The root that the model is asked about for a substitute of the dominant."""
_COLOURS = {"9": -0.3, "maj9": -0.3, "m9": -0.3, "6": -0.4, "m6": -0.5, "13": -0.5, "m11": -0.6, "7sus4": -0.6,
            "maj7#11": -0.7, "7b9": -0.4, "7#9": -0.5, "add9": -0.3, "sus4": -0.3, "sus2": -0.3}  # fmt: skip
_SUBSTITUTES = {"tritone": -0.5, "diminished": -0.6, "secondary": -1.0, "borrowed": 0.0, None: 0.0}


_NO_CADENCE = 1.5
"""What an end at home costs that no cadence leads to; modal music needs none."""
_NO_REST = 1.0
"""What it costs that a phrase within the tune ends without a cadence."""
_ENDS_INVERTED = 4.0
"""What an inversion costs at the end, where the ear wants the root below; at the start, half of it."""
_RECOLOURED = -0.2
"""For another chord on the same root, beyond what staying costs: a chord that only changes its ninths does not move."""
_SEVENTH_DROPPED = -0.6
"""For a dominant that loses its seventh before it could resolve."""
_KIN = 0.6
"""How much of the step away from an earlier option is for every chord on the same root: G9 for G7 is no other way."""


@dataclass(frozen=True)
class Task:
    line: Line
    key: Key
    style: Style
    rhythm: ChordRhythm = "per_measure"
    allow_extended: bool | None = None
    bass_motion: BassMotion = "any"
    seed: int | None = None


@dataclass(frozen=True)
class Setting:
    """A chord under a span; `bass` is in semitones above the tonic."""

    chord: Chord
    bass: int

    def symbol(self, key: Key) -> ChordSymbol:
        return symbol_of(key, self.chord.number, self.chord.alteration, self.chord.suffix, self.bass)


@dataclass(frozen=True)
class Harmonies:
    spans: list[Span]
    options: list[list[Setting]]
    """The best first."""
    exhausted: bool
    """Whether there are no others that keep the rules."""


def harmonize(task: Task, count: int) -> Harmonies:
    """Up to `count` different harmonisations, the best first."""
    words = vocabulary(task.style, task.key.mode, task.allow_extended)
    spans = task.line.spans(task.rhythm)
    demands = [_Demand(task, span) for span in spans]
    chords = [*words.chords, *_needed_reserve(words, demands)]
    lattice, states, alike = _lattice(task, words, demands, chords)

    def name(path: Path) -> tuple[tuple[int, int], ...]:
        return tuple((alike[state], states[state].bass) for state in path)

    step = _WEIGHTS[task.style].differing
    kin = [state.chord.root for state in states]
    paths, exhausted = differing_paths(
        lattice, count, name, [(alike, (1 - _KIN) * step), (kin, _KIN * step)], _STRONG / 2
    )
    return Harmonies(spans, [[states[state] for state in path] for path in paths], exhausted)


class _Demand:
    """What the melody asks of the chord under one span."""

    def __init__(self, task: Task, span: Span) -> None:
        line, tonic = task.line, task.key.tonic
        self.span = span
        strong = line.strong_notes(span)
        at_start = line.at(span.start)
        final = line.notes[-1] if span.last == len(line.beats) else None
        self.strong = [
            ((note.midi - tonic) % 12, _FINAL if note == final else _STRONG_START if note == at_start else _STRONG)
            for note in strong
        ]
        self.degrees: dict[int, float] = {}
        """Which share of the melody's time in the span each degree has."""
        notes = line.within(span.start, span.end)
        total = sum(overlap(note, span) for note in notes)
        for note in notes:
            degree = (note.midi - tonic) % 12
            self.degrees[degree] = self.degrees.get(degree, 0.0) + overlap(note, span) / total

    def fault(self, chord: Chord) -> float:
        return sum(weight for degree, weight in self.strong if degree not in chord.tones)

    def fit(self, chord: Chord) -> float:
        """The share of the melody's time that is in the chord; 1 where there is none."""
        return sum(share for degree, share in self.degrees.items() if degree in chord.tones) if self.degrees else 1.0


def overlap(note: LineNote, span: Span) -> int:
    """How long a note sounds within a span."""
    return min(note.end, span.end) - max(note.start, span.start)


def _needed_reserve(words: Vocabulary, demands: Sequence[_Demand]) -> list[Chord]:
    """The chords from outside that have a strong note which none of the style's own has."""
    own = {tone for chord in words.chords for tone in chord.tones}
    foreign = {degree for demand in demands for degree, _ in demand.strong} - own
    return [chord for chord in words.reserve if chord.tones & foreign]


def _lattice(
    task: Task, words: Vocabulary, demands: Sequence[_Demand], chords: Sequence[Chord]
) -> tuple[Lattice, list[Setting], list[int]]:
    """The lattice, its states, and which of the chords each state is."""
    weights = _WEIGHTS[task.style]
    own = {tone for chord in words.chords for tone in chord.tones}
    outside = [index >= len(words.chords) for index in range(len(chords))]
    states, likes, owners = [], [], []
    for index, chord in enumerate(chords):
        for bass, like in basses_of(task.style, task.bass_motion, chord):
            states.append(Setting(chord, bass))
            likes.append(like)
            owners.append(index)
    opinions = _opinions(task, demands)
    fit = weights.fit[task.rhythm]
    noise = random.Random(task.seed)
    layers = []
    for index, demand in enumerate(demands):
        is_last = index == len(demands) - 1
        foreign = {degree for degree, _ in demand.strong} - own
        values = []
        for chord, is_outside in zip(chords, outside, strict=True):
            if is_outside and not foreign & chord.tones:
                values.append(FORBIDDEN)
                continue
            value = weights.model * opinions[index](chord) + fit * demand.fit(chord) - demand.fault(chord)
            value += _COLOURS.get(chord.suffix, 0.0) + _SUBSTITUTES[chord.substitute] - _OUTSIDE * is_outside
            if chord.root == 0:
                value += weights.home * (is_last + (index == 0) / 2)
            if task.seed is not None:
                value += noise.gauss(0, _SEED_NOISE)
            values.append(value)
        inverted = 0.0 if task.bass_motion == "pedal" else _ENDS_INVERTED * (is_last + (index == 0) / 2)
        layers.append([
            values[owner] + like - inverted * (state.bass != state.chord.root)
            for owner, like, state in zip(owners, likes, states, strict=True)
        ])  # fmt: skip
    moves = [[_move(task, weights, words.minor, before, after) for before in states] for after in states]
    exceptions: list[dict[int, list[float]]] = [{}, *_parallels(task, demands, states, moves)]
    if task.style != "modal" and len(exceptions) > 1:
        for index, state in enumerate(states):
            if state.chord.root == 0:
                row = exceptions[-1].get(index) or moves[index]
                exceptions[-1][index] = [
                    value - _NO_CADENCE * (not closes(before.chord)) for value, before in zip(row, states, strict=True)
                ]
        _let_phrases_rest(task, demands, states, moves, exceptions)
    return Lattice(layers, moves, exceptions), states, owners


def _let_phrases_rest(
    task: Task,
    demands: Sequence[_Demand],
    states: Sequence[Setting],
    moves: Sequence[Sequence[float]],
    exceptions: Sequence[dict[int, list[float]]],
) -> None:
    """Makes the moves worse that are no cadence, where a phrase ends within the tune. Of fermatas in a tune for four
    voices the model knows more, having heard those of chorales."""
    if task.style == "classical" and len(task.line.fermatas) >= MARKED:
        return
    ends = [phrase.last.start for phrase in phrases(task.line)[:-1]]
    for demand, rows in zip(demands[1:-1], exceptions[1:-1], strict=True):
        if any(demand.span.start <= end < demand.span.end for end in ends):
            for index, after in enumerate(states):
                row = rows.get(index) or moves[index]
                rows[index] = [
                    value - _NO_REST * (not comes_to_rest(before.chord, after.chord, after.bass))
                    for value, before in zip(row, states, strict=True)
                ]


def _parallels(
    task: Task, demands: Sequence[_Demand], states: Sequence[Setting], moves: Sequence[Sequence[float]]
) -> Iterator[dict[int, list[float]]]:
    """For each span but the first: the moves that are worse there, since bass and melody would go in fifths or octaves
    whatever the other voices do."""
    line, tonic = task.line, task.key.tonic
    by_bass: dict[int, list[int]] = {}
    for index, state in enumerate(states):
        by_bass.setdefault(state.bass, []).append(index)
    for before, after in pairwise(demands):
        old, new = line.within(before.span.start, before.span.end), line.within(after.span.start, after.span.end)
        rows: dict[int, list[float]] = {}
        if old and new and (old[-1].midi - new[0].midi) % 12:
            for interval in (0, 7):
                leaving = by_bass.get((old[-1].midi - interval - tonic) % 12, [])
                for arriving in by_bass.get((new[0].midi - interval - tonic) % 12, []):
                    row = rows.setdefault(arriving, list(moves[arriving]))
                    for other in leaving:
                        row[other] -= _PARALLEL
        yield rows


def _move(task: Task, weights: Weights, minor: bool, before: Setting, after: Setting) -> float:
    value = bass_move(task.bass_motion, before.bass, after.bass, _BASS_FAULT)
    if before.chord == after.chord:
        return value + weights.staying[task.rhythm]
    if before.chord.root == after.chord.root and before.chord.family == after.chord.family:
        return value + _recoloured(task, weights, before.chord, after.chord)
    if not is_common(task.style, minor, before.chord, after.chord):
        value -= weights.unresolved if before.chord.resolves_to else weights.uncommon
    return value


def _recoloured(task: Task, weights: Weights, before: Chord, after: Chord) -> float:
    """What another chord on the same root is worth: a seventh that comes and a suspension that resolves go on."""
    if "sus" in before.suffix or not before.is_extended:
        return 0.0
    return weights.staying[task.rhythm] + (_RECOLOURED if after.is_extended else _SEVENTH_DROPPED)


def _opinions(task: Task, demands: Sequence[_Demand]) -> list["_Opinion"]:
    rows = chord_probabilities(task.line, task.key.tonic, task.key.is_minor)
    return [_Opinion(rows[demand.span.first : demand.span.last]) for demand in demands]


class _Opinion:
    """What the model says of the chords under a span: the mean of its beats, of which the first counts twice."""

    def __init__(self, rows: Sequence[dict[State, float]]) -> None:
        shares = [2.0, *[1.0] * (len(rows) - 1)]
        total = sum(shares)
        self._roots = [0.0] * 12
        self._states: dict[State, float] = {}
        for share, row in zip(shares, rows, strict=True):
            by_root = [LEAST] * 12
            for (root, family), probability in row.items():
                by_root[root] += probability
                self._states[root, family] = self._states.get((root, family), 0.0) + share / total * probability
            for root in range(12):
                self._roots[root] += share / total * log(by_root[root])

    def __call__(self, chord: Chord) -> float:
        root = _STANDS_FOR.get(chord.substitute or "", chord.root)
        probability = self._states.get((root, chord.family), 0.0)
        return self._roots[root] + 0.1 * log(probability + LEAST)
