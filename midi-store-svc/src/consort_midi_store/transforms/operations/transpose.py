"""Transpose notes (note-on, note-off and poly-pressure) and the key signatures."""

from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.notes.note_positions import NotePositions
from consort_midi_store.transforms.notes.selection import selected_tracks
from consort_midi_store.transforms.operation_parameters import TransposeOperation
from consort_midi_store.transforms.operations.transpose_keys import find_key_shift, with_shifted_signatures
from consort_music.midi.model import DRUM_CHANNEL, Event, MidiFile, Track
from consort_music.midi.notes import KEYS, Pairs
from consort_music.timing.overlaps import REMOVED

if TYPE_CHECKING:
    from consort_midi_store.transforms.large_files.note_columns import RepairedColumns

_DROPPED = 128  # in place of a pitch


def transpose(file: MidiFile, operation: TransposeOperation, report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the transposed tracks.

    Adds to the report: `transposed` (notes), `folded` or `clamped` (how many of these), `dropped` (notes),
    `key_signatures`, the repairs, and the counts of `NotePositions.resolve_collisions`.
    """
    channels = operation.selection.channels
    if not operation.include_drums:
        channels -= {DRUM_CHANNEL}
    chosen = selected_tracks(file, operation.selection)
    key_shift = find_key_shift(file, operation, report)
    tracks = with_shifted_signatures(file, key_shift.more_sharps, chosen, channels, report)
    if key_shift.semitones == 0:
        return tracks
    shift = PitchShift(key_shift.semitones, operation.out_of_range, channels)
    for index in chosen:
        tracks[index] = shift.apply(tracks[index], index, report, cache)
    return tracks


def _new_pitches(semitones: int, out_of_range: str) -> list[int]:
    """Return a list: item `old` is the new pitch, or _DROPPED if notes with this pitch are dropped."""

    def place(pitch: int) -> int:
        if 0 <= pitch < 128:
            return pitch
        if out_of_range == "fold":
            return pitch % 12 if pitch < 0 else 116 + (pitch - 116) % 12
        return (127 if pitch > 127 else 0) if out_of_range == "clamp" else _DROPPED

    return [place(pitch + semitones) for pitch in range(128)]


class _NewData(dict[bytes, bytes | None]):
    """Maps the old data bytes of a note message to the new ones, or to None if the note is dropped.

    Each value is computed when it is first needed.
    """

    def __init__(self, pitches: list[int]) -> None:
        self._pitches = pitches

    def __missing__(self, data: bytes) -> bytes | None:
        pitch = self._pitches[data[0]]
        self[data] = moved = None if pitch == _DROPPED else bytes((pitch, data[1]))
        return moved


class PitchShift:
    """Transposes notes on some channels by a number of semitones, with lookup tables."""

    def __init__(self, semitones: int, out_of_range: str, channels: frozenset[int]) -> None:
        self.semitones = semitones
        self.out_of_range = out_of_range
        self.pitches = _new_pitches(semitones, out_of_range)
        data = _NewData(self.pitches)
        self.data_by_status: list[_NewData | None] = [
            data if 0x80 <= status < 0xB0 and status & 0x0F in channels else None for status in range(256)
        ]
        self.keys = [
            self.pitches[key & 127] | key & ~127 if key >> 7 in channels else key for key in range(KEYS)
        ]  # for a dropped pitch the value is meaningless and never used
        self.channels = channels

    def apply(self, track: Track, index: int, report: ChangeReport, cache: NoteCache) -> Track:
        columns = cache.columns(track)
        statuses = columns.statuses if columns is not None else set(map(itemgetter(1), track))
        if not any(self.data_by_status[status] is not None for status in statuses):
            return track
        if columns is not None:
            return self._apply_to_columns(columns, index, report, cache)
        repaired = cache.repaired(track)
        repaired.report(report, index)
        leaving = self._count(Counter(repaired.pairs.keys), report)
        moved = self._move(repaired.events)
        if leaving:
            return self._without_collisions(moved, repaired.pairs, report)
        if self.out_of_range == "drop":
            moved = _without_dropped(moved)
        if len(moved) == len(repaired.events):  # every event has the same index as before, so the pairs are known
            pairs = repaired.pairs
            keys = [self.keys[key] for key in pairs.keys]
            cache.put(moved, Pairs(pairs.ons, pairs.offs, pairs.starts, pairs.ends, keys, []))
        return moved

    def _apply_to_columns(
        self, repaired: "RepairedColumns", index: int, report: ChangeReport, cache: NoteCache
    ) -> Track:
        moved = repaired.events.repitched(self.pitches, self.channels)
        repaired.report(report, index)
        leaving = self._count(repaired.notes.count_by_key(), report)
        if leaving:
            dropped = [self.pitches[key & 127] == _DROPPED and key >> 7 in self.channels for key in range(KEYS)]
            positions = repaired.repitched(moved, self.keys, dropped)
            positions.resolve_collisions(report)
            report.changed["transposed"] -= positions.duplicates
            return positions.rebuild().without_first(_DROPPED)
        if self.out_of_range != "drop":
            cache.put_columns(repaired.with_keys(moved, self.keys))
            return moved
        return moved.without_first(_DROPPED)

    def _count(self, notes: Counter[int], report: ChangeReport) -> int:
        """Count the notes in the report. Return how many of them leave the range 0 to 127.

        `notes` has the number of notes by key.
        """
        here = leaving = 0
        for key, count in notes.items():
            if key >> 7 in self.channels:
                here += count
                leaving += 0 if 0 <= (key & 127) + self.semitones < 128 else count
        verb = {"fold": "folded", "clamp": "clamped", "drop": "dropped"}[self.out_of_range]
        report.changed[verb] += leaving
        report.changed["transposed"] += here - leaving if self.out_of_range == "drop" else here
        return leaving

    def _move(self, track: Track) -> list[Event]:
        by_status = self.data_by_status
        moved = [
            event if (new := by_status[event[1]]) is None else (event[0], event[1], new[event[2]]) for event in track
        ]
        return cast(list[Event], moved)  # in dropped events, data is None; the caller removes them

    def _without_collisions(self, moved: Track, pairs: Pairs, report: ChangeReport) -> Track:
        """Return the track without dropped notes, and without collisions on the new keys of folded or clamped notes."""
        ends = [
            REMOVED if key >> 7 in self.channels and self.pitches[key & 127] == _DROPPED else end
            for key, end in zip(pairs.keys, pairs.ends, strict=True)
        ]
        keys = [self.keys[key] for key in pairs.keys]
        positions = NotePositions(moved, pairs, pairs.starts, ends, keys, origins=pairs.keys)
        positions.resolve_collisions(report)
        report.changed["transposed"] -= positions.duplicates
        return _without_dropped(positions.rebuild())


def _without_dropped(events: Track) -> list[Event]:
    return [event for event in events if event[2] is not None]
