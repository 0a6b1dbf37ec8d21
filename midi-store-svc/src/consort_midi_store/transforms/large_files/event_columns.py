"""A long track as numpy columns with one row per event. Columns are changed many times faster than tuples.

The data of system and meta events have variable length, so they are kept in a separate list, in the order of their
rows. No operation on columns moves, adds or removes such an event; transposing replaces the data of key signatures.
This module imports numpy, so it is imported only when a large file is processed.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import compress
from operator import itemgetter
from typing import Any, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from consort_music.midi.model import END_OF_TRACK, META, Event, Track
from consort_music.midi.writer import write_system_event

Integers: TypeAlias = NDArray[np.int64]
Octets: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.bool_]

_WIDTHS = np.array([1 if 0xC0 <= status < 0xE0 else 2 for status in range(0xF0)] + [0] * 16)
"""The number of data bytes of a channel message, by status; 0 for all other events."""


class EventColumns(Sequence[Event]):
    """One track. Its last row is its only end-of-track event. Reading it as a sequence of events is slow."""

    def __init__(
        self, ticks: Integers, statuses: Octets, firsts: Octets, seconds: Octets, system: Sequence[bytes]
    ) -> None:
        self.ticks = ticks
        self.statuses = statuses
        self.firsts = firsts
        """The first data byte of channel messages; 0 for other events."""
        self.seconds = seconds
        """The second data byte of channel messages that have one; 0 for other events."""
        self.system = system
        """The data of system and meta events, in the order of their rows."""

    @classmethod
    def of(cls, track: Track) -> Self | None:
        """Return the columns of a track.

        Return None if the track does not end with its only end-of-track event. Tracks from our reader always do.
        """
        if isinstance(track, cls):
            return track
        statuses = np.frombuffer(bytes(map(itemgetter(1), track)), np.uint8)
        is_system = statuses >= 0xF0
        system = list(compress(map(itemgetter(2), track), is_system.tolist()))
        metas = compress(system, (statuses[is_system] == META).tolist())
        if not track or track[-1][1:] != (META, END_OF_TRACK) or [data[:1] for data in metas].count(END_OF_TRACK) > 1:
            return None
        ticks = np.fromiter(map(itemgetter(0), track), np.int64, len(track))
        widths = _WIDTHS[statuses]
        widths[is_system] = list(map(len, system))
        data = np.frombuffer(b"".join(map(itemgetter(2), track)) + b"\0\0", np.uint8)
        places = widths.cumsum() - widths
        firsts = np.where(is_system, 0, data[places])
        seconds = np.where(is_system | (widths < 2), 0, data[places + 1])
        return cls(ticks, statuses, firsts.astype(np.uint8), seconds.astype(np.uint8), system)

    def __len__(self) -> int:
        return len(self.ticks)

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> list[Event]: ...
    def __getitem__(self, place: Any) -> Any:
        if place == -1:  # a shortcut, because the length of a track is needed often
            return int(self.ticks[-1]), META, END_OF_TRACK
        return self.events[place]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    @cached_property
    def events(self) -> list[Event]:
        known: dict[int, bytes] = {}  # even a million events have few distinct data bytes
        codes = (_WIDTHS[self.statuses] << 16 | self.firsts.astype(np.int64) << 8 | self.seconds).tolist()
        system = iter(self.system)
        data: list[bytes] = []
        for code in codes:
            made = known.get(code) if code >> 16 else next(system)
            if made is None:
                made = known[code] = bytes((code >> 8 & 127, code & 127))[: code >> 16]
            data.append(made)
        return list(zip(self.ticks.tolist(), self.statuses.tolist(), data, strict=True))

    def rows(self, chosen: NDArray[Any], ticks: Integers | None = None) -> Self:
        """Return the rows with these indexes, in this order. All system events must be chosen, in their old order.

        If `ticks` is given, it has a new tick for each row of this track.
        """
        old = self.ticks if ticks is None else ticks
        return type(self)(old[chosen], self.statuses[chosen], self.firsts[chosen], self.seconds[chosen], self.system)

    def repitched(self, pitches: Sequence[int], channels: Collection[int]) -> Self:
        """Change the pitch of notes and poly-pressure on these channels. `pitches[old]` is the new pitch."""
        statuses = [kind | channel for kind in (0x80, 0x90, 0xA0) for channel in channels]
        chosen = mask_of(256, statuses)[self.statuses]
        firsts = np.where(chosen, np.array(pitches, np.uint8)[self.firsts], self.firsts)
        return type(self)(self.ticks, self.statuses, firsts, self.seconds, self.system)

    def without_first(self, number: int) -> Self:
        """Remove the channel messages whose first data byte is `number`."""
        kept = np.flatnonzero(self.firsts != number)
        return self if len(kept) == len(self) else self.rows(kept)

    def velocities(self, statuses: Collection[int]) -> Counter[int]:
        """Count the messages with these statuses by their second data byte. Messages where it is 0 are not counted."""
        counts = np.bincount(self.seconds[mask_of(256, statuses)[self.statuses]], minlength=1)
        return Counter({velocity: count for velocity, count in enumerate(counts.tolist()) if velocity and count})

    def with_velocities(self, new: Sequence[int], statuses: Collection[int]) -> Self:
        """Change the second data byte of messages with these statuses. `new[old]` is the new byte."""
        chosen = mask_of(256, statuses)[self.statuses]
        seconds = np.where(chosen, np.array(new, np.uint8)[self.seconds], self.seconds)
        return type(self)(self.ticks, self.statuses, self.firsts, seconds, self.system)

    @property
    def metas(self) -> list[bytes]:
        """The data of the meta events."""
        return list(compress(self.system, self._is_meta))

    def with_metas(self, change: Callable[[bytes], bytes]) -> Self:
        """Apply `change` to the data of each meta event."""
        system = [change(data) if is_meta else data for data, is_meta in zip(self.system, self._is_meta, strict=True)]
        return type(self)(self.ticks, self.statuses, self.firsts, self.seconds, system)

    @property
    def _is_meta(self) -> list[bool]:
        """For each item of `system`: whether it belongs to a meta event."""
        is_meta: list[bool] = (self.statuses[self.statuses >= 0xF0] == META).tolist()
        return is_meta

    @cached_property
    def chunk_body(self) -> bytes:
        """The body of the track's chunk, with running status: the bytes that `write_midi` makes from the events."""
        statuses, is_system = self.statuses, self.statuses >= 0xF0
        system = [bytes(self._system_event(*event)) for event in zip(statuses[is_system], self.system, strict=True)]
        has_status = ~is_system & (statuses != np.concatenate((np.zeros(1, np.uint8), statuses[:-1])))
        deltas = np.diff(self.ticks, prepend=0)
        widths = _WIDTHS[statuses]
        widths[is_system] = list(map(len, system))
        sizes = 1 + sum((deltas >= 1 << bits).astype(np.int64) for bits in (7, 14, 21)) + has_status + widths
        ends = sizes.cumsum()
        place = ends - sizes
        body = np.empty(ends[-1], np.uint8)
        for bits in (21, 14, 7):
            longer = np.flatnonzero(deltas >= 1 << bits)
            body[place[longer]] = deltas[longer] >> bits & 127 | 128
            place[longer] += 1
        body[place] = deltas & 127
        place += 1
        body[place[has_status]] = statuses[has_status]
        place += has_status
        body[place[~is_system]] = self.firsts[~is_system]
        has_second = ~is_system & (widths == 2)
        body[place[has_second] + 1] = self.seconds[has_second]
        lengths = widths[is_system]
        steps = np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths)
        body[np.repeat(place[is_system], lengths) + steps] = np.frombuffer(b"".join(system), np.uint8)
        return body.tobytes()

    @staticmethod
    def _system_event(status: int, data: bytes) -> bytearray:
        written = bytearray()
        write_system_event(written, int(status), data)
        return written


def mask_of(count: int, chosen: Collection[int]) -> Mask:
    """Return an array of `count` booleans that are True at the chosen indexes."""
    mask = np.zeros(count, np.bool_)
    mask[list(chosen)] = True
    return mask
