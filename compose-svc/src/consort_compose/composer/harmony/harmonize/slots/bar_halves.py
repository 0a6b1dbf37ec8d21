"""Find bars whose halves spell different chords, such as the chords E and D of `E E F# D` in D major.

Such a bar has an even number of beats. The notes of each half are in a triad, those of one half spell two or more of
its tones, and no triad or dominant seventh has the notes of both halves. Passing and neighbour notes are left out.
A bar also needs two chords if a note that no dissonance explains is foreign to every chord of the whole bar.
"""

from collections.abc import Iterable, Sequence

from consort_compose.composer.harmony.degree_chords import TRIADS
from consort_compose.composer.harmony.harmonize.slots.foreign_notes import NoteCosts
from consort_compose.composer.harmony.melody_grid import ChordSlot, MelodyGrid

_CHORDS = TRIADS | {frozenset((root + tone) % 12 for tone in (0, 4, 7, 10)): root for root in range(12)}
"""The root of each triad and dominant seventh, by its pitch classes."""
_UNSUITABLE = 2.5
"""A chord does not suit a bar if its foreign notes cost this much."""
_STEP = 2


def spelled_halves(grid: MelodyGrid, halves: Sequence[ChordSlot]) -> list[frozenset[int]]:
    """Return the pitch classes that each half of a bar spells, or an empty list if they do not spell two chords."""
    if not _are_equal(halves):
        return []
    first, second = found = [_spelled(grid, half) for half in halves]
    is_clear = first and second and max(map(len, found)) > 1 and all(_is_within(tones, TRIADS) for tones in found)
    return found if is_clear and not _is_within(first | second, _CHORDS) else []


def needs_two_chords(costs: NoteCosts, bar: ChordSlot, halves: Sequence[ChordSlot]) -> bool:
    """Return whether each half of a bar has a triad or dominant seventh, but no such chord suits the whole bar."""
    if len(halves) != 2:
        return False
    whole = _least_cost(costs, bar)
    return whole >= _UNSUITABLE and sum(_least_cost(costs, half) for half in halves) <= whole - _UNSUITABLE


def spelled_triad(grid: MelodyGrid, halves: Sequence[ChordSlot]) -> frozenset[int]:
    """Return the pitch classes of a bar if they are two or three tones of one triad, otherwise an empty set."""
    if not _are_equal(halves):
        return frozenset()
    tones = frozenset().union(*(_spelled(grid, half) for half in halves))
    return tones if len(tones) > 1 and _is_within(tones, TRIADS) else frozenset()


def _least_cost(costs: NoteCosts, slot: ChordSlot) -> float:
    """Return what the foreign notes of a slot cost with the best chord."""
    notes = costs.within(slot)
    return min(sum(note.cost_in(tones, root) for note in notes) for tones, root in _CHORDS.items())


def _are_equal(halves: Sequence[ChordSlot]) -> bool:
    return len(halves) == 2 and halves[0].last - halves[0].first == halves[1].last - halves[1].first


def _is_within(tones: frozenset[int], chords: Iterable[frozenset[int]]) -> bool:
    return any(tones <= chord for chord in chords)


def _spelled(grid: MelodyGrid, half: ChordSlot) -> frozenset[int]:
    """Return the pitch classes in a half bar, without those of notes off the beat that come and go by step."""
    notes = grid.within(half.start, half.end)
    found = set()
    for index, note in enumerate(notes):
        is_between = 0 < index < len(notes) - 1 and grid.beat_at(note.start).start != note.start
        if is_between and all(0 < abs(notes[index + side].midi - note.midi) <= _STEP for side in (-1, 1)):
            continue
        found.add(note.midi % 12)
    return frozenset(found)
