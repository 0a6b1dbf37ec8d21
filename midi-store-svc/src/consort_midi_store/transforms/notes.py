"""The notes of a track, found by pairing its note-ons and note-offs, and mended where they are broken.

Pairs are first-in first-out per channel and pitch (`consort_music.midi.notes` has the rules), kept as parallel lists
because files have up to millions of notes. Before an operation changes a track, its notes are made whole: one that
nothing ends is ended with the track, one of zero length gets one tick, a note-off that ends nothing goes.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import eq, itemgetter

from consort_midi_store.transforms.report import Report
from consort_music.midi.model import END_OF_TRACK, META, Event, Track
from consort_music.midi.notes import DEFAULT_RELEASE_VELOCITY

NOTHING = -1
"""As the place of an event or the number of a note."""
KEYS = 16 << 7


@dataclass(slots=True)
class Pairs:
    """Notes in the order of their note-ons: where their events stand, when they sound, and on which key.

    A key is `channel << 7 | pitch`. `offs` and `ends` have -1 for a note that nothing ends. `orphans` are the places of
    note-offs that end nothing.
    """

    ons: MutableSequence[int]
    offs: MutableSequence[int]
    starts: list[int]
    ends: list[int]
    keys: list[int]
    orphans: list[int]


def pair(track: Track) -> Pairs:
    ons = array("i")
    offs = array("i")
    starts: list[int] = []
    ends: list[int] = []
    keys: list[int] = []
    orphans: list[int] = []
    sounding = [NOTHING] * KEYS
    one_of_each = list(range(KEYS))  # a million keys need not be a million numbers
    waiting: dict[int, deque[int]] = {}  # notes that began while their key was sounding
    for index, (tick, status, data) in enumerate(track):
        if status >= 0xA0:
            continue
        key = (status & 0x0F) << 7 | data[0]
        note = sounding[key]
        if status >= 0x90 and data[1]:
            if note == NOTHING:
                sounding[key] = len(ons)
            else:
                waiting.setdefault(key, deque()).append(len(ons))
            ons.append(index)
            offs.append(NOTHING)
            starts.append(tick)
            ends.append(NOTHING)
            keys.append(one_of_each[key])
        elif note == NOTHING:
            orphans.append(index)
        else:
            offs[note] = index
            ends[note] = tick
            sounding[key] = waiting[key].popleft() if waiting.get(key) else NOTHING
    return Pairs(ons, offs, starts, ends, keys, orphans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What was done to make the notes of a track whole."""

    closed: int = 0
    lengthened: int = 0
    orphans_removed: int = 0

    def report(self, report: Report, index: int) -> None:
        """To be called by an operation that changes the track; otherwise the original stays."""
        report.changed["closed"] += self.closed
        report.changed["lengthened"] += self.lengthened
        report.changed["stray_note_offs_removed"] += self.orphans_removed
        if self.closed:
            report.warnings.append(f"Track {index}: {self.closed} notes that nothing ended now end with the track.")
        if self.lengthened:
            report.warnings.append(f"Track {index}: {self.lengthened} notes of zero length now last one tick.")


@dataclass(frozen=True, slots=True)
class WholeTrack(Mended):
    """A track in which every note-on and note-off belongs to a note that has a length, and what was done to get it."""

    events: Track
    pairs: Pairs


def make_whole(track: Track) -> WholeTrack:
    pairs = pair(track)
    hanging = [note for note, off in enumerate(pairs.offs) if off == NOTHING] if NOTHING in pairs.offs else []
    empty = list(compress(range(len(pairs.ons)), map(eq, pairs.starts, pairs.ends)))
    if not (hanging or empty or pairs.orphans):
        return WholeTrack(track, pairs)
    moved = [pairs.offs[note] for note in empty]
    gone = {*moved, *pairs.orphans}
    events = [(tick + 1, status, data) for tick, status, data in map(track.__getitem__, moved)]
    events += [event for place, event in enumerate(track) if place not in gone]
    end_of_track = take_end(events)
    events.sort(key=itemgetter(0))
    _close(events, track[-1][0], [track[pairs.ons[note]] for note in hanging])
    put_end(events, end_of_track)
    return WholeTrack(
        events, pair(events), closed=len(hanging), lengthened=len(empty), orphans_removed=len(pairs.orphans)
    )


def _close(events: list[Event], end: int, hanging: Sequence[Event]) -> None:
    """End these notes at the track's end, in front of new notes on their keys."""
    keys = {(status & 0x0F, data[0]) for _, status, data in hanging}
    first = bisect_left(events, end, key=itemgetter(0))
    last = bisect_right(events, end, key=itemgetter(0))
    offs: list[Event] = []
    others: list[Event] = []
    ons: list[Event] = []
    for event in events[first:last]:
        _, status, data = event
        if status >= 0xA0 or (status & 0x0F, data[0]) not in keys:
            others.append(event)
        else:
            (ons if status >= 0x90 and data[1] else offs).append(event)
    for start, status, data in hanging:
        off = max(end, start + 1), status & 0x8F, bytes((data[0], DEFAULT_RELEASE_VELOCITY))
        if start < end:
            offs.append(off)
        else:
            events.append(off)
    events[first:last] = [*offs, *others, *ons]


def take_end(events: list[Event]) -> Event | None:
    """Take the end-of-track event off, to be put back when the events have moved."""
    last = events[-1] if events else None
    if last and last[1] == META and last[2][:1] == END_OF_TRACK:
        return events.pop()
    return None


def put_end(events: list[Event], end_of_track: Event | None) -> None:
    if end_of_track:
        tick, status, data = end_of_track
        last = events[-1][0] if events else 0
        events.append((last, status, data) if last > tick else end_of_track)
