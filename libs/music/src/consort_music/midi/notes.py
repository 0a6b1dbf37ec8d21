"""The notes of a track, paired from its note-on and note-off events.

Two readings of the events of a key (channel and pitch) are possible:

- first-in first-out, as sequencers do it: of two notes that sound at once, the first note-off ends the older one;
- the same, but a note-off that would end nothing belongs to the note-on after it on the same tick. Files whose events
  were sorted with note-offs first have notes of zero length that way, and first-in first-out would give each of them
  the end of the next note, and so on to the end of the track.

For each key the reading holds that leaves fewer events unmatched, on a tie the first.

A note-on with velocity 0 is a note-off (its release velocity is 64, what the standard assumes where a key's release
was not measured). A note that nothing ends lasts to the end of its track, and a note of zero length counts as one tick.

`pair` makes parallel lists, for files with millions of notes; `pair_notes` makes objects, to read and select.
"""

from array import array
from collections import defaultdict, deque
from collections.abc import Collection, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import eq, itemgetter
from typing import NamedTuple

from consort_music.collector import collector_paused
from consort_music.midi.model import END_OF_TRACK, META, Event, Track

DEFAULT_RELEASE_VELOCITY = 64
KEYS = 16 << 7
NOTHING = -1
"""As the place of an event or the number of a note."""


class Note(NamedTuple):
    """One note: channel from 0 to 15, times in ticks, and where its events stand among those of its track.

    `off_index` is None if no event ends the note. `end` is always after `start`: where the file gives the note no
    length, `has_no_length` is true and `end` is one tick after `start`.
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


class PairedNotes(NamedTuple):
    """`notes` in the order of their note-ons; the note-offs that end no note are only counted."""

    notes: list[Note]
    orphan_offs: int

    @property
    def hanging(self) -> int:
        return sum(note.off_index is None for note in self.notes)


@dataclass(slots=True)
class Pairs:
    """Notes in the order of their note-ons: where their events stand, when they sound, and on which key.

    A key is `channel << 7 | pitch`. `offs` and `ends` have -1 for a note that nothing ends. `ends` are those of the
    file, so a note of zero length ends where it starts. `orphans` are the places of note-offs that end nothing.
    """

    ons: MutableSequence[int]
    offs: MutableSequence[int]
    starts: list[int]
    ends: list[int]
    keys: list[int]
    orphans: list[int]

    def without_length(self) -> list[int]:
        """The numbers of the notes that end at the tick where they start."""
        return list(compress(range(len(self.ons)), map(eq, self.starts, self.ends)))


def pair_notes(track: Track, track_index: int = 0) -> PairedNotes:
    """Pair the events of one track; linear in their number, whatever they are."""
    pairs = pair(track)
    end_of_track = track[-1][0] if track else 0
    notes: list[Note] = []
    append, new = notes.append, tuple.__new__
    with collector_paused():
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
            # what Note(...) does, without the call of a Python function that NamedTuple puts around it
            fields = (
                *(track_index, status & 0x0F, data[0], start, sounding_end, data[1], release),
                *(on_index, place, is_empty),
            )
            append(new(Note, fields))
    return PairedNotes(notes, len(pairs.orphans))


def pair(track: Track) -> Pairs:
    """Pair the events of one track, as parallel lists; linear in their number."""
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
    pairs = Pairs(ons, offs, starts, ends, keys, orphans)
    # A key without both kinds of unmatched events cannot be read better: their numbers shrink only together.
    doubtful = {_key(track[place]) for place in orphans if sounding[_key(track[place])] != NOTHING}
    return _read_by_tick(track, pairs, doubtful) if doubtful else pairs


def count_hanging(track: Track) -> int:
    """How many notes nothing ends: as `pair` finds them, but several times as fast where all is in order."""
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
    """The pairs, with those keys of the doubtful ones read the second way that this leaves fewer events of."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, event in enumerate(track):
        if event[1] < 0xA0 and (key := _key(event)) in doubtful:
            places[key].append(place)
    ended: dict[int, int] = {}
    orphans: list[int] = []
    settled: set[int] = set()
    hanging = _count_hanging(pairs)
    for key, events in places.items():
        own, left = _second_reading(track, events)
        if sum(_is_on(track[place]) for place in events) - len(own) < hanging[key]:
            settled.add(key)
            ended |= own
            orphans += left
    for note, (on, key) in enumerate(zip(pairs.ons, pairs.keys, strict=True)):
        if key in settled:
            pairs.offs[note] = off = ended.get(on, NOTHING)
            pairs.ends[note] = track[off][0] if off != NOTHING else NOTHING
    pairs.orphans = sorted([*(place for place in pairs.orphans if _key(track[place]) not in settled), *orphans])
    return pairs


def _count_hanging(pairs: Pairs) -> defaultdict[int, int]:
    counts: defaultdict[int, int] = defaultdict(int)
    for key, off in zip(pairs.keys, pairs.offs, strict=True):
        counts[key] += off == NOTHING
    return counts


def _second_reading(track: Track, places: list[int]) -> tuple[dict[int, int], list[int]]:
    """Of the events of one key: the place of the note-off by that of its note-on, and the note-offs left over."""
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
    """Move the note-offs of notes of zero length to the next tick, before all else there, and leave out some events.

    The track itself is returned if nothing is to be done. `pairs` are the track's, where they are known; `without` are
    places of events.
    """
    pairs = pairs or pair(track)
    return _a_tick_later(track, [pairs.offs[note] for note in pairs.without_length()], without)


def with_offs_behind_ons(track: Track) -> Track:
    """Move the note-offs that stand before their own note-ons to the next tick, so that they end the notes when played.

    All else, notes of zero length with their events in order too, is left as it is; the track itself is returned if
    there are none.
    """
    pairs = pair(track)
    early = [off for on, off in zip(pairs.ons, pairs.offs, strict=True) if NOTHING < off < on]
    return _a_tick_later(track, early, ())


def _a_tick_later(track: Track, moved: Sequence[int], without: Collection[int]) -> Track:
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
