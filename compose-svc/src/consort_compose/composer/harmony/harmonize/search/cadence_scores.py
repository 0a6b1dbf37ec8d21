"""Score the moves to the last chord of the tune and to the chords under the last notes of its phrases.

- The last note of the tune, if it is in the tonic chord, gets this chord after a chord that closes in the style. So
  does the first half of its bar, if the melody spells the tonic chord there too.
- The last note of an earlier phrase gets a chord that may end a phrase (`style_rules.comes_to_rest`), after a chord on
  another root. With shorter chords than a bar, the tonic and the dominant may begin before this note.
- If this note is held for half a bar, its degree asks for a chord: the second and the seventh degree, and in minor the
  fifth, for the dominant (a half cadence); the tonic for the tonic chord.

In classical style with fermatas, only the first rule is used, because the model has learned those phrase ends from
chorales. The third rule is not used in classical style with chords shorter than a bar, which that model scores too.
"""

from collections.abc import Callable, Sequence

from consort_compose.composer.harmony.degree_chords import MAJOR
from consort_compose.composer.harmony.harmonize.search.harmony_task import ChordWithBass, HarmonyTask
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot
from consort_compose.composer.harmony.harmonize.styles.jazz_rules import is_dominant, is_prepared
from consort_compose.composer.harmony.harmonize.styles.style_rules import closes, comes_to_rest, is_deceptive
from consort_compose.composer.harmony.harmonize.styles.style_weights import (
    APPLIED_DOMINANT,
    HALF_CADENCE,
    INVERTED_END,
    NO_CADENCE,
    PHRASE_BEGINS_ON_OLD_DOMINANT,
    STYLE_WEIGHTS,
)
from consort_compose.composer.harmony.melody_grid import ChordSlot
from consort_compose.composer.harmony.phrase_ends import MARKED

_TONIC, _SECOND, _DOMINANT, _LEADING_TONE = 0, 2, 7, 11
_PREDOMINANTS = (2, 5)
Rows = dict[int, list[float]]
MoveScore = Callable[[ChordWithBass, ChordWithBass], float]


def score_cadences(
    task: HarmonyTask,
    slots: Sequence[HarmonySlot],
    states: Sequence[ChordWithBass],
    moves: Sequence[Sequence[float]],
    exceptions: Sequence[Rows],
) -> None:
    """Add the scores of cadences to `exceptions`, which has the rows of each slot that differ from `moves`."""
    last = task.grid.notes[-1]
    arrival = max((index for index, slot in enumerate(slots) if slot.span.start <= last.start), default=0)
    if slots[arrival].is_second and _is_on_tonic(task, slots[arrival - 1].span):
        arrival -= 1
    if arrival:
        degree = (last.midi - task.key.tonic) % 12
        _add(_final_score(task, degree), states, moves, exceptions[arrival])
        _add_preparations(task, slots, arrival, states, moves, exceptions)
    for index, slot in enumerate(slots[1:], 1):
        if slot.opens_phrase:
            _add(_opening_score, states, moves, exceptions[index])
    if task.style == "classical" and len(task.grid.fermatas) >= MARKED:
        return
    for index, slot in enumerate(slots[1:-1], 1):
        if slot.holds_end and index != arrival:
            _add(_phrase_score(task, slot, slots[index - 1]), states, moves, exceptions[index])
            _add_preparations(task, slots, index, states, moves, exceptions)


def _add_preparations(
    task: HarmonyTask,
    slots: Sequence[HarmonySlot],
    end: int,
    states: Sequence[ChordWithBass],
    moves: Sequence[Sequence[float]],
    exceptions: Sequence[Rows],
) -> None:
    """Add the bonus of a prepared dominant to the moves to a phrase end and to the two slots before, within a bar."""
    bonus = STYLE_WEIGHTS[task.style].cadence_preparation
    if not bonus or task.rhythm != "per_measure":
        return

    def score(before: ChordWithBass, after: ChordWithBass) -> float:
        if task.style == "jazz":
            return bonus * (is_dominant(after.chord) and is_prepared(before.chord, after.chord))
        return bonus * (after.chord.root == _DOMINANT and before.chord.root in _PREDOMINANTS)

    for index in (end, end - 1, end - 2):
        if index > 0 and slots[index].bars_to_end <= 1:
            _add(score, states, moves, exceptions[index])


def _opening_score(before: ChordWithBass, after: ChordWithBass) -> float:
    return -PHRASE_BEGINS_ON_OLD_DOMINANT * (before.chord.root == after.chord.root == _DOMINANT)


def _add(score: MoveScore, states: Sequence[ChordWithBass], moves: Sequence[Sequence[float]], rows: Rows) -> None:
    """Add a score to all moves to a slot, by rows that differ from those of `moves`."""
    for index, after in enumerate(states):
        row = rows.get(index) or moves[index]
        rows[index] = [value + score(before, after) for value, before in zip(row, states, strict=True)]


def _tonic_triad(task: HarmonyTask) -> frozenset[int]:
    return frozenset((task.key.tonic + tone) % 12 for tone in (0, 3 if task.key.is_minor else 4, 7))


def _is_on_tonic(task: HarmonyTask, slot: ChordSlot) -> bool:
    """Return whether all notes in a slot are in the tonic chord."""
    tones = [note.midi % 12 for note in task.grid.within(slot.start, slot.end)]
    return bool(tones) and set(tones) <= _tonic_triad(task)


def _asks_for_dominant(task: HarmonyTask, slot: HarmonySlot) -> bool:
    """Return whether the note before the end of a phrase begins in a slot and is the second or seventh degree."""
    return slot.before_end is not None and (slot.before_end - task.key.tonic) % 12 in (_SECOND, _LEADING_TONE)


def _final_score(task: HarmonyTask, degree: int) -> MoveScore:
    is_home = (task.key.tonic + degree) % 12 in _tonic_triad(task)

    def score(before: ChordWithBass, after: ChordWithBass) -> float:
        if after.chord.root != _TONIC:
            return -NO_CADENCE * is_home
        return -NO_CADENCE * (not closes(task.style, before.chord, before.bass)) + _seventh(task, before)

    return score


def _phrase_score(task: HarmonyTask, slot: HarmonySlot, earlier: HarmonySlot) -> MoveScore:
    weights = STYLE_WEIGHTS[task.style]
    may_stay = task.rhythm != "per_measure" or (slot.is_second and not _asks_for_dominant(task, earlier))
    degree = None if slot.held_end is None else (slot.held_end - task.key.tonic) % 12
    asks = bool(task.song_weight) or task.style != "classical"
    on_dominant = degree in (_SECOND, _LEADING_TONE) or (degree == _DOMINANT and task.key.is_minor)

    def score(before: ChordWithBass, after: ChordWithBass) -> float:
        value = 0.0
        if before.chord.substitute == "secondary" and task.style == "classical":
            value += 2 * APPLIED_DOMINANT * (after.chord.root in before.chord.resolves_to)
        value -= INVERTED_END * (after.bass != after.chord.root and task.bass_motion == "any")
        if may_stay and before.chord.root == after.chord.root and after.chord.root in (_TONIC, _DOMINANT):
            return value
        if not comes_to_rest(task.style, before.chord, after.chord, after.bass):
            value -= weights.no_cadence_within
        if is_deceptive(before.chord, after.chord) and task.style == "jazz":
            value += weights.unresolved - weights.no_cadence_within
        if not asks or degree is None or before.chord.root == after.chord.root:
            return value
        if after.chord.root == _DOMINANT and (on_dominant or (slot.is_middle and degree == _DOMINANT)):
            return value + HALF_CADENCE * (task.style == "modal" or after.chord.family == MAJOR)
        if after.chord.root == _TONIC and degree == _TONIC:
            return value + HALF_CADENCE / 2 + _seventh(task, before)
        return value

    return score


def _seventh(task: HarmonyTask, before: ChordWithBass) -> float:
    """Return the bonus of a dominant seventh before the tonic: in classical style it is written at cadences."""
    is_seventh = before.chord.root == _DOMINANT and before.chord.suffix == "7"
    return STYLE_WEIGHTS[task.style].cadence_seventh * is_seventh
