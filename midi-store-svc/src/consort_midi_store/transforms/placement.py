"""Notes put where an operation wants them, so that they read as what was meant.

Notes that come to overlap or to begin at once on one key are settled:

- the earlier one ends where the later one begins;
- of those that begin at once the loudest stays (of equally loud ones the longest);
- notes that overlapped or began at once before the operation still may.

At one tick, moved note-offs come first and moved note-ons last; all events that were not moved keep their order.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import itemgetter, lt, ne

from consort_midi_store.transforms.report import Report
from consort_music.midi.model import Event, Track
from consort_music.midi.notes import KEYS, NOTHING, Pairs, put_end, take_end

REMOVED = -1
"""As the end of a note."""
_UNMOVED = -2
_CROWDED = -2  # minus the number of a note


@dataclass(slots=True)
class Placement:
    """Where the notes of a track shall be: `ends` REMOVED for those that go. `settle` makes it free of conflicts.

    `starts` of one key are in order. `origins`, if given, is the voice each note belonged to before (default: its key):
    only notes of one voice may go on overlapping. `forced` notes count as moved even where they stay.
    """

    track: Track
    pairs: Pairs
    starts: list[int]
    ends: list[int]
    keys: list[int]
    origins: Sequence[int] | None = None
    forced: set[int] = field(default_factory=set)
    duplicates: int = 0
    shortened: int = 0

    def settle(self, report: Report) -> None:
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
        report.changed["shortened"] += self.shortened
        report.changed["duplicates_removed"] += self.duplicates

    @property
    def moved(self) -> int:
        """How many of the notes that stay have another start."""
        moves: int = sum(map(ne, self.starts, self.pairs.starts))
        if REMOVED in self.ends:
            moves -= sum(
                end == REMOVED and start != was
                for start, was, end in zip(self.starts, self.pairs.starts, self.ends, strict=True)
            )
        return moves

    @property
    def resized(self) -> int:
        """How many of the notes that stay have another length."""
        pairs = self.pairs
        return sum(
            end != REMOVED and end - start != old_end - was
            for start, end, was, old_end in zip(self.starts, self.ends, pairs.starts, pairs.ends, strict=True)
        )

    def rebuild(self) -> Track:
        """The track with its notes there. In steps over whole lists, because most of an operation's time goes here."""
        track, pairs, starts, ends = self.track, self.pairs, self.starts, self.ends
        new_on = list(map(ne, starts, pairs.starts))
        new_off = list(map(ne, ends, pairs.ends))
        for note in self.forced:
            new_on[note] = new_off[note] = True
        if REMOVED in ends:
            starts = starts.copy()
            for note in compress(range(len(ends)), [end == REMOVED for end in ends]):
                starts[note] = REMOVED
                new_on[note] = new_off[note] = True
        on_ticks, off_ticks = [_UNMOVED] * len(track), [_UNMOVED] * len(track)
        for place, tick in zip(compress(pairs.ons, new_on), compress(starts, new_on), strict=True):
            on_ticks[place] = tick
        for place, tick in zip(compress(pairs.offs, new_off), compress(ends, new_off), strict=True):
            off_ticks[place] = tick
        rebuilt = _retimed(track, off_ticks)
        rebuilt += [event for event, on, off in zip(track, on_ticks, off_ticks, strict=True) if on == off]
        end_of_track = take_end(rebuilt) if track else None
        rebuilt += _retimed(track, on_ticks)
        rebuilt.sort(key=itemgetter(0))  # stable: at one tick the moved offs stay first, the moved ons last
        put_end(rebuilt, end_of_track)
        return rebuilt


def _retimed(track: Track, ticks: list[int]) -> list[Event]:
    return [(tick, status, data) for tick, (_, status, data) in zip(ticks, track, strict=True) if tick >= 0]


class _Contest:
    """Notes on one key that overlap or begin at once; each enters in the order of the new starts.

    `last` is the newest note of each key. `crowds` are older ones that still sound because they overlapped it before;
    all of a crowd are of one voice, so their old ends are in order, and each note enters and leaves it once.
    """

    def __init__(self, placement: Placement) -> None:
        self.placement = placement
        self.last = [NOTHING] * KEYS  # below -1 where there is a crowd, so that one comparison tells the simple case
        self.crowds: dict[int, deque[int]] = {}
        self.tangled: set[int] = set()
        self._twins: dict[int, int] = {}  # to the older of two notes that began at once before
        self._ended: dict[int, list[tuple[int, int]]] = {}  # by note: those it made end, and when they would have

    def enter(self, note: int, key: int) -> None:
        place = self.placement
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
        place = self.placement
        ends, old_ends, was = place.ends, place.pairs.ends, place.pairs.starts[note]
        is_stranger = place.origins is not None and place.origins[crowd[-1]] != place.origins[note]
        while crowd and (is_stranger or old_ends[crowd[0]] <= was):
            older = crowd.popleft()
            if ends[older] > start:
                self._ended.setdefault(note, []).append((older, ends[older]))
                ends[older] = start
            if is_stranger and ends[older] == start:
                place.forced.add(older)  # its note-off may stand after the new note-on, which was another key's

    def _remove(self, note: int, crowd: deque[int]) -> int:
        """Take the newest note away again, as if it had never come; the one that is newest then, if it matters."""
        ends = self.placement.ends
        ends[note] = REMOVED
        for older, end in reversed(self._ended.pop(note, [])):
            ends[older] = end
            crowd.appendleft(older)
        return crowd.pop() if note in self._twins else NOTHING

    def order_ends(self) -> None:
        """Where notes of a key overlap, end them in the order they began: that is how they are read again."""
        place = self.placement
        ends = place.ends
        earliest: dict[int, int] = {}
        for note in sorted(self.tangled, reverse=True):
            key, end = place.keys[note], ends[note]
            if end != REMOVED:
                earliest[key] = ends[note] = min(end, earliest.get(key, end))
        place.forced |= self.tangled

    def _are_twins(self, older: int, newer: int) -> bool:
        place = self.placement
        return place.pairs.starts[older] == place.pairs.starts[newer] and (
            place.origins is None or place.origins[older] == place.origins[newer]
        )

    def _loudness(self, note: int) -> tuple[int, int]:
        place = self.placement
        return place.track[place.pairs.ons[note]][2][1], place.ends[note]
