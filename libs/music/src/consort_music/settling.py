"""Notes that were moved, settled so that they read as what was meant.

Notes that come to overlap or to begin at once on one key are settled:

- the earlier one ends where the later one begins;
- of those that begin at once the loudest stays (of equally loud ones the longest);
- notes that overlapped or began at once before they were moved still may.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import lt

from consort_music.midi.notes import KEYS, NOTHING

REMOVED = -1
"""As the end of a note."""
_CROWDED = -2  # minus the number of a note


@dataclass(slots=True)
class MovedNotes:
    """Where notes are to be: `ends` REMOVED for those that go. `settle` makes it free of conflicts.

    `starts` of one key are in order. `origins`, if given, is the voice each note belonged to before (default: its key):
    only notes of one voice may go on overlapping. `velocity` is that of a note by its number. `forced` notes count as
    moved even where they stay.
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

    def settle(self) -> None:
        wanted = self.ends
        self.ends = ends = wanted.copy()
        contest = _Contest(self)
        last, enter = contest.last, contest.enter
        gap = 0 if self.origins is None else 1
        for note, (key, start) in enumerate(zip(self.keys, self.starts, strict=True)):
            before = last[key]
            if before >= 0 and ends[before] + gap <= start and ends[note] >= 0:
                last[key] = note
            else:
                enter(note, key)
        if contest.tangled:
            contest.order_ends()
        self.duplicates = ends.count(REMOVED) - wanted.count(REMOVED)
        self.shortened = sum(map(lt, ends, wanted)) - self.duplicates


class _Contest:
    """Notes on one key that overlap or begin at once; each enters in the order of the new starts.

    `last` is the newest note of each key. `crowds` are older ones that still sound because they overlapped it before;
    all of a crowd are of one voice, so their old ends are in order, and each note enters and leaves it once.
    """

    def __init__(self, moved: MovedNotes) -> None:
        self.moved = moved
        self.last = [NOTHING] * KEYS  # below -1 where there is a crowd, so that one comparison tells the simple case
        self.crowds: dict[int, deque[int]] = {}
        self.tangled: set[int] = set()
        self._twins: dict[int, int] = {}  # to the older of two notes that began at once before
        self._ended: dict[int, list[tuple[int, int]]] = {}  # by note: those it made end, and when they would have

    def enter(self, note: int, key: int) -> None:
        place = self.moved
        starts, ends = place.starts, place.ends
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
                self._stand(newest, key, crowd)
                return
            newest = self._remove(newest, crowd)
        if newest != NOTHING:
            if starts[newest] == start:
                self._twins[note] = newest
            crowd.append(newest)
        if crowd:
            self._make_room(crowd, note, start)
        self._stand(note, key, crowd)

    def _stand(self, newest: int, key: int, crowd: deque[int]) -> None:
        """Keep a note as the newest of its key, with those that sound under it."""
        if crowd:
            self.crowds[key] = crowd
            self.tangled.update((newest, crowd[-1]))
        self.last[key] = _CROWDED - newest if crowd else newest

    def _make_room(self, crowd: deque[int], note: int, start: int) -> None:
        """End those of the crowd that may not sound on under a new note."""
        place = self.moved
        ends, old_ends, was = place.ends, place.old_ends, place.old_starts[note]
        is_stranger = place.origins is not None and place.origins[crowd[-1]] != place.origins[note]
        while crowd and (is_stranger or old_ends[crowd[0]] <= was):
            older = crowd.popleft()
            if ends[older] > start:
                self._ended.setdefault(note, []).append((older, ends[older]))
                ends[older] = start
            if is_stranger and ends[older] == start:
                place.forced.add(older)  # its note-off may stand after the new note-on, which was another key's

    def _remove(self, note: int, crowd: deque[int]) -> int:
        """Remove the newest note again and restore what it ended; return the note that is the newest then, if any."""
        ends = self.moved.ends
        ends[note] = REMOVED
        for older, end in reversed(self._ended.pop(note, [])):
            ends[older] = end
            crowd.appendleft(older)
        return crowd.pop() if note in self._twins else NOTHING

    def order_ends(self) -> None:
        """Where notes of a key overlap, end them in the order they began: that is how they are read again."""
        place = self.moved
        ends = place.ends
        earliest: dict[int, int] = {}
        for note in sorted(self.tangled, reverse=True):
            key, end = place.keys[note], ends[note]
            if end != REMOVED:
                earliest[key] = ends[note] = min(end, earliest.get(key, end))
        place.forced |= self.tangled

    def _are_twins(self, older: int, newer: int) -> bool:
        place = self.moved
        return place.old_starts[older] == place.old_starts[newer] and (
            place.origins is None or place.origins[older] == place.origins[newer]
        )

    def _loudness(self, note: int) -> tuple[int, int]:
        place = self.moved
        return place.velocity(note), place.ends[note]
