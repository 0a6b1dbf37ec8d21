"""The notes of a file a little off their time and loudness; `consort_music.humanize` has the rules."""

from random import Random

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Humanize
from consort_midi_store.transforms.placement import Placement
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.selection import selected_channels, selected_tracks
from consort_music.bend import lengths_kept
from consort_music.humanize import jittered, reach_in_ticks, varied
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.timing import tempo_changes
from consort_music.quantize import exact


def humanize(file: MidiFile, operation: Humanize, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `moved`, and `velocity_changed`; the rest is told by `placement`."""
    tracks = list(file.tracks)
    channels = selected_channels(operation)
    for index in selected_tracks(file, operation):
        whole = cache.of(tracks[index])
        pairs = whole.pairs
        chosen = [note for note, key in enumerate(pairs.keys) if key >> 7 in channels]
        reach = _reach(file, index, operation, [pairs.starts[note] for note in chosen])
        starts = pairs.starts.copy()
        moved = jittered(
            [pairs.starts[note] for note in chosen],
            [pairs.keys[note] for note in chosen],
            reach,
            Random(f"{operation.seed}/{index}/time"),
        )
        for note, start in zip(chosen, moved, strict=True):
            starts[note] = start
        events = list(whole.events)
        changed = 0
        random = Random(f"{operation.seed}/{index}/velocity")
        for note in chosen if operation.velocity else ():
            tick, status, data = events[pairs.ons[note]]
            velocity = varied(data[1], random, operation.velocity)
            if velocity != data[1]:
                events[pairs.ons[note]] = tick, status, bytes((data[0], velocity))
                changed += 1
        if not changed and starts == pairs.starts:
            continue
        whole.report(report, index)
        placement = Placement(events, pairs, starts, lengths_kept(pairs.starts, pairs.ends, starts), pairs.keys)
        placement.settle(report)
        report.changed["moved"] += placement.moved
        report.changed["velocity_changed"] += changed
        tracks[index] = placement.rebuild()
    return tracks


def _reach(file: MidiFile, index: int, operation: Humanize, ticks: list[int]) -> list[int]:
    """How many ticks a note may move at each of these."""
    if operation.timing_ticks is not None:
        return [operation.timing_ticks] * len(ticks)
    ms = exact(operation.timing_ms)
    if file.smpte_ticks_per_second is not None:
        return [int(ms * file.smpte_ticks_per_second / 1000)] * len(ticks)
    tempos, _ = tempo_changes([file.tracks[index]] if file.format == 2 else file.tracks)
    return reach_in_ticks(ticks, tempos, file.division, ms)
