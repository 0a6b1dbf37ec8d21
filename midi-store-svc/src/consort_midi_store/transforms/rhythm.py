"""When notes begin: quantised or swung. Only notes move, never metas, tempo or controllers."""

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Quantize, Swing
from consort_midi_store.transforms.notes import WholeTrack
from consort_midi_store.transforms.placement import Placement
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.selection import selected_channels, selected_tracks
from consort_midi_store.transforms.tracks import channels_of_notes
from consort_music.bend import Bend
from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile, Track
from consort_music.quantize import STRAIGHT, parse_grid


def ppq_of(file: MidiFile, operation: str) -> int:
    """Ticks per beat; raises NEEDS_BEATS for a file that has none."""
    if file.ppq is None:
        raise MusicError(
            "NEEDS_BEATS",
            f"This file counts time in SMPTE frames and has no beats, so {operation} has nothing to go by. "
            "transpose, velocity, humanize, trim in ms, split and extract_tracks work on it.",
            ["humanize", "trim with unit ms"],
        )
    return file.ppq


def quantize(file: MidiFile, operation: Quantize, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `moved` and, where ends are quantised too, `resized`; the rest is told by `placement`."""
    grid = parse_grid(operation.grid, operation.swing)
    ppq = ppq_of(file, "quantize")
    if operation.strength == 0:
        return list(file.tracks)
    bend = Bend.quantizing(grid, ppq, operation.strength, ends_too=operation.end == "quantize")
    return _bent(file, operation, bend, report, cache)


def swing(file: MidiFile, operation: Swing, report: Report, cache: NoteCache) -> list[Track]:
    """Straight time bent into swing, starts and ends alike, so that legato stays legato. Counted as in `quantize`."""
    grid = parse_grid(operation.grid, operation.amount)
    ppq = ppq_of(file, "swing")
    if grid.swing == STRAIGHT:
        return list(file.tracks)
    return _bent(file, operation, Bend.swinging(grid, ppq), report, cache)


def _bent(file: MidiFile, operation: Quantize | Swing, bend: Bend, report: Report, cache: NoteCache) -> list[Track]:
    """Bend the time of the chosen notes; a track where nothing moves comes back as it is."""
    channels = selected_channels(operation)
    tracks = list(file.tracks)
    for index in selected_tracks(file, operation):
        columns = cache.columns_of(tracks[index])
        whole = columns or cache.of(tracks[index])
        placement = columns.bent(bend, channels) if columns else _place(cache.of(tracks[index]), bend, channels)
        if placement is None:
            continue
        whole.report(report, index)
        placement.settle(report)
        report.changed["moved"] += placement.moved
        if bend.after:
            report.changed["resized"] += placement.resized
        tracks[index] = placement.rebuild()
    if not bend.after and (count := report.changed["shortened"]):
        notes = "1 note was" if count == 1 else f"{count} notes were"
        report.warnings.append(f"{notes} shortened to end where the next note of the same pitch begins.")
    return tracks


def _place(whole: WholeTrack, bend: Bend, channels: frozenset[int]) -> Placement | None:
    pairs = whole.pairs
    starts, ends = bend.placed(pairs.starts, pairs.ends)
    if not channels_of_notes(whole.events) <= channels:
        chosen = [key >> 7 in channels for key in pairs.keys]
        starts = [new if yes else old for yes, new, old in zip(chosen, starts, pairs.starts, strict=True)]
        ends = [new if yes else old for yes, new, old in zip(chosen, ends, pairs.ends, strict=True)]
    if starts == pairs.starts and ends == pairs.ends:
        return None
    return Placement(whole.events, pairs, starts, ends, pairs.keys)
