"""Sort the events of a track by kind, and find the programs that its notes are played with.

The program of a note is the last one that any track has set for its channel. Many files set up all channels in one
track and have the notes in others.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter
from typing import Self

from consort_music.midi.model import (
    DRUM_CHANNEL,
    META,
    META_KEY_SIGNATURE,
    META_TEMPO,
    META_TIME_SIGNATURE,
    META_TRACK_NAME,
    Event,
    Track,
)

_ANY_BYTE = bytes(range(256))
IS_META = bytes(status == META for status in range(256))
"""A table for `bytes.translate`: 1 for the status of a meta event, otherwise 0."""
_IS_NOTE_ON = bytes(0x90 <= status <= 0x9F for status in range(256))
_METAS_OF_INTEREST = frozenset({META_TRACK_NAME, META_TEMPO, META_TIME_SIGNATURE, META_KEY_SIGNATURE})


@dataclass(frozen=True, slots=True)
class TrackEvents:
    """The events of one track by kind.

    `events` are all events, `metas` the meta events that a summary needs, and `notes` the note-ons with a velocity
    above 0. `statuses` are the status bytes that occur.
    """

    events: Track
    metas: list[Event]
    notes: list[Event]
    statuses: set[int]

    @classmethod
    def of(cls, track: Track) -> Self:
        statuses = bytes(map(itemgetter(1), track))  # selecting by a byte string is faster than event by event
        return cls(
            events=track,
            metas=[
                event for event in compress(track, statuses.translate(IS_META)) if event[2][0] in _METAS_OF_INTEREST
            ],
            notes=[event for event in compress(track, statuses.translate(_IS_NOTE_ON)) if event[2][1]],
            statuses=set(_ANY_BYTE).difference(_ANY_BYTE.translate(None, statuses)),
        )

    def melodic_pitches(self) -> set[int]:
        """Return the pitches of all notes that are not drums."""
        return {data[0] for data in set(map(itemgetter(2), self._pitched()))}

    def count_pitched(self) -> int:
        return len(self._pitched())

    def _pitched(self) -> list[Event]:
        drum_note = 0x90 | DRUM_CHANNEL
        return self.notes if drum_note not in self.statuses else [note for note in self.notes if note[1] != drum_note]


class ChannelPrograms:
    """The program changes of tracks that sound together, by channel."""

    def __init__(self, parts: Iterable[TrackEvents]) -> None:
        self._changes: defaultdict[int, list[Event]] = defaultdict(list)
        for part in parts:
            if any(0xC0 <= status <= 0xCF for status in part.statuses):
                for event in part.events:
                    if 0xC0 <= event[1] <= 0xCF:
                        self._changes[event[1] & 0x0F].append(event)
        for changes in self._changes.values():
            changes.sort(key=itemgetter(0))

    def under(self, notes: Track) -> list[tuple[int, int]]:
        """Return each (channel, program) that these notes are played with, sorted by channel, then by time."""
        found: list[tuple[int, int]] = []
        for note_on in sorted(set(map(itemgetter(1), notes))):
            channel = note_on & 0x0F
            changes = self._changes.get(channel, [])
            programs = {data[0] for data in set(map(itemgetter(2), changes))}
            if len(programs) == 1:
                found.append((channel, programs.pop()))
            elif programs:
                ticks = (tick for tick, status, _ in notes if status == note_on)
                found += ((channel, program) for program in _programs_at(ticks, changes))
            else:
                found.append((channel, 0))
        return found

    def at(self, channel: int, ticks: Iterable[int]) -> list[tuple[int, int]]:
        """Return the programs of a channel that are used at these ticks, as pairs (tick, program) sorted by tick.

        `ticks` must be sorted. The first pair has tick 0, each other pair has the tick of its program change.
        """
        found: list[tuple[int, int]] = []
        changes = self._changes.get(channel, [])
        since = program = place = 0
        for tick in ticks:
            while place < len(changes) and changes[place][0] <= tick:
                since, program = changes[place][0], changes[place][2][0]
                place += 1
            if not found or found[-1][1] != program:
                found.append((since if found else 0, program))
        return found


def _programs_at(ticks: Iterable[int], changes: Track) -> dict[int, None]:
    """Return the different programs at these ticks, sorted by time. Before the first change it is program 0."""
    found: dict[int, None] = {}
    program = place = 0
    for tick in ticks:
        while place < len(changes) and changes[place][0] <= tick:
            program = changes[place][2][0]
            place += 1
        found[program] = None
    return found
