"""Humanize: change the start and the velocity of notes a little at random (`consort_music.timing.humanize`)."""

from random import Random

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.notes.note_positions import NotePositions
from consort_midi_store.transforms.notes.selection import selected_tracks
from consort_midi_store.transforms.operation_parameters import HumanizeOperation
from consort_music.beats import exact_fraction
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.tempo_map import tempo_changes
from consort_music.timing.humanize import jitter_starts, reach_in_ticks, vary_velocity
from consort_music.timing.time_warp import keep_lengths


def humanize(file: MidiFile, operation: HumanizeOperation, report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the humanized tracks. The same seed gives the same result.

    Adds to the report: `moved`, `velocity_changed`, and the counts of `NotePositions.resolve_collisions`.
    """
    tracks = list(file.tracks)
    for index in selected_tracks(file, operation.selection):
        repaired = cache.repaired(tracks[index])
        pairs = repaired.pairs
        chosen = [note for note, key in enumerate(pairs.keys) if key >> 7 in operation.selection.channels]
        old_starts = [pairs.starts[note] for note in chosen]
        moved = jitter_starts(
            old_starts,
            [pairs.keys[note] for note in chosen],
            _largest_moves(file, index, operation, old_starts),
            Random(f"{operation.seed}/{index}/time"),
        )
        starts = pairs.starts.copy()
        for note, start in zip(chosen, moved, strict=True):
            starts[note] = start
        events = list(repaired.events)
        changed = 0
        random = Random(f"{operation.seed}/{index}/velocity")
        for note in chosen if operation.velocity else ():
            tick, status, data = events[pairs.ons[note]]
            velocity = vary_velocity(data[1], random, operation.velocity)
            if velocity != data[1]:
                events[pairs.ons[note]] = tick, status, bytes((data[0], velocity))
                changed += 1
        if not changed and starts == pairs.starts:
            continue
        repaired.report(report, index)
        positions = NotePositions(events, pairs, starts, keep_lengths(pairs.starts, pairs.ends, starts), pairs.keys)
        positions.resolve_collisions(report)
        report.changed["moved"] += positions.moved
        report.changed["velocity_changed"] += changed
        tracks[index] = positions.rebuild()
    return tracks


def _largest_moves(file: MidiFile, index: int, operation: HumanizeOperation, ticks: list[int]) -> list[int]:
    """Return for each of `ticks` how many ticks a note that starts there may move."""
    if operation.timing_ticks is not None:
        return [operation.timing_ticks] * len(ticks)
    ms = exact_fraction(operation.timing_ms)
    if file.smpte_ticks_per_second is not None:
        return [int(ms * file.smpte_ticks_per_second / 1000)] * len(ticks)
    tempos, _ = tempo_changes([file.tracks[index]] if file.format == 2 else file.tracks)
    return reach_in_ticks(ticks, tempos, file.division, ms)
