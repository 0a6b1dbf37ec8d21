"""Resolve overlaps between notes after they were moved.

If two notes on one key (channel and pitch) overlap after the move:

- the earlier note ends where the later one starts;
- if both start at the same tick, the louder one is kept; if they are equally loud, the longer one;
- notes that already overlapped or started together before the move may still do so.

This is one pass over the notes, sorted by new start, in linear time.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import lt

from consort_music.midi.notes import KEYS, NOTHING

REMOVED = -1
"""The end of a note that is removed."""
_CROWDED = -2  # `_CROWDED - note` marks a key on which older notes still sound; see `_OverlapResolver.last`


@dataclass(slots=True)
class MovedNotes:
    """Notes at their new positions. `resolve` removes the conflicts between them and counts what it changed.

    A note is a number: its index in each of these lists. Notes of one key are sorted by new start. The end of a removed
    note is REMOVED. `origins`, if given, has the voice that each note belonged to before the move (by default its key):
    only notes of the same voice may keep overlapping. `velocity` returns the velocity of a note. `forced` has the notes
    that the caller must treat as moved even if their position is the same.
    """

    starts: list[int]
    ends: list[int]
    old_starts: Sequence[int]
    old_ends: Sequence[int]
    keys: Sequence[int]
    velocity: Callable[[int], int]
    origins: Sequence[int] | None = None
    forced: set[int] = field(default_factory=set)
    duplicates: int = 0
    shortened: int = 0

    def resolve(self) -> None:
        wanted = self.ends
        self.ends = ends = wanted.copy()
        resolver = _OverlapResolver(self)
        last, enter = resolver.last, resolver.enter
        gap = 0 if self.origins is None else 1
        for note, (key, start) in enumerate(zip(self.keys, self.starts, strict=True)):
            before = last[key]
            if before >= 0 and ends[before] + gap <= start and ends[note] >= 0:
                last[key] = note
            else:
                enter(note, key)
        if resolver.tangled:
            resolver.order_ends()
        self.duplicates = ends.count(REMOVED) - wanted.count(REMOVED)
        self.shortened = sum(map(lt, ends, wanted)) - self.duplicates


class _OverlapResolver:
    """Handles the notes that overlap or start together on one key. They are added in the order of their new starts.

    `last[key]` is the newest note of a key. `crowds[key]` are older notes that still sound, because they overlapped the
    newest note before the move. All notes of a crowd are of one voice, so their old ends are in order. Each note is
    added once and removed once. `tangled` are notes whose ends `order_ends` has to put in order.
    """

    def __init__(self, moved: MovedNotes) -> None:
        self.moved = moved
        # For a key with a crowd this is `_CROWDED - note`, a negative number, so one comparison finds the simple case.
        self.last = [NOTHING] * KEYS
        self.crowds: dict[int, deque[int]] = {}
        self.tangled: set[int] = set()
        self._twins: dict[int, int] = {}  # for each note, the older note that started together with it before the move
        self._shortened: dict[int, list[tuple[int, int]]] = {}  # for each note, the notes it shortened and their ends

    def enter(self, note: int, key: int) -> None:
        moved = self.moved
        starts, ends = moved.starts, moved.ends
        if ends[note] == REMOVED:
            return
        newest = self.last[key]
        if newest < NOTHING:
            newest = _CROWDED - newest
        start = starts[note]
        crowd = self.crowds.pop(key, None) or deque()
        while newest != NOTHING and starts[newest] == start and not self._are_twins(newest, note):
            if self._loudness(newest) >= self._loudness(note):
                ends[note] = REMOVED
                self._make_newest(newest, key, crowd)
                return
            newest = self._remove(newest, crowd)
        if newest != NOTHING:
            if starts[newest] == start:
                self._twins[note] = newest
            crowd.append(newest)
        if crowd:
            self._make_room(crowd, note, start)
        self._make_newest(note, key, crowd)

    def _make_newest(self, newest: int, key: int, crowd: deque[int]) -> None:
        """Make a note the newest one of its key. `crowd` are the older notes that still sound."""
        if crowd:
            self.crowds[key] = crowd
            self.tangled.update((newest, crowd[-1]))
        self.last[key] = _CROWDED - newest if crowd else newest

    def _make_room(self, crowd: deque[int], note: int, start: int) -> None:
        """End the notes of the crowd that may not overlap a new note where the new note starts."""
        moved = self.moved
        ends, old_ends, was = moved.ends, moved.old_ends, moved.old_starts[note]
        is_other_voice = moved.origins is not None and moved.origins[crowd[-1]] != moved.origins[note]
        while crowd and (is_other_voice or old_ends[crowd[0]] <= was):
            older = crowd.popleft()
            if ends[older] > start:
                self._shortened.setdefault(note, []).append((older, ends[older]))
                ends[older] = start
            if is_other_voice and ends[older] == start:
                moved.forced.add(older)  # its note-off may follow the new note-on in the file, which was on another key

    def _remove(self, note: int, crowd: deque[int]) -> int:
        """Remove the newest note and undo its shortening of others. Return the newest note left, or NOTHING."""
        ends = self.moved.ends
        ends[note] = REMOVED
        for older, end in reversed(self._shortened.pop(note, [])):
            ends[older] = end
            crowd.appendleft(older)
        return crowd.pop() if note in self._twins else NOTHING

    def order_ends(self) -> None:
        """Let overlapping notes of a key end in the order in which they started, as readers of MIDI files assume."""
        moved = self.moved
        ends = moved.ends
        earliest: dict[int, int] = {}
        for note in sorted(self.tangled, reverse=True):
            key, end = moved.keys[note], ends[note]
            if end != REMOVED:
                earliest[key] = ends[note] = min(end, earliest.get(key, end))
        moved.forced |= self.tangled

    def _are_twins(self, older: int, newer: int) -> bool:
        moved = self.moved
        return moved.old_starts[older] == moved.old_starts[newer] and (
            moved.origins is None or moved.origins[older] == moved.origins[newer]
        )

    def _loudness(self, note: int) -> tuple[int, int]:
        moved = self.moved
        return moved.velocity(note), moved.ends[note]
