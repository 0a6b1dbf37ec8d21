"""A long track as columns of numbers, a row for each event: numpy changes them many times as fast as tuples.

The data of system and meta events have any length; they are in a list of their own, in the order of their rows, and no
operation on columns moves, adds or takes away one of these (a transposition changes key signatures in place). numpy is
imported with this module, which is why nothing imports it before there is a big file.
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

Numbers: TypeAlias = NDArray[np.int64]
Octets: TypeAlias = NDArray[np.uint8]
Choice: TypeAlias = NDArray[np.bool_]

_WIDTHS = np.array([1 if 0xC0 <= status < 0xE0 else 2 for status in range(0xF0)] + [0] * 16)
"""How many data bytes a channel message has, by status; 0 for all others."""


class Columns(Sequence[Event]):
    """The rows of one track, the last of which is its only end-of-track; read as any other track, slowly."""

    def __init__(
        self, ticks: Numbers, statuses: Octets, firsts: Octets, seconds: Octets, system: Sequence[bytes]
    ) -> None:
        self.ticks = ticks
        self.statuses = statuses
        self.firsts = firsts  # data bytes, 0 where there is none
        self.seconds = seconds
        self.system = system

    @classmethod
    def of(cls, track: Track) -> Self | None:
        """None for what no reader gives: a track without an end, or with several."""
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
        if place == -1:  # how long the track is, is asked often
            return int(self.ticks[-1]), META, END_OF_TRACK
        return self.events[place]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    @cached_property
    def events(self) -> list[Event]:
        known: dict[int, bytes] = {}  # a million events have few different data
        codes = (_WIDTHS[self.statuses] << 16 | self.firsts.astype(np.int64) << 8 | self.seconds).tolist()
        system = iter(self.system)
        data: list[bytes] = []
        for code in codes:
            made = known.get(code) if code >> 16 else next(system)
            if made is None:
                made = known[code] = bytes((code >> 8 & 127, code & 127))[: code >> 16]
            data.append(made)
        return list(zip(self.ticks.tolist(), self.statuses.tolist(), data, strict=True))

    def rows(self, chosen: NDArray[Any], ticks: Numbers | None = None) -> Self:
        """Some rows in some order, with all system events in theirs; `ticks` are new ones for all rows."""
        old = self.ticks if ticks is None else ticks
        return type(self)(old[chosen], self.statuses[chosen], self.firsts[chosen], self.seconds[chosen], self.system)

    def repitched(self, pitches: Sequence[int], channels: Collection[int]) -> Self:
        """With new first data bytes by old ones in notes and poly-pressure of some channels."""
        statuses = [kind | channel for kind in (0x80, 0x90, 0xA0) for channel in channels]
        chosen = by_number(256, statuses)[self.statuses]
        firsts = np.where(chosen, np.array(pitches, np.uint8)[self.firsts], self.firsts)
        return type(self)(self.ticks, self.statuses, firsts, self.seconds, self.system)

    def without_first(self, number: int) -> Self:
        """Without the messages that have this first data byte."""
        kept = np.flatnonzero(self.firsts != number)
        return self if len(kept) == len(self) else self.rows(kept)

    def velocities(self, statuses: Collection[int]) -> Counter[int]:
        """How many messages of these statuses there are of each second data byte above 0."""
        counts = np.bincount(self.seconds[by_number(256, statuses)[self.statuses]], minlength=1)
        return Counter({velocity: count for velocity, count in enumerate(counts.tolist()) if velocity and count})

    def with_velocities(self, new: Sequence[int], statuses: Collection[int]) -> Self:
        """With new second data bytes by old ones in messages of these statuses."""
        chosen = by_number(256, statuses)[self.statuses]
        seconds = np.where(chosen, np.array(new, np.uint8)[self.seconds], self.seconds)
        return type(self)(self.ticks, self.statuses, self.firsts, seconds, self.system)

    @property
    def metas(self) -> list[bytes]:
        """The data of the meta events."""
        return list(compress(self.system, self._is_meta))

    def with_metas(self, change: Callable[[bytes], bytes]) -> Self:
        """With other data in meta events, by what they had."""
        system = [change(data) if is_meta else data for data, is_meta in zip(self.system, self._is_meta, strict=True)]
        return type(self)(self.ticks, self.statuses, self.firsts, self.seconds, system)

    @property
    def _is_meta(self) -> list[bool]:
        """Of the system events."""
        is_meta: list[bool] = (self.statuses[self.statuses >= 0xF0] == META).tolist()
        return is_meta

    @cached_property
    def original(self) -> bytes:
        """The body of the track's chunk, as the writer would make it of the events: with running status."""
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


def by_number(count: int, chosen: Collection[int]) -> Choice:
    """A table of which numbers are chosen."""
    table = np.zeros(count, np.bool_)
    table[list(chosen)] = True
    return table
