"""The notes of a long track as numpy columns: pair, repair and move them.

The results are the same as those of the modules in `notes`. Collisions of notes on one key that start together or
overlapped before are resolved by `consort_music.timing.overlaps`, because numpy cannot do it. All others are resolved
here.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.large_files.event_columns import EventColumns, Integers, Mask, mask_of
from consort_midi_store.transforms.notes.repair import NoteRepairs, repair_track
from consort_music.midi.model import Track
from consort_music.midi.notes import KEYS
from consort_music.timing.overlaps import REMOVED, MovedNotes
from consort_music.timing.time_warp import TimeWarp

_BEYOND = 1 << 44
"""In ticks: later than any event of a file can be."""


@dataclass(frozen=True, slots=True)
class NoteColumns:
    """The notes of a repaired track, with the same fields as `Pairs`."""

    ons: NDArray[np.intp]
    offs: NDArray[np.intp]
    starts: Integers
    ends: Integers
    keys: NDArray[np.uint16]

    @classmethod
    def of(cls, track: EventColumns) -> Self | None:
        """Return the notes, or None if a note has no note-off or no length, or a note-off ends no note."""
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

    def on(self, channels: Collection[int]) -> Mask:
        """Return a mask of the notes on these channels."""
        chosen: Mask = mask_of(16, channels)[self.keys >> 7]
        return chosen

    def count_by_key(self) -> Counter[int]:
        counts = np.bincount(self.keys, minlength=KEYS)
        return Counter({int(key): int(counts[key]) for key in np.flatnonzero(counts)})


@dataclass(frozen=True, slots=True)
class RepairedColumns(NoteRepairs):
    """A repaired track, like `RepairedTrack`. `statuses` are those of the track before the repair."""

    events: EventColumns
    notes: NoteColumns
    statuses: frozenset[int]

    @classmethod
    def of(cls, track: Track) -> Self | None:
        """Return the repaired track, or None if it cannot be stored as columns (see `EventColumns.of`)."""
        events = EventColumns.of(track)
        if events is None:
            return None
        statuses = frozenset(np.unique(events.statuses).tolist())
        notes = NoteColumns.of(events)
        if notes is not None:
            return cls(events, notes, statuses)
        repaired = repair_track(track)
        events = EventColumns.of(repaired.events)
        notes = None if events is None else NoteColumns.of(events)
        if events is None or notes is None:
            return None
        return cls(
            events,
            notes,
            statuses,
            closed=repaired.closed,
            lengthened=repaired.lengthened,
            orphans_removed=repaired.orphans_removed,
        )

    def with_keys(self, events: EventColumns, keys: Sequence[int]) -> "RepairedColumns":
        """Return this track with `events` and new keys. The notes stay in the same rows. `keys[old]` is the new key."""
        notes = replace(self.notes, keys=np.array(keys, np.uint16)[self.notes.keys])
        return RepairedColumns(events, notes, self.statuses)

    def repitched(self, events: EventColumns, keys: Sequence[int], dropped: Sequence[bool]) -> "ColumnPositions":
        """Do the same as `with_keys` if notes may collide, because different keys become the same key.

        Notes are removed if `dropped[old key]` is True.
        """
        old = self.notes
        ends = np.where(np.array(dropped)[old.keys], REMOVED, old.ends)
        return ColumnPositions(events, old, old.starts, ends, np.array(keys, np.uint16)[old.keys], origins=old.keys)

    def warped(self, warp: TimeWarp, channels: Collection[int]) -> "ColumnPositions | None":
        """Return new positions for the notes of these channels, or None if no note moves."""
        old, chosen = self.notes, self.notes.on(channels)
        starts = np.where(chosen, _repeated(warp.moves, old.starts), old.starts)
        if warp.after is None:
            ends = old.ends + starts - old.starts
        else:
            ends = _repeated(warp.moves, old.ends)
            ends = np.where(ends > starts, ends, _repeated(warp.shortest, starts))
            ends = np.where(chosen, ends, old.ends)
        if np.array_equal(starts, old.starts) and np.array_equal(ends, old.ends):
            return None
        return ColumnPositions(self.events, old, starts, ends, old.keys)


def _repeated(moves: "array[int]", ticks: Integers) -> Integers:
    """Return the moved ticks. The table `moves` repeats: a tick moves by `moves[tick % len(moves)]`."""
    return ticks + np.frombuffer(moves, np.int64)[ticks % len(moves)]


@dataclass(slots=True)
class ColumnPositions:
    """The new positions of the notes, like `NotePositions`."""

    track: EventColumns
    notes: NoteColumns
    starts: Integers
    ends: Integers
    keys: NDArray[np.uint16]
    origins: NDArray[np.uint16] | None = None
    forced: Mask = field(init=False)
    duplicates: int = 0

    def __post_init__(self) -> None:
        self.forced = np.zeros(len(self.starts), np.bool_)

    def resolve_collisions(self, report: ChangeReport) -> None:
        """Shorten or remove notes that collide. Adds to the report: `shortened` and `duplicates_removed`.

        The notes of each key are divided into groups. A group starts later than all earlier notes of the key, and did
        not overlap any of them before. A note must end when the next group starts. Only groups of several notes need
        `MovedNotes`.
        """
        wanted = self.ends
        here = np.flatnonzero(wanted != REMOVED)
        here = here[np.argsort(self.keys[here], kind="stable")]
        key_times = (
            self.keys[here].astype(np.int64) * _BEYOND
        )  # added to ticks, so that all notes of a key are before those of the next key
        starts, ends = self.starts[here] + key_times, wanted[here] + key_times
        old_starts, old_ends = self.notes.starts[here] + key_times, self.notes.ends[here] + key_times
        apart = np.maximum.accumulate(old_ends)[:-1] <= old_starts[1:]
        if self.origins is None:
            apart &= starts[:-1] < starts[1:]
        else:  # a note that touches an earlier note of another voice is in the same group
            apart &= np.maximum.accumulate(ends)[:-1] < starts[1:]
        self.ends = wanted.copy()
        self._resolve_groups(here[np.append(~apart, False)[: len(here)] | np.append(False, ~apart)[: len(here)]])
        group = np.append(0, apart.cumsum())[: len(here)]
        next_starts = np.append(starts[1:][apart], KEYS * _BEYOND)  # of the next group
        self.ends[here] = np.minimum(self.ends[here] + key_times, next_starts[group]) - key_times
        self.duplicates = int((self.ends == REMOVED).sum()) - len(wanted) + len(here)
        report.changed["shortened"] += int((self.ends < wanted).sum()) - self.duplicates
        report.changed["duplicates_removed"] += self.duplicates

    def _resolve_groups(self, tangled: NDArray[np.intp]) -> None:
        """Resolve collisions of these notes, which are complete groups sorted by key and time."""
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
        moved.resolve()
        self.ends[tangled] = moved.ends
        self.forced[tangled[sorted(moved.forced)]] = True

    @property
    def moved(self) -> int:
        return int(((self.starts != self.notes.starts) & (self.ends != REMOVED)).sum())

    @property
    def resized(self) -> int:
        old = self.notes.ends - self.notes.starts
        return int(((self.ends - self.starts != old) & (self.ends != REMOVED)).sum())

    def rebuild(self) -> EventColumns:
        track, notes = self.track, self.notes
        removed = self.ends == REMOVED
        starts = np.where(removed, REMOVED, self.starts)
        ticks = track.ticks.copy()
        ticks[notes.ons], ticks[notes.offs] = starts, self.ends
        ticks[-1] = ticks.max()
        rank = np.ones(len(track), np.int64)  # at one tick: moved note-offs, unmoved events, moved note-ons, end
        rank[notes.offs[self.forced | (self.ends != notes.ends)]] = 0
        rank[notes.ons[self.forced | (starts != notes.starts)]] = 2
        rank[-1] = 3
        order = np.argsort(ticks * 4 + rank, kind="stable")  # removed rows come first
        return track.rows(order[2 * np.count_nonzero(removed) :], ticks)
