"""Transposition: note-on, note-off and poly-pressure, which names a note too, and the key signatures."""

from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.key_changes import distance, with_moved_signatures
from consort_midi_store.transforms.models import Transpose
from consort_midi_store.transforms.placement import Placement
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.selection import selected_channels, selected_tracks
from consort_music.midi.model import DRUM_CHANNEL, Event, MidiFile, Track
from consort_music.midi.notes import KEYS, Pairs
from consort_music.settling import REMOVED

if TYPE_CHECKING:
    from consort_midi_store.transforms.column_notes import WholeColumns

_DROPPED = 128  # no pitch


def transpose(file: MidiFile, operation: Transpose, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `transposed`, and of these `folded` or `clamped`; `dropped` ones; `key_signatures` that moved; see
    `notes` for the rest."""
    channels = selected_channels(operation)
    if not operation.include_drums:
        channels -= {DRUM_CHANNEL}
    chosen = selected_tracks(file, operation)
    move = distance(file, operation, report)
    tracks = with_moved_signatures(file, move.more_sharps, chosen, channels, report)
    if move.semitones == 0:
        return tracks
    shift = Shift(move.semitones, operation.out_of_range, channels)
    for index in chosen:
        tracks[index] = shift.apply(tracks[index], index, report, cache)
    return tracks


def new_pitches(semitones: int, out_of_range: str) -> list[int]:
    """By old pitch the new one, _DROPPED where there is none."""

    def place(pitch: int) -> int:
        if 0 <= pitch < 128:
            return pitch
        if out_of_range == "fold":
            return pitch % 12 if pitch < 0 else 116 + (pitch - 116) % 12
        return (127 if pitch > 127 else 0) if out_of_range == "clamp" else _DROPPED

    return [place(pitch + semitones) for pitch in range(128)]


class _NewData(dict[bytes, bytes | None]):
    """Data bytes of note messages to those on the new pitch, made when first asked for; None where it is dropped."""

    def __init__(self, pitches: list[int]) -> None:
        self._pitches = pitches

    def __missing__(self, data: bytes) -> bytes | None:
        pitch = self._pitches[data[0]]
        self[data] = moved = None if pitch == _DROPPED else bytes((pitch, data[1]))
        return moved


class Shift:
    def __init__(self, semitones: int, out_of_range: str, channels: frozenset[int]) -> None:
        self.semitones = semitones
        self.out_of_range = out_of_range
        self.pitches = new_pitches(semitones, out_of_range)
        data = _NewData(self.pitches)
        self.data_by_status: list[_NewData | None] = [
            data if 0x80 <= status < 0xB0 and status & 0x0F in channels else None for status in range(256)
        ]
        self.keys = [
            self.pitches[key & 127] | key & ~127 if key >> 7 in channels else key for key in range(KEYS)
        ]  # a dropped pitch gives some other key, which is never used
        self.channels = channels

    def apply(self, track: Track, index: int, report: Report, cache: NoteCache) -> Track:
        columns = cache.columns_of(track)
        statuses = columns.statuses if columns is not None else set(map(itemgetter(1), track))
        if not any(self.data_by_status[status] is not None for status in statuses):
            return track
        if columns is not None:
            return self._apply_to_columns(columns, index, report, cache)
        whole = cache.of(track)
        whole.report(report, index)
        leaving = self._count(Counter(whole.pairs.keys), report)
        moved = self._move(whole.events)
        if leaving:
            return self._settled(moved, whole.pairs, report)
        if self.out_of_range == "drop":
            moved = _without_dropped(moved)
        if len(moved) == len(whole.events):  # every event is at its place, so the pairs are known
            pairs = whole.pairs
            keys = [self.keys[key] for key in pairs.keys]
            cache.put(moved, Pairs(pairs.ons, pairs.offs, pairs.starts, pairs.ends, keys, []))
        return moved

    def _apply_to_columns(self, whole: "WholeColumns", index: int, report: Report, cache: NoteCache) -> Track:
        moved = whole.events.repitched(self.pitches, self.channels)
        whole.report(report, index)
        leaving = self._count(whole.notes.count_by_key(), report)
        if leaving:
            dropped = [self.pitches[key & 127] == _DROPPED and key >> 7 in self.channels for key in range(KEYS)]
            placement = whole.repitched(moved, self.keys, dropped)
            placement.settle(report)
            report.changed["transposed"] -= placement.duplicates
            return placement.rebuild().without_first(_DROPPED)
        if self.out_of_range != "drop":
            cache.put_columns(whole.with_keys(moved, self.keys))
            return moved
        return moved.without_first(_DROPPED)

    def _count(self, notes: Counter[int], report: Report) -> int:
        """How many notes (given by key) leave the range; what happens to all is put into the report."""
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
        return cast(list[Event], moved)  # data is None in dropped events, which the caller takes out

    def _settled(self, moved: Track, pairs: Pairs, report: Report) -> Track:
        """Notes that were folded or clamped may meet others on their new key."""
        ends = [
            REMOVED if key >> 7 in self.channels and self.pitches[key & 127] == _DROPPED else end
            for key, end in zip(pairs.keys, pairs.ends, strict=True)
        ]
        keys = [self.keys[key] for key in pairs.keys]
        placement = Placement(moved, pairs, pairs.starts, ends, keys, origins=pairs.keys)
        placement.settle(report)
        report.changed["transposed"] -= placement.duplicates
        return _without_dropped(placement.rebuild())


def _without_dropped(events: Track) -> list[Event]:
    return [event for event in events if event[2] is not None]
