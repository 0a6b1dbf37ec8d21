"""The notes of a long track as columns: found, mended and placed as `notes` and `placement` do it, for numpy.

What numpy cannot do at once, notes of a key that begin together or have overlapped before, is left to `placement`:
it gets only those.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from consort_midi_store.transforms.columns import Choice, Columns, Numbers, by_number
from consort_midi_store.transforms.notes import Mended, make_whole
from consort_midi_store.transforms.report import Report
from consort_music.bend import Bend
from consort_music.midi.model import Track
from consort_music.midi.notes import KEYS
from consort_music.settling import REMOVED, MovedNotes

_BEYOND = 1 << 44  # ticks: later than anything that a file can hold


@dataclass(frozen=True, slots=True)
class NoteColumns:
    """As `Pairs`, of notes that are all whole."""

    ons: NDArray[np.intp]
    offs: NDArray[np.intp]
    starts: Numbers
    ends: Numbers
    keys: NDArray[np.uint16]

    @classmethod
    def of(cls, track: Columns) -> Self | None:
        """None if a note hangs or has no length, or if a note-off ends nothing."""
        rows = np.flatnonzero(track.statuses < 0xA0)
        statuses = track.statuses[rows]
        keys = ((statuses & 0x0F).astype(np.uint16) << 7 | track.firsts[rows]).astype(np.uint16)
        is_on = (statuses >= 0x90) & (track.seconds[rows] > 0)
        by_key = np.argsort(keys, kind="stable")
        ons, offs = by_key[is_on[by_key]], by_key[~is_on[by_key]]
        if len(ons) != len(offs) or (keys[ons] != keys[offs]).any() or (offs < ons).any():
            return None
        off_by_on = np.empty(len(rows), np.intp)
        off_by_on[ons] = offs  # first in, first out: the nth note-off of a key ends its nth note
        ons = np.flatnonzero(is_on)
        offs = rows[off_by_on[ons]]
        keys, ons = keys[ons], rows[ons]
        starts, ends = track.ticks[ons], track.ticks[offs]
        return None if (starts == ends).any() else cls(ons, offs, starts, ends, keys)

    def on(self, channels: Collection[int]) -> Choice:
        """Which notes are on these channels."""
        chosen: Choice = by_number(16, channels)[self.keys >> 7]
        return chosen

    def count_by_key(self) -> Counter[int]:
        counts = np.bincount(self.keys, minlength=KEYS)
        return Counter({int(key): int(counts[key]) for key in np.flatnonzero(counts)})


@dataclass(frozen=True, slots=True)
class WholeColumns(Mended):
    """As `WholeTrack`; `statuses` are those of the track before it was mended."""

    events: Columns
    notes: NoteColumns
    statuses: frozenset[int]

    @classmethod
    def of(cls, track: Track) -> Self | None:
        """None for tracks that are too odd for columns."""
        events = Columns.of(track)
        if events is None:
            return None
        statuses = frozenset(np.unique(events.statuses).tolist())
        notes = NoteColumns.of(events)
        if notes is not None:
            return cls(events, notes, statuses)
        whole = make_whole(track)
        events = Columns.of(whole.events)
        notes = None if events is None else NoteColumns.of(events)
        if events is None or notes is None:
            return None
        counts = {"closed": whole.closed, "lengthened": whole.lengthened, "orphans_removed": whole.orphans_removed}
        return cls(events, notes, statuses, **counts)

    def with_keys(self, events: Columns, keys: Sequence[int]) -> "WholeColumns":
        """The same notes in the same rows of a track that has them on other keys; these by the old ones."""
        notes = replace(self.notes, keys=np.array(keys, np.uint16)[self.notes.keys])
        return WholeColumns(events, notes, self.statuses)

    def repitched(self, events: Columns, keys: Sequence[int], dropped: Sequence[bool]) -> "ColumnPlacement":
        """As `with_keys`, where notes of different keys may meet; by old key those that are dropped."""
        old = self.notes
        ends = np.where(np.array(dropped)[old.keys], REMOVED, old.ends)
        return ColumnPlacement(events, old, old.starts, ends, np.array(keys, np.uint16)[old.keys], origins=old.keys)

    def bent(self, bend: Bend, channels: Collection[int]) -> "ColumnPlacement | None":
        """The notes of these channels where an operation bends time; None if all stay where they are."""
        old, chosen = self.notes, self.notes.on(channels)
        starts = np.where(chosen, _repeated(bend.moves, old.starts), old.starts)
        if bend.after is None:
            ends = old.ends + starts - old.starts
        else:
            ends = _repeated(bend.moves, old.ends)
            ends = np.where(ends > starts, ends, _repeated(bend.shortest, starts))
            ends = np.where(chosen, ends, old.ends)
        if np.array_equal(starts, old.starts) and np.array_equal(ends, old.ends):
            return None
        return ColumnPlacement(self.events, old, starts, ends, old.keys)


def _repeated(moves: "array[int]", ticks: Numbers) -> Numbers:
    """The ticks moved: what is told of the first ones holds for all, as far on."""
    return ticks + np.frombuffer(moves, np.int64)[ticks % len(moves)]


@dataclass(slots=True)
class ColumnPlacement:
    """As `Placement`."""

    track: Columns
    notes: NoteColumns
    starts: Numbers
    ends: Numbers
    keys: NDArray[np.uint16]
    origins: NDArray[np.uint16] | None = None
    forced: Choice = field(init=False)
    duplicates: int = 0

    def __post_init__(self) -> None:
        self.forced = np.zeros(len(self.starts), np.bool_)

    def settle(self, report: Report) -> None:
        """Notes of a key that begin one after the other, and did not overlap, end when the next one begins.

        All others stand in groups that keep apart in this sense; those are settled by the rules of `placement`.
        """
        wanted = self.ends
        here = np.flatnonzero(wanted != REMOVED)
        here = here[np.argsort(self.keys[here], kind="stable")]
        key_times = self.keys[here].astype(np.int64) * _BEYOND  # added to ticks, so that one key comes after another
        starts, ends = self.starts[here] + key_times, wanted[here] + key_times
        old_starts, old_ends = self.notes.starts[here] + key_times, self.notes.ends[here] + key_times
        apart = np.maximum.accumulate(old_ends)[:-1] <= old_starts[1:]
        if self.origins is None:
            apart &= starts[:-1] < starts[1:]
        else:  # notes of different voices do not even touch
            apart &= np.maximum.accumulate(ends)[:-1] < starts[1:]
        self.ends = wanted.copy()
        self._contest(here[np.append(~apart, False)[: len(here)] | np.append(False, ~apart)[: len(here)]])
        group = np.append(0, apart.cumsum())[: len(here)]
        next_starts = np.append(starts[1:][apart], KEYS * _BEYOND)  # of the group after this one
        self.ends[here] = np.minimum(self.ends[here] + key_times, next_starts[group]) - key_times
        self.duplicates = int((self.ends == REMOVED).sum()) - len(wanted) + len(here)
        report.changed["shortened"] += int((self.ends < wanted).sum()) - self.duplicates
        report.changed["duplicates_removed"] += self.duplicates

    def _contest(self, tangled: NDArray[np.intp]) -> None:
        """Settle these notes, which are whole groups, by key and time."""
        old, velocities = self.notes, self.track.seconds[self.notes.ons[tangled]].tolist()
        moved = MovedNotes(
            starts=self.starts[tangled].tolist(),
            ends=self.ends[tangled].tolist(),
            old_starts=old.starts[tangled].tolist(),
            old_ends=old.ends[tangled].tolist(),
            keys=self.keys[tangled].tolist(),
            velocity=velocities.__getitem__,
            origins=None if self.origins is None else self.origins[tangled].tolist(),
        )
        moved.settle()
        self.ends[tangled] = moved.ends
        self.forced[tangled[sorted(moved.forced)]] = True

    @property
    def moved(self) -> int:
        return int(((self.starts != self.notes.starts) & (self.ends != REMOVED)).sum())

    @property
    def resized(self) -> int:
        old = self.notes.ends - self.notes.starts
        return int(((self.ends - self.starts != old) & (self.ends != REMOVED)).sum())

    def rebuild(self) -> Columns:
        track, notes = self.track, self.notes
        removed = self.ends == REMOVED
        starts = np.where(removed, REMOVED, self.starts)
        ticks = track.ticks.copy()
        ticks[notes.ons], ticks[notes.offs] = starts, self.ends
        ticks[-1] = ticks.max()
        rank = np.ones(len(track), np.int64)  # at one tick: moved note-offs, all that did not move, moved note-ons, end
        rank[notes.offs[self.forced | (self.ends != notes.ends)]] = 0
        rank[notes.ons[self.forced | (starts != notes.starts)]] = 2
        rank[-1] = 3
        order = np.argsort(ticks * 4 + rank, kind="stable")  # those removed are first
        return track.rows(order[2 * np.count_nonzero(removed) :], ticks)
