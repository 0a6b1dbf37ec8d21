"""Change how loud notes are. A note-on with velocity 0 is a note-off, so it is not changed."""

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import floor
from operator import itemgetter

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.notes.selection import selected_tracks
from consort_midi_store.transforms.operation_parameters import VelocityOperation
from consort_music.midi.model import Event, MidiFile, Track


def change_velocity(
    file: MidiFile, operation: VelocityOperation, report: ChangeReport, cache: NoteCache
) -> list[Track]:
    """Return the changed tracks. Adds to the report: notes `louder`, `softer`, and `limited` (by min or max)."""
    statuses = {0x90 | channel for channel in operation.selection.channels}
    chosen = selected_tracks(file, operation.selection)
    counts = {index: _count_velocities(file.tracks[index], statuses, cache) for index in chosen}
    wanted = _unlimited_velocities(operation, sum(counts.values(), Counter[int]()))
    new = [0, *(min(max(value, operation.min), operation.max) for value in wanted[1:])]
    tracks = list(file.tracks)
    for index in chosen:
        if all(new[old] == old for old in counts[index]):
            continue
        columns = cache.columns(tracks[index])
        if columns is not None:
            columns.report(report, index)
            tracks[index] = columns.events.with_velocities(new, statuses)
        else:
            repaired = cache.repaired(tracks[index])
            repaired.report(report, index)
            tracks[index] = track = _with_velocities(repaired.events, statuses, new)
            cache.put(track, repaired.pairs)
        for old, count in counts[index].items():
            report.changed["louder" if new[old] > old else "softer"] += count if new[old] != old else 0
            report.changed["limited"] += count if new[old] != wanted[old] else 0
    return tracks


def _unlimited_velocities(operation: VelocityOperation, counts: Counter[int]) -> list[int]:
    """Return a list: item `old` is the new velocity, before min and max are applied.

    `counts` has the number of notes by velocity.
    """
    mean = float(Fraction(sum(old * count for old, count in counts.items()), counts.total() or 1))

    def change(old: int) -> int:
        value = float(operation.set or old)
        if operation.curve != 1:
            value = 127 * (value / 127) ** (1 / operation.curve)
        value += (mean - value) * operation.compress
        return floor(value * operation.scale + operation.add + 0.5)

    return [0, *map(change, range(1, 128))]


def _with_velocities(track: Track, statuses: Collection[int], new: Sequence[int]) -> list[Event]:
    """Change the velocities of messages with these statuses. `new[old]` is the new velocity."""
    data_by_old: dict[bytes, bytes] = {}
    events = list(track)
    for index, (tick, status, data) in enumerate(track):
        if status in statuses:
            changed = data_by_old.get(data)
            if changed is None:
                changed = data_by_old[data] = bytes((data[0], new[data[1]]))
            events[index] = tick, status, changed
    return events


def _count_velocities(track: Track, statuses: Collection[int], cache: NoteCache) -> Counter[int]:
    """Count the notes by velocity."""
    columns = cache.columns(track)
    if columns is not None:
        return columns.events.velocities(statuses)
    messages = Counter(map(itemgetter(1, 2), track)) if statuses else Counter()
    counts: Counter[int] = Counter()
    for (status, data), count in messages.items():
        if status in statuses and data[1]:
            counts[data[1]] += count
    return counts
