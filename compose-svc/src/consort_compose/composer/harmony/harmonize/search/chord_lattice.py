"""Score every chord and bass of the style in every slot of a melody, and every move between them.

The sizes of the scores give the rules this order of priority:

1. A melody note on a strong beat is a tone of its chord, or resolves to one by step (`melody_demands.py`), if the style
   has such a chord. The last note of the melody counts most, then the note at the start of a slot.
2. In jazz, no chord tone is a semitone away from a held melody note, unless the note is an accepted tension.
3. The bass has the requested motion.
4. Everything else: the learned models, the common progressions of the style, and the share of the melody's time on
   chord tones.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from consort_compose.composer.harmony.degree_chords import DIMINISHED, MAJOR, DegreeChord
from consort_compose.composer.harmony.harmonize.chord_scores.slot_scores import ChordScore, bach_scores, song_scores
from consort_compose.composer.harmony.harmonize.chord_scores.song_model import move_feature, song_weights
from consort_compose.composer.harmony.harmonize.search.cadence_scores import score_cadences
from consort_compose.composer.harmony.harmonize.search.dominant_costs import DominantCosts
from consort_compose.composer.harmony.harmonize.search.harmony_task import ChordWithBass, HarmonyTask
from consort_compose.composer.harmony.harmonize.search.lattice_paths import FORBIDDEN, Lattice
from consort_compose.composer.harmony.harmonize.slots.foreign_notes import NoteCosts
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot
from consort_compose.composer.harmony.harmonize.slots.melody_demands import MelodyDemand
from consort_compose.composer.harmony.harmonize.styles.jazz_rules import (
    accepted_tensions,
    clashes,
    is_dominant,
    is_prepared,
)
from consort_compose.composer.harmony.harmonize.styles.style_chords import Vocabulary
from consort_compose.composer.harmony.harmonize.styles.style_rules import (
    bass_move,
    basses_of,
    is_common,
    is_six_four,
    keeps_motion,
)
from consort_compose.composer.harmony.harmonize.styles.style_weights import (
    ACCENTED_DISSONANCE,
    ARPEGGIO,
    BASS_CHANGED_WITHIN_BAR,
    BASS_FAULT,
    CHANGE_WITHIN_BAR,
    CLASH,
    DOUBLED_BASS,
    DOUBLED_LEADING_TONE,
    ENDS_INVERTED,
    EXTENSION_CHANGED,
    EXTENSION_CHANGED_WITHIN_BAR,
    INVERTED_OPENING,
    MISSPELLED,
    OTHER_THIRD,
    OUTSIDE,
    PARALLEL,
    QUALITY_SCORES,
    RETROGRESSION,
    SEED_NOISE,
    SEVENTH_DROPPED,
    SIX_FOUR,
    SIX_FOUR_FAULT,
    STEPWISE_BASS,
    STYLE_WEIGHTS,
    SUBSTITUTE_SCORES,
    SUSPENDED_AGAIN,
    UNRESOLVED_END,
    WRONG_NOTE,
)

_AFTER_DOMINANT = (0, 7, 8, 9, 11)
_DOMINANT, _LEADING_TONE, _PREDOMINANTS = 7, 11, (2, 5)


@dataclass(frozen=True)
class ChordLattice:
    """The lattice of a task. State `i` is `states[i]`, and `chord_indexes[i]` is the number of its chord."""

    lattice: Lattice
    states: list[ChordWithBass]
    chord_indexes: list[int]


def learned_scores(task: HarmonyTask, slots: Sequence[HarmonySlot]) -> list[ChordScore]:
    """Return for each slot a function that gives the score of a chord by the learned model of the task."""
    if task.song_weight:
        return song_scores(task.grid, task.key, slots, task.style)
    return bach_scores(task.grid, task.key, [slot.span for slot in slots])


def chord_lattice(
    task: HarmonyTask, vocabulary: Vocabulary, slots: Sequence[HarmonySlot], learned: Sequence[ChordScore]
) -> ChordLattice:
    """Return the lattice of all chords of the vocabulary in all slots. `learned` is from `learned_scores`."""
    demands = [MelodyDemand(task.grid, task.key.tonic, slot.span) for slot in slots]
    chords = [*vocabulary.chords, *_needed_reserve(vocabulary, demands)]
    states, bass_scores, chord_indexes = [], [], []
    for index, chord in enumerate(chords):
        for bass, bass_score in basses_of(task.style, task.bass_motion, chord):
            states.append(ChordWithBass(chord, bass))
            bass_scores.append(bass_score)
            chord_indexes.append(index)
    layers = []
    for index, values in enumerate(_chord_scores(task, vocabulary, slots, demands, chords, learned)):
        is_last = index == len(slots) - 1
        inverted = 0.0 if task.bass_motion == "pedal" else ENDS_INVERTED * (is_last + (index == 0) / 2)
        layers.append([
            values[chord_index]
            + bass_score
            - (state.bass != state.chord.root) * (inverted + _inversion_cost(task, slots[index], demands[index], state))
            for chord_index, bass_score, state in zip(chord_indexes, bass_scores, states, strict=True)
        ])  # fmt: skip
    moves, within = (
        [[_move(task, vocabulary.minor, before, after, is_second) for before in states] for after in states]
        for is_second in (False, True)
    )
    exceptions: list[dict[int, list[float]]] = [{}, *_parallels(task, slots, states, moves, within)]
    if len(exceptions) > 1:
        _forgive_held_notes(task, slots, states, moves, exceptions)
        _forgive_passing_clashes(task, slots, demands, states, exceptions)
        score_cadences(task, slots, states, moves, exceptions)
    return ChordLattice(Lattice(layers, moves, exceptions), states, chord_indexes)


def _inversion_cost(task: HarmonyTask, slot: HarmonySlot, demand: MelodyDemand, state: ChordWithBass) -> float:
    """Return the cost of an inversion in a slot, if the caller requests no bass motion."""
    if task.bass_motion != "any":
        return 0.0
    is_cadence = slot.bars_to_end <= 1 and not (slot.holds_end or slot.is_second or slot.opens_phrase)
    if is_six_four(task.style, state.chord, state.bass):
        return SIX_FOUR_FAULT * (not (is_cadence and task.song_weight))
    share = demand.degrees.get(state.bass, 0.0)
    doubled = DOUBLED_LEADING_TONE * (share > 0) if state.bass == _LEADING_TONE else DOUBLED_BASS * (share >= 0.5)
    return doubled + INVERTED_OPENING * (slot.opens_phrase or slot.is_opening)


def _needed_reserve(vocabulary: Vocabulary, demands: Sequence[MelodyDemand]) -> list[DegreeChord]:
    """Return the reserve chords that contain a strong note which none of the style's chords contains."""
    own = {tone for chord in vocabulary.chords for tone in chord.tones}
    foreign = {note.degree for demand in demands for note in demand.strong} - own
    return [chord for chord in vocabulary.reserve if chord.tones & foreign]


def _chord_scores(
    task: HarmonyTask,
    vocabulary: Vocabulary,
    slots: Sequence[HarmonySlot],
    demands: Sequence[MelodyDemand],
    chords: Sequence[DegreeChord],
    learned: Sequence[ChordScore],
) -> Iterator[list[float]]:
    """Yield the scores of all chords in each slot."""
    weights = STYLE_WEIGHTS[task.style]
    own = {tone for chord in vocabulary.chords for tone in chord.tones}
    songs = task.song_weight
    model = songs or weights.model
    fit, dissonance = (1 - songs) * weights.fit[task.rhythm], (1 - songs) * ACCENTED_DISSONANCE
    noise = random.Random(task.seed)
    dominants = DominantCosts(task, vocabulary)
    tensions = [
        {(chord.root + tension) % 12 for tension in accepted_tensions(chord)} if task.style == "jazz" else set()
        for chord in chords
    ]
    least = 0.0 if task.rhythm == "per_measure" else WRONG_NOTE
    costs = NoteCosts(task.grid, task.key.tonic)
    for index, (slot, demand, score) in enumerate(zip(slots, demands, learned, strict=True)):
        notes = costs.within(slot.span, slot.pickup)
        is_last = index == len(demands) - 1
        foreign = {note.degree for note in demand.strong} - own
        spelled = {(tone - task.key.tonic) % 12 for tone in slot.spelled}
        values = []
        for number, chord in enumerate(chords):
            is_outside = number >= len(vocabulary.chords)
            if is_outside and not foreign & chord.tones:
                values.append(FORBIDDEN)
                continue
            value = model * score(chord) + fit * demand.fit(chord) - demand.fault(chord)
            value -= dissonance * demand.dissonances(chord)
            costs_of_notes = [note.cost_in(chord.tones, chord.root, tensions[number]) for note in notes]
            value -= sum(cost for cost in costs_of_notes if cost >= least)
            value += QUALITY_SCORES.get(chord.suffix, 0.0) + SUBSTITUTE_SCORES[chord.substitute] - OUTSIDE * is_outside
            if chord.root == 0:
                value += weights.tonic_at_ends * (is_last + slot.is_opening / 2)
                value -= weights.tonic.get(task.rhythm, 0.0) * (
                    slot.held_end is None and not slot.is_opening and not is_last
                )
            value -= dominants.cost(slot, demand, demands[index - slot.is_second], chord)
            if chord.resolves_to or (task.style == "jazz" and chord.family == DIMINISHED):
                value -= UNRESOLVED_END * (is_last or slot.is_opening)
            if songs and not slot.holds_end:
                value += weights.favourites.get(chord.root, 0.0)
            value -= MISSPELLED * (not spelled <= chord.tones) + OTHER_THIRD * demand.has_other_third(chord)
            if task.style == "jazz":
                value -= CLASH * clashes(demand, chord) + ARPEGGIO * demand.arpeggiates_another(chord)
            if task.seed is not None:
                value += noise.gauss(0, SEED_NOISE)
            values.append(value)
        yield values


def _forgive_held_notes(
    task: HarmonyTask,
    slots: Sequence[HarmonySlot],
    states: Sequence[ChordWithBass],
    moves: Sequence[list[float]],
    exceptions: Sequence[dict[int, list[float]]],
) -> None:
    """Take back the cost of staying on a root for bars that begin with a held note, or follow a bar with two slots."""
    cost = STYLE_WEIGHTS[task.style].same_root
    if not task.song_weight or not cost:
        return
    for index, slot in enumerate(slots):
        held = task.grid.at(slot.span.start)
        is_held = held is not None and held.start < slot.span.start
        if index and not slot.is_second and (is_held or slots[index - 1].is_second):
            rows = exceptions[index]
            for number, after in enumerate(states):
                rows[number] = [
                    value + cost * (before.chord.root == after.chord.root)
                    for value, before in zip(rows.get(number, moves[number]), states, strict=True)
                ]


def _forgive_passing_clashes(
    task: HarmonyTask,
    slots: Sequence[HarmonySlot],
    demands: Sequence[MelodyDemand],
    states: Sequence[ChordWithBass],
    exceptions: Sequence[dict[int, list[float]]],
) -> None:
    """Take back the cost of clashes in the second half of a bar if the chord stays and the whole bar has none."""
    if task.style != "jazz":
        return
    for index, slot in enumerate(slots):
        if slot.is_second:
            span = slot.span._replace(start=slots[index - 1].span.start, first=slots[index - 1].span.first)
            whole = MelodyDemand(task.grid, task.key.tonic, span)
            rows = exceptions[index]
            for number, state in enumerate(states):
                forgiven = clashes(demands[index], state.chord) - clashes(whole, state.chord)
                if forgiven > 0:
                    rows[number] = list(rows[number])
                    rows[number][number] += CLASH * forgiven


def _parallels(
    task: HarmonyTask,
    slots: Sequence[HarmonySlot],
    states: Sequence[ChordWithBass],
    moves: Sequence[list[float]],
    within: Sequence[list[float]],
) -> Iterator[dict[int, list[float]]]:
    """Yield, for each slot except the first, the rows that differ from `moves`.

    They are those of `within` for the second slot of a bar, and rows with a cost for parallels of bass and melody.
    """
    grid, tonic = task.grid, task.key.tonic
    by_bass: dict[int, list[int]] = {}
    for index, state in enumerate(states):
        by_bass.setdefault(state.bass, []).append(index)
    for before, after in pairwise(slots):
        usual = within if after.is_second else moves
        rows: dict[int, list[float]] = dict(enumerate(usual)) if after.is_second else {}
        old = grid.within(before.span.start, before.span.end)
        new = grid.within(after.span.start, after.span.end)
        if task.in_voices and old and new and (old[-1].midi - new[0].midi) % 12:
            for interval in (0, 7):
                leaving = by_bass.get((old[-1].midi - interval - tonic) % 12, [])
                for arriving in by_bass.get((new[0].midi - interval - tonic) % 12, []) if leaving else ():
                    rows[arriving] = row = list(rows.get(arriving, usual[arriving]))
                    for other in leaving:
                        row[other] -= PARALLEL
        yield rows


def _move(task: HarmonyTask, minor: bool, before: ChordWithBass, after: ChordWithBass, is_second: bool) -> float:
    """Return the score of a move. `is_second` is for moves into the second slot of a bar."""
    weights = STYLE_WEIGHTS[task.style]
    value = bass_move(task.bass_motion, before.bass, after.bass, BASS_FAULT)
    songs = task.song_weight
    if task.style == "classical" and songs and task.bass_motion == "any":
        value += _classical_bass(before, after)
    if songs:
        classes = [(state.chord.root, state.chord.family) for state in (before, after)]
        value += songs * song_weights().get(move_feature(classes[0], classes[1], is_second), 0.0)
    elif is_second:
        value -= CHANGE_WITHIN_BAR * (before.chord.root != after.chord.root)
    if before.chord.root == after.chord.root == 0 and not is_second:
        value -= weights.tonic_after_tonic
    stays = 0.0 if is_second else (1 - songs) * weights.staying[task.rhythm]
    if songs and not is_second and before.chord.root == after.chord.root:
        value -= weights.same_root
    if task.style == "classical" and songs and before.chord.root == _DOMINANT and before.chord.family == MAJOR:
        value -= RETROGRESSION * (after.chord.root not in _AFTER_DOMINANT)
    if before.chord == after.chord:
        return value + stays - BASS_CHANGED_WITHIN_BAR * (is_second and before.bass != after.bass)
    if before.chord.root == after.chord.root and before.chord.family == after.chord.family:
        value -= weights.unresolved * (bool(before.chord.resolves_to) and not after.chord.resolves_to)
        return value + _same_root_move(stays, before.chord, after.chord) - EXTENSION_CHANGED_WITHIN_BAR * is_second
    if weights.prepared and is_dominant(after.chord):
        value += weights.prepared if is_prepared(before.chord, after.chord) else -weights.prepared
    if songs and after.chord.root == _DOMINANT and before.chord.root in _PREDOMINANTS:
        value += weights.predominant
    if before.chord.function == "D" and after.chord.root == 0:
        value += weights.resolved
    if not is_common(task.style, minor, before.chord, after.chord):
        value -= weights.unresolved if before.chord.resolves_to else weights.uncommon
    return value


def _classical_bass(before: ChordWithBass, after: ChordWithBass) -> float:
    """Return the score of a bass move of classical style: by step, or from the six-four chord to the dominant."""
    if is_six_four("classical", before.chord, before.bass):
        return SIX_FOUR if after.chord.root == after.bass == _DOMINANT else -SIX_FOUR_FAULT
    if is_six_four("classical", after.chord, after.bass):
        return -SIX_FOUR_FAULT * (before.chord.function == "D")
    is_other = before.chord.root != after.chord.root
    return STEPWISE_BASS * (is_other and keeps_motion("stepwise", before.bass, after.bass))


def _same_root_move(stays: float, before: DegreeChord, after: DegreeChord) -> float:
    """Return the score of moving to another chord of the same root and family.

    It is 0 if a triad gets a seventh or if a suspension resolves.
    """
    if "sus" in after.suffix:
        return stays - SUSPENDED_AGAIN
    if "sus" in before.suffix or not before.is_extended:
        return 0.0
    return stays + (EXTENSION_CHANGED if after.is_extended else SEVENTH_DROPPED)
