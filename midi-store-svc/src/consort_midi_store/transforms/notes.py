"""The notes of a track, found by pairing its note-ons and note-offs, and mended where they are broken.

Pairs are first-in first-out per channel and pitch (`consort_music.midi.notes` has the rules), kept as parallel lists
because files have up to millions of notes. Before an operation changes a track, its notes are made whole: one that
nothing ends is ended with the track, one of zero length gets one tick, a note-off that ends nothing goes.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from operator import eq, itemgetter

from consort_midi_store.transforms.report import Report
from consort_music.midi.model import META, META_END_OF_TRACK, Event, Track
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

    ons: list[int]
    offs: list[int]
    starts: list[int]
    ends: list[int]
    keys: list[int]
    orphans: list[int]


def pair(track: Track) -> Pairs:
    ons: list[int] = []
    offs: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    keys: list[int] = []
    orphans: list[int] = []
    sounding = [NOTHING] * KEYS
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
            keys.append(key)
        elif note == NOTHING:
            orphans.append(index)
        else:
            offs[note] = index
            ends[note] = tick
            sounding[key] = waiting[key].popleft() if waiting.get(key) else NOTHING
    return Pairs(ons, offs, starts, ends, keys, orphans)


@dataclass(frozen=True, slots=True)
class WholeTrack:
    """A track in which every note-on and note-off belongs to a note that has a length, and what was done to get it."""

    events: Track
    pairs: Pairs
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


def make_whole(track: Track) -> WholeTrack:
    pairs = pair(track)
    hanging = [note for note, off in enumerate(pairs.offs) if off == NOTHING] if NOTHING in pairs.offs else []
    empty = list(compress(range(len(pairs.ons)), map(eq, pairs.starts, pairs.ends)))
    if not (hanging or empty or pairs.orphans):
        return WholeTrack(track, pairs)
    kept: list[Event | None] = list(track)
    end_of_track = take_end(kept)
    ended: list[Event] = []
    for note in empty:
        off = pairs.offs[note]
        tick, status, data = track[off]
        ended.append((tick + 1, status, data))
        kept[off] = None
    for place in pairs.orphans:
        kept[place] = None
    events = [*ended, *filter(None, kept)]
    for note in hanging:
        start, status, data = track[pairs.ons[note]]
        end = max(track[-1][0], start + 1)
        events.append((end, status & 0x8F, bytes((data[0], DEFAULT_RELEASE_VELOCITY))))
    events.sort(key=itemgetter(0))
    put_end(events, end_of_track)
    return WholeTrack(events, pair(events), len(hanging), len(empty), len(pairs.orphans))


def take_end(events: list[Event | None]) -> Event | None:
    """Take the end-of-track event off, to be put back when the events have moved."""
    last = events[-1] if events else None
    if last and last[1] == META and last[2][0] == META_END_OF_TRACK:
        return events.pop()
    return None


def put_end(events: list[Event], end_of_track: Event | None) -> None:
    if end_of_track:
        tick, status, data = end_of_track
        last = events[-1][0] if events else 0
        events.append((last, status, data) if last > tick else end_of_track)


class NoteCache:
    """The notes of tracks met in this run: operations that follow each other often need the same ones."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Track, WholeTrack]] = {}

    def of(self, track: Track) -> WholeTrack:
        known = self._known.get(id(track))
        if known is None:
            known = self._known[id(track)] = track, make_whole(track)
        return known[1]

    def put(self, track: Track, pairs: Pairs) -> None:
        """For an operation that knows the pairs of a track it has made."""
        self._known[id(track)] = track, WholeTrack(track, pairs)

    def forget_all_but(self, tracks: Iterable[Track]) -> None:
        kept = {id(track) for track in tracks}
        self._known = {key: known for key, known in self._known.items() if key in kept}
