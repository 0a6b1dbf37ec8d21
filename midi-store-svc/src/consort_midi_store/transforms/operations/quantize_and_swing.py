"""Quantize and swing: move notes by a mapping of ticks that repeats every grid period.

`consort_music.timing.time_warp` has this mapping. Only notes move; controllers, tempo and other events stay.
"""

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.event_kinds import channels_of_notes
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.notes.note_positions import NotePositions
from consort_midi_store.transforms.notes.repair import RepairedTrack
from consort_midi_store.transforms.notes.selection import selected_tracks
from consort_midi_store.transforms.operation_parameters import NoteFilter, QuantizeOperation, SwingOperation
from consort_midi_store.transforms.timeline.beats import require_ppq
from consort_music.midi.model import MidiFile, Track
from consort_music.timing.swing import STRAIGHT
from consort_music.timing.time_warp import TimeWarp


def quantize(file: MidiFile, operation: QuantizeOperation, report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the quantized tracks.

    Adds to the report: `moved`, `resized` (only if ends are quantized), and the counts of
    `NotePositions.resolve_collisions`.
    """
    ppq = require_ppq(file, "quantize")
    if operation.strength == 0:
        return list(file.tracks)
    warp = TimeWarp.quantizing(operation.grid, ppq, operation.strength, ends_too=operation.end == "quantize")
    return _move_notes(file, operation.selection, warp, report, cache)


def swing(file: MidiFile, operation: SwingOperation, report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the swung tracks.

    Starts and ends are moved by the same mapping, so adjacent notes stay adjacent. Adds to the report: the same counts
    as `quantize`, including `resized`.
    """
    ppq = require_ppq(file, "swing")
    if operation.grid.swing == STRAIGHT:
        return list(file.tracks)
    return _move_notes(file, operation.selection, TimeWarp.swinging(operation.grid, ppq), report, cache)


def _move_notes(
    file: MidiFile, selection: NoteFilter, warp: TimeWarp, report: ChangeReport, cache: NoteCache
) -> list[Track]:
    """Return the tracks with the selected notes moved. A track without moved notes stays the same object."""
    tracks = list(file.tracks)
    for index in selected_tracks(file, selection):
        columns = cache.columns(tracks[index])
        repaired = columns or cache.repaired(tracks[index])
        positions = (
            columns.warped(warp, selection.channels)
            if columns
            else _new_positions(cache.repaired(tracks[index]), warp, selection.channels)
        )
        if positions is None:
            continue
        repaired.report(report, index)
        positions.resolve_collisions(report)
        report.changed["moved"] += positions.moved
        if warp.after:
            report.changed["resized"] += positions.resized
        tracks[index] = positions.rebuild()
    if not warp.after and (count := report.changed["shortened"]):
        notes = "1 note was" if count == 1 else f"{count} notes were"
        report.warnings.append(f"{notes} shortened to end where the next note of the same pitch begins.")
    return tracks


def _new_positions(repaired: RepairedTrack, warp: TimeWarp, channels: frozenset[int]) -> NotePositions | None:
    """Return the new positions of the notes, or None if no note moves."""
    pairs = repaired.pairs
    starts, ends = warp.apply(pairs.starts, pairs.ends)
    if not channels_of_notes(repaired.events) <= channels:
        chosen = [key >> 7 in channels for key in pairs.keys]
        starts = [new if is_chosen else old for is_chosen, new, old in zip(chosen, starts, pairs.starts, strict=True)]
        ends = [new if is_chosen else old for is_chosen, new, old in zip(chosen, ends, pairs.ends, strict=True)]
    if starts == pairs.starts and ends == pairs.ends:
        return None
    return NotePositions(repaired.events, pairs, starts, ends, pairs.keys)
