"""Pair the note-on and note-off events of a track into notes.

The events of a key (channel and pitch) can be paired in two ways:

- First in, first out, as sequencers do: if two notes of a key sound together, the first note-off ends the older one.
- The same, but a note-off that ends no note belongs to the next note-on at the same tick. This is for files whose
  events were sorted with note-offs first, so that the note-off of a note of zero length comes before its note-on. First
  in, first out would end each such note with the note-off of the next one.

For each key the way that leaves fewer unmatched events is used; on a tie it is the first way.

A note-on with velocity 0 is a note-off; its release velocity is 64, the default of the standard. A note without a
note-off lasts to the end of its track, and a note of zero length counts as one tick.

`pair` returns parallel lists, for files with millions of notes; `pair_notes` returns objects. Both take linear time.
"""

from array import array
from collections import defaultdict, deque
from collections.abc import Collection, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import eq, itemgetter
from typing import NamedTuple

from consort_music.gc_pause import gc_paused
from consort_music.midi.model import END_OF_TRACK, META, Event, Track

DEFAULT_RELEASE_VELOCITY = 64
KEYS = 16 << 7
"""The number of keys. A key is `channel << 7 | pitch`."""
NOTHING = -1
"""Stands for a missing event index or note number."""


class PairedNote(NamedTuple):
    """One note: channel from 0 to 15, times in ticks, and the indexes of its events in the track.

    `off_index` is None if no event ends the note. `end` is always after `start`: if the note has zero length in the
    file, `has_no_length` is true and `end` is one tick after `start`.
    """

    track: int
    channel: int
    pitch: int
    start: int
    end: int
    velocity: int
    release_velocity: int
    on_index: int
    off_index: int | None
    has_no_length: bool = False

    @property
    def is_hanging(self) -> bool:
        return self.off_index is None


class PairingResult(NamedTuple):
    """`notes` are in the order of their note-ons. `orphan_offs` is the number of note-offs that end no note."""

    notes: list[PairedNote]
    orphan_offs: int

    @property
    def hanging(self) -> int:
        return sum(note.off_index is None for note in self.notes)


@dataclass(slots=True)
class Pairs:
    """Notes in the order of their note-ons, as parallel lists.

    `ons` and `offs` are the indexes of their events in the track. `starts` and `ends` are ticks; a note of zero length
    ends where it starts. `offs` and `ends` are -1 for a note without a note-off. `orphans` are the indexes of note-offs
    that end no note.
    """

    ons: MutableSequence[int]
    offs: MutableSequence[int]
    starts: list[int]
    ends: list[int]
    keys: list[int]
    orphans: list[int]

    def without_length(self) -> list[int]:
        """Return the numbers of the notes that end at the tick where they start."""
        return list(compress(range(len(self.ons)), map(eq, self.starts, self.ends)))


def pair_notes(track: Track, track_index: int = 0) -> PairingResult:
    """Pair the events of one track into note objects."""
    pairs = pair(track)
    end_of_track = track[-1][0] if track else 0
    notes: list[PairedNote] = []
    append, new = notes.append, tuple.__new__
    with gc_paused():
        for on_index, off_index, start, end in zip(pairs.ons, pairs.offs, pairs.starts, pairs.ends, strict=True):
            _, status, data = track[on_index]
            place: int | None = off_index
            if off_index == NOTHING:
                place, end, release = None, end_of_track, DEFAULT_RELEASE_VELOCITY
            else:
                _, off_status, off_data = track[off_index]
                release = off_data[1] if off_status < 0x90 else DEFAULT_RELEASE_VELOCITY
            is_empty = end <= start
            sounding_end = start + 1 if is_empty else end
            # the same as PairedNote(...), without the Python function call of NamedTuple
            fields = (
                *(track_index, status & 0x0F, data[0], start, sounding_end, data[1], release),
                *(on_index, place, is_empty),
            )
            append(new(PairedNote, fields))
    return PairingResult(notes, len(pairs.orphans))


def pair(track: Track) -> Pairs:
    """Pair the events of one track into parallel lists."""
    ons = array("i")
    offs = array("i")
    starts: list[int] = []
    ends: list[int] = []
    keys: list[int] = []
    orphans: list[int] = []
    sounding = [NOTHING] * KEYS
    one_of_each = list(range(KEYS))  # so that a million notes share these integer objects
    waiting: dict[int, deque[int]] = {}  # notes that started while their key was sounding
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
    pairs = Pairs(ons, offs, starts, ends, keys, orphans)
    # The second way can only help a key with both an unmatched note-on and an unmatched note-off: it pairs such events.
    doubtful = {_key(track[place]) for place in orphans if sounding[_key(track[place])] != NOTHING}
    return _read_by_tick(track, pairs, doubtful) if doubtful else pairs


def count_hanging(track: Track) -> int:
    """Return the number of notes without a note-off. In valid tracks this is several times faster than `pair`."""
    sounding = [0] * KEYS
    is_odd = False
    for _, status, data in track:
        if status < 0xA0:
            key = (status & 0x0F) << 7 | data[0]
            if status >= 0x90 and data[1]:
                sounding[key] += 1
            elif sounding[key]:
                sounding[key] -= 1
            else:
                is_odd = True
    hanging = sum(sounding)
    return sum(off == NOTHING for off in pair(track).offs) if hanging and is_odd else hanging


def _key(event: Event) -> int:
    return (event[1] & 0x0F) << 7 | event[2][0]


def _is_on(event: Event) -> bool:
    return event[1] >= 0x90 and event[2][1] > 0


def _read_by_tick(track: Track, pairs: Pairs, doubtful: Collection[int]) -> Pairs:
    """Return the pairs. The notes of a doubtful key are paired the second way if that leaves fewer unmatched events."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, event in enumerate(track):
        if event[1] < 0xA0 and (key := _key(event)) in doubtful:
            places[key].append(place)
    ended: dict[int, int] = {}
    orphans: list[int] = []
    changed: set[int] = set()
    hanging = _count_hanging(pairs)
    for key, events in places.items():
        own, left = _second_reading(track, events)
        if sum(_is_on(track[place]) for place in events) - len(own) < hanging[key]:
            changed.add(key)
            ended |= own
            orphans += left
    for note, (on, key) in enumerate(zip(pairs.ons, pairs.keys, strict=True)):
        if key in changed:
            pairs.offs[note] = off = ended.get(on, NOTHING)
            pairs.ends[note] = track[off][0] if off != NOTHING else NOTHING
    pairs.orphans = sorted([*(place for place in pairs.orphans if _key(track[place]) not in changed), *orphans])
    return pairs


def _count_hanging(pairs: Pairs) -> defaultdict[int, int]:
    counts: defaultdict[int, int] = defaultdict(int)
    for key, off in zip(pairs.keys, pairs.offs, strict=True):
        counts[key] += off == NOTHING
    return counts


def _second_reading(track: Track, places: list[int]) -> tuple[dict[int, int], list[int]]:
    """Pair the events of one key the second way. `places` are their indexes.

    Return the index of the note-off for each note-on index, and the indexes of unmatched note-offs.
    """
    ended: dict[int, int] = {}
    orphans: list[int] = []
    waiting: deque[int] = deque()
    early: deque[int] = deque()  # note-offs of this tick that ended nothing
    for place in places:
        event = track[place]
        if early and track[early[0]][0] != event[0]:
            orphans += early
            early.clear()
        if _is_on(event):
            if early:
                ended[place] = early.popleft()
            else:
                waiting.append(place)
        elif waiting:
            ended[waiting.popleft()] = place
        else:
            early.append(place)
    return ended, [*orphans, *early]


def with_lengths(track: Track, pairs: Pairs | None = None, without: Collection[int] = ()) -> Track:
    """Return the track with every note of zero length made one tick long.

    Its note-off moves to the next tick, before all other events there. `without` are indexes of events to drop. `pairs`
    are those of the track, if known. If nothing changes, the track itself is returned.
    """
    pairs = pairs or pair(track)
    return _move_to_next_tick(track, [pairs.offs[note] for note in pairs.without_length()], without)


def with_offs_behind_ons(track: Track) -> Track:
    """Return the track with each note-off that comes before its own note-on moved to the next tick.

    Otherwise such notes would not end when they are played. Notes of zero length whose note-off comes after the note-on
    do not change. If nothing changes, the track itself is returned.
    """
    pairs = pair(track)
    early = [off for on, off in zip(pairs.ons, pairs.offs, strict=True) if NOTHING < off < on]
    return _move_to_next_tick(track, early, ())


def _move_to_next_tick(track: Track, moved: Sequence[int], without: Collection[int]) -> Track:
    if not (moved or without):
        return track
    gone = {*moved, *without}
    events = [(tick + 1, status, data) for tick, status, data in map(track.__getitem__, moved)]
    events += [event for place, event in enumerate(track) if place not in gone]
    end_of_track = take_end(events)
    events.sort(key=itemgetter(0))
    put_end(events, end_of_track)
    return events


def take_end(events: list[Event]) -> Event | None:
    """Remove and return the end-of-track event, or return None if there is none. `put_end` adds it again."""
    last = events[-1] if events else None
    if last and last[1] == META and last[2][:1] == END_OF_TRACK:
        return events.pop()
    return None


def put_end(events: list[Event], end_of_track: Event | None) -> None:
    """Append an end-of-track event. If the last event is later, it gets the tick of that event."""
    if end_of_track:
        tick, status, data = end_of_track
        last = events[-1][0] if events else 0
        events.append((last, status, data) if last > tick else end_of_track)
