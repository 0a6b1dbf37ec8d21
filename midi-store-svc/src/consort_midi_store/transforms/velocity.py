"""How loud notes are. Only note-ons that sound are changed: one with velocity 0 is a note-off and stays it."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import floor
from operator import itemgetter

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Velocity
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.selection import selected_channels, selected_tracks
from consort_music.midi.model import Event, MidiFile, Track


def change_velocity(file: MidiFile, operation: Velocity, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `louder` and `softer` than before, and those `limited` by min or max."""
    statuses = {0x90 | channel for channel in selected_channels(operation)}
    chosen = selected_tracks(file, operation)
    heard = {index: _velocities(file.tracks[index], statuses, cache) for index in chosen}
    total = sum(heard.values(), Counter[int]())
    wanted = wanted_velocities(operation, total)
    new = [0, *(min(max(value, operation.min), operation.max) for value in wanted[1:])]
    tracks = list(file.tracks)
    for index in chosen:
        if all(new[old] == old for old in heard[index]):
            continue
        columns = cache.columns_of(tracks[index])
        if columns is not None:
            columns.report(report, index)
            tracks[index] = columns.events.with_velocities(new, statuses)
        else:
            whole = cache.of(tracks[index])
            whole.report(report, index)
            tracks[index] = track = with_velocities(whole.events, statuses, new)
            cache.put(track, whole.pairs)
        for old, count in heard[index].items():
            report.changed["louder" if new[old] > old else "softer"] += count if new[old] != old else 0
            report.changed["limited"] += count if new[old] != wanted[old] else 0
    return tracks


def wanted_velocities(operation: Velocity, heard: Counter[int]) -> list[int]:
    """By old velocity the new one, before it is limited to what is allowed."""
    mean = float(Fraction(sum(old * count for old, count in heard.items()), heard.total() or 1))

    def change(old: int) -> int:
        value = float(operation.set or old)
        if operation.curve != 1:
            value = 127 * (value / 127) ** (1 / operation.curve)
        value += (mean - value) * operation.compress
        return floor(value * operation.scale + operation.add + 0.5)

    return [0, *map(change, range(1, 128))]


def with_velocities(track: Track, statuses: set[int], new: Sequence[int]) -> list[Event]:
    data_by_old: dict[bytes, bytes] = {}
    events = list(track)
    for index, (tick, status, data) in enumerate(track):
        if status in statuses:
            changed = data_by_old.get(data)
            if changed is None:
                changed = data_by_old[data] = bytes((data[0], new[data[1]]))
            events[index] = tick, status, changed
    return events


def _velocities(track: Track, statuses: set[int], cache: NoteCache) -> Counter[int]:
    """How many notes there are of each velocity."""
    columns = cache.columns_of(track)
    if columns is not None:
        return columns.events.velocities(statuses)
    messages = Counter(map(itemgetter(1, 2), track)) if statuses else Counter()
    heard: Counter[int] = Counter()
    for (status, data), count in messages.items():
        if status in statuses and data[1]:
            heard[data[1]] += count
    return heard
