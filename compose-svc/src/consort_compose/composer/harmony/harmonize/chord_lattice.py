"""Harmonize a melody: score every chord and bass of the style in every slot, and find the best paths.

The sizes of the scores give the rules this order of priority:

1. A melody note on a strong beat is a tone of its chord, if the style has such a chord. The last note of the melody
   counts most, then the note at the start of a slot.
2. The bass has the requested motion.
3. Everything else: the chord model, the common progressions of the style, and the share of the melody's time on chord
   tones.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from consort_compose.composer.harmony.degree_chords import DegreeChord, symbol_of
from consort_compose.composer.harmony.harmonize.chord_model import LEAST, ChordClass, chord_probabilities
from consort_compose.composer.harmony.harmonize.lattice_paths import FORBIDDEN, Lattice, LatticePath, differing_paths
from consort_compose.composer.harmony.harmonize.style_chords import HarmonyStyle, Vocabulary, style_vocabulary
from consort_compose.composer.harmony.harmonize.style_rules import (
    BassMotion,
    bass_move,
    basses_of,
    closes,
    comes_to_rest,
    is_common,
)
from consort_compose.composer.harmony.melody_grid import ChordRhythm, ChordSlot, GridNote, MelodyGrid
from consort_compose.composer.harmony.phrase_ends import MARKED, find_phrases
from consort_music.chords.symbol import ChordSymbol
from consort_music.keys import Key

_FINAL = 20_000.0
"""The cost if the last note of the melody, on a strong beat, is not a chord tone."""
_STRONG_START = 10_000.0
"""The cost if the note at a strong start of a slot is not a chord tone."""
_STRONG = 1_000.0
"""The cost if the note on another strong beat is not a chord tone."""
_BASS_FAULT = 200.0
"""The cost of a bass move without the requested motion."""
_PARALLEL = 8.0
"""The cost of parallel fifths or octaves between bass and melody."""
_SEED_NOISE = 0.35
"""Standard deviation of the noise that a seed adds to the scores."""
_OUTSIDE = 3.0
"""The cost of a chord from outside the style."""


@dataclass(frozen=True)
class StyleWeights:
    """The weights of the criteria in a style."""

    model: float
    """Weight of the chord model's log probability."""
    fit: dict[ChordRhythm, float]
    """Weight of the share of chord tones. It is larger for long chords, because the model scores single beats."""
    uncommon: float
    """Cost of a move that is not common in the style."""
    unresolved: float
    """Cost of such a move from a chord that should resolve."""
    staying: dict[ChordRhythm, float]
    """Score of repeating the same chord."""
    tonic_at_ends: float
    """Bonus of a tonic chord at the end; half of it at the start."""
    differing: float
    """Penalty of the chords of earlier options."""


_STAYING: dict[ChordRhythm, float] = {"per_measure": -0.5, "per_half": -0.3, "per_beat": -0.1}
_FIT: dict[ChordRhythm, float] = {"per_measure": 3.0, "per_half": 2.5, "per_beat": 2.0}
_WEIGHTS: dict[HarmonyStyle, StyleWeights] = {
    "classical": StyleWeights(
        model=1.0,
        fit={"per_measure": 2.0, "per_half": 1.0, "per_beat": 0.5},
        uncommon=0.3,
        unresolved=1.2,
        staying={"per_measure": -0.7, "per_half": -0.1, "per_beat": 0.0},
        tonic_at_ends=1.5,
        differing=0.8,
    ),
    "pop": StyleWeights(0.5, _FIT, 1.0, 1.0, _STAYING, 3.0, 0.8),
    "jazz": StyleWeights(0.5, dict.fromkeys(_FIT, 1.5), 1.2, 4.0, _STAYING, 3.0, 0.7),
    "modal": StyleWeights(0.2, _FIT, 0.8, 1.0, _STAYING, 2.0, 0.8),
}
_STANDS_FOR = {"tritone": 7, "diminished": 7}
"""Substitutes of the dominant, with the root whose probability in the model they use."""
_QUALITY_SCORES = {"9": -0.3, "maj9": -0.3, "m9": -0.3, "6": -0.4, "m6": -0.5, "13": -0.5, "m11": -0.6, "7sus4": -0.6,
                   "maj7#11": -0.7, "7b9": -0.4, "7#9": -0.5, "add9": -0.3, "sus4": -0.3, "sus2": -0.3}  # fmt: skip
_SUBSTITUTE_SCORES = {"tritone": -0.5, "diminished": -0.6, "secondary": -1.0, "borrowed": 0.0, None: 0.0}


_NO_CADENCE = 1.5
"""The cost of a final tonic without a cadence. The modal style does not have it."""
_NO_CADENCE_WITHIN = 1.0
"""The cost of a phrase end within the tune without a cadence."""
_ENDS_INVERTED = 4.0
"""The cost of an inversion at the end; half of it at the start."""
_EXTENSION_CHANGED = -0.2
"""Score of another extended chord on the same root (G7 to G9), added to that of staying."""
_SEVENTH_DROPPED = -0.6
"""Score of a chord that loses its seventh without resolving, added to that of staying."""
_SAME_ROOT_SHARE = 0.6
"""The share of the penalty for an earlier option that applies to all chords on the same root, such as G7 and G9."""


@dataclass(frozen=True)
class HarmonyTask:
    """A melody to harmonize, with the options of the caller."""

    grid: MelodyGrid
    key: Key
    style: HarmonyStyle
    rhythm: ChordRhythm = "per_measure"
    allow_extended: bool | None = None
    bass_motion: BassMotion = "any"
    seed: int | None = None


@dataclass(frozen=True)
class ChordWithBass:
    """A chord and its bass, in semitones above the tonic."""

    chord: DegreeChord
    bass: int

    def symbol(self, key: Key) -> ChordSymbol:
        return symbol_of(key, self.chord.number, self.chord.alteration, self.chord.suffix, self.bass)


@dataclass(frozen=True)
class Harmonies:
    """The harmonizations that were found."""

    slots: list[ChordSlot]
    options: list[list[ChordWithBass]]
    """One chord with its bass per slot. The best option comes first."""
    exhausted: bool
    """Whether the search has proved that no other option keeps the rules."""


def harmonize(task: HarmonyTask, count: int) -> Harmonies:
    """Return up to `count` different harmonizations, the best first."""
    vocabulary = style_vocabulary(task.style, task.key.mode, task.allow_extended)
    slots = task.grid.slots(task.rhythm)
    demands = [_Demand(task, slot) for slot in slots]
    chords = [*vocabulary.chords, *_needed_reserve(vocabulary, demands)]
    lattice, states, chord_indexes = _lattice(task, vocabulary, demands, chords)

    def name(path: LatticePath) -> tuple[tuple[int, int], ...]:
        return tuple((chord_indexes[state], states[state].bass) for state in path)

    step = _WEIGHTS[task.style].differing
    same_root = [state.chord.root for state in states]
    paths, exhausted = differing_paths(
        lattice,
        count,
        name,
        [(chord_indexes, (1 - _SAME_ROOT_SHARE) * step), (same_root, _SAME_ROOT_SHARE * step)],
        _STRONG / 2,
    )
    return Harmonies(slots, [[states[state] for state in path] for path in paths], exhausted)


class _Demand:
    """What the melody requires of the chord in one slot."""

    def __init__(self, task: HarmonyTask, slot: ChordSlot) -> None:
        grid, tonic = task.grid, task.key.tonic
        self.slot = slot
        strong = grid.strong_notes(slot)
        at_start = grid.at(slot.start)
        final = grid.notes[-1] if slot.last == len(grid.beats) else None
        self.strong = [
            ((note.midi - tonic) % 12, _FINAL if note == final else _STRONG_START if note == at_start else _STRONG)
            for note in strong
        ]
        self.degrees: dict[int, float] = {}
        """For each degree, its share of the melody's time in the slot."""
        notes = grid.within(slot.start, slot.end)
        total = sum(overlap(note, slot) for note in notes)
        for note in notes:
            degree = (note.midi - tonic) % 12
            self.degrees[degree] = self.degrees.get(degree, 0.0) + overlap(note, slot) / total

    def fault(self, chord: DegreeChord) -> float:
        """Return the cost of strong notes that are not in the chord."""
        return sum(weight for degree, weight in self.strong if degree not in chord.tones)

    def fit(self, chord: DegreeChord) -> float:
        """Return the share of the melody's time on chord tones, or 1 if the melody rests."""
        return sum(share for degree, share in self.degrees.items() if degree in chord.tones) if self.degrees else 1.0


def overlap(note: GridNote, slot: ChordSlot) -> int:
    """Return how long a note sounds within a slot, in ticks."""
    return min(note.end, slot.end) - max(note.start, slot.start)


def _needed_reserve(vocabulary: Vocabulary, demands: Sequence[_Demand]) -> list[DegreeChord]:
    """Return the reserve chords that contain a strong note which none of the style's chords contains."""
    own = {tone for chord in vocabulary.chords for tone in chord.tones}
    foreign = {degree for demand in demands for degree, _ in demand.strong} - own
    return [chord for chord in vocabulary.reserve if chord.tones & foreign]


def _lattice(
    task: HarmonyTask, vocabulary: Vocabulary, demands: Sequence[_Demand], chords: Sequence[DegreeChord]
) -> tuple[Lattice, list[ChordWithBass], list[int]]:
    """Return the lattice, its states, and the index of each state's chord."""
    weights = _WEIGHTS[task.style]
    own = {tone for chord in vocabulary.chords for tone in chord.tones}
    outside = [index >= len(vocabulary.chords) for index in range(len(chords))]
    states, bass_scores, chord_indexes = [], [], []
    for index, chord in enumerate(chords):
        for bass, bass_score in basses_of(task.style, task.bass_motion, chord):
            states.append(ChordWithBass(chord, bass))
            bass_scores.append(bass_score)
            chord_indexes.append(index)
    model_scores = _model_scores(task, demands)
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
            value = weights.model * model_scores[index](chord) + fit * demand.fit(chord) - demand.fault(chord)
            value += (
                _QUALITY_SCORES.get(chord.suffix, 0.0) + _SUBSTITUTE_SCORES[chord.substitute] - _OUTSIDE * is_outside
            )
            if chord.root == 0:
                value += weights.tonic_at_ends * (is_last + (index == 0) / 2)
            if task.seed is not None:
                value += noise.gauss(0, _SEED_NOISE)
            values.append(value)
        inverted = 0.0 if task.bass_motion == "pedal" else _ENDS_INVERTED * (is_last + (index == 0) / 2)
        layers.append([
            values[chord_index] + bass_score - inverted * (state.bass != state.chord.root)
            for chord_index, bass_score, state in zip(chord_indexes, bass_scores, states, strict=True)
        ])  # fmt: skip
    moves = [[_move(task, weights, vocabulary.minor, before, after) for before in states] for after in states]
    exceptions: list[dict[int, list[float]]] = [{}, *_parallels(task, demands, states, moves)]
    if task.style != "modal" and len(exceptions) > 1:
        for index, state in enumerate(states):
            if state.chord.root == 0:
                row = exceptions[-1].get(index) or moves[index]
                exceptions[-1][index] = [
                    value - _NO_CADENCE * (not closes(before.chord)) for value, before in zip(row, states, strict=True)
                ]
        _penalize_phrase_ends(task, demands, states, moves, exceptions)
    return Lattice(layers, moves, exceptions), states, chord_indexes


def _penalize_phrase_ends(
    task: HarmonyTask,
    demands: Sequence[_Demand],
    states: Sequence[ChordWithBass],
    moves: Sequence[Sequence[float]],
    exceptions: Sequence[dict[int, list[float]]],
) -> None:
    """Add a cost to moves that are no cadence where a phrase ends within the tune.

    Do nothing in classical style with fermatas, because the model has learned those phrase ends from chorales.
    """
    if task.style == "classical" and len(task.grid.fermatas) >= MARKED:
        return
    ends = [phrase.last.start for phrase in find_phrases(task.grid)[:-1]]
    for demand, rows in zip(demands[1:-1], exceptions[1:-1], strict=True):
        if any(demand.slot.start <= end < demand.slot.end for end in ends):
            for index, after in enumerate(states):
                row = rows.get(index) or moves[index]
                rows[index] = [
                    value - _NO_CADENCE_WITHIN * (not comes_to_rest(before.chord, after.chord, after.bass))
                    for value, before in zip(row, states, strict=True)
                ]


def _parallels(
    task: HarmonyTask, demands: Sequence[_Demand], states: Sequence[ChordWithBass], moves: Sequence[Sequence[float]]
) -> Iterator[dict[int, list[float]]]:
    """Yield, for each slot except the first, the rows of `moves` with a cost for parallels of bass and melody."""
    grid, tonic = task.grid, task.key.tonic
    by_bass: dict[int, list[int]] = {}
    for index, state in enumerate(states):
        by_bass.setdefault(state.bass, []).append(index)
    for before, after in pairwise(demands):
        old, new = grid.within(before.slot.start, before.slot.end), grid.within(after.slot.start, after.slot.end)
        rows: dict[int, list[float]] = {}
        if old and new and (old[-1].midi - new[0].midi) % 12:
            for interval in (0, 7):
                leaving = by_bass.get((old[-1].midi - interval - tonic) % 12, [])
                for arriving in by_bass.get((new[0].midi - interval - tonic) % 12, []):
                    row = rows.setdefault(arriving, list(moves[arriving]))
                    for other in leaving:
                        row[other] -= _PARALLEL
        yield rows


def _move(task: HarmonyTask, weights: StyleWeights, minor: bool, before: ChordWithBass, after: ChordWithBass) -> float:
    value = bass_move(task.bass_motion, before.bass, after.bass, _BASS_FAULT)
    if before.chord == after.chord:
        return value + weights.staying[task.rhythm]
    if before.chord.root == after.chord.root and before.chord.family == after.chord.family:
        return value + _same_root_move(task, weights, before.chord, after.chord)
    if not is_common(task.style, minor, before.chord, after.chord):
        value -= weights.unresolved if before.chord.resolves_to else weights.uncommon
    return value


def _same_root_move(task: HarmonyTask, weights: StyleWeights, before: DegreeChord, after: DegreeChord) -> float:
    """Return the score of moving to another chord of the same root and family.

    It is 0 if a triad gets a seventh or if a suspension resolves.
    """
    if "sus" in before.suffix or not before.is_extended:
        return 0.0
    return weights.staying[task.rhythm] + (_EXTENSION_CHANGED if after.is_extended else _SEVENTH_DROPPED)


def _model_scores(task: HarmonyTask, demands: Sequence[_Demand]) -> list["_ModelScore"]:
    rows = chord_probabilities(task.grid, task.key.tonic, task.key.is_minor)
    return [_ModelScore(rows[demand.slot.first : demand.slot.last]) for demand in demands]


class _ModelScore:
    """The model's log probability of a chord in a slot: the mean over its beats. The first beat counts twice."""

    def __init__(self, rows: Sequence[dict[ChordClass, float]]) -> None:
        shares = [2.0, *[1.0] * (len(rows) - 1)]
        total = sum(shares)
        self._roots = [0.0] * 12
        self._states: dict[ChordClass, float] = {}
        for share, row in zip(shares, rows, strict=True):
            by_root = [LEAST] * 12
            for (root, family), probability in row.items():
                by_root[root] += probability
                self._states[root, family] = self._states.get((root, family), 0.0) + share / total * probability
            for root in range(12):
                self._roots[root] += share / total * log(by_root[root])

    def __call__(self, chord: DegreeChord) -> float:
        root = _STANDS_FOR.get(chord.substitute or "", chord.root)
        probability = self._states.get((root, chord.family), 0.0)
        return self._roots[root] + 0.1 * log(probability + LEAST)
