"""When notes begin: quantised or swung. Only notes move, never metas, tempo or controllers."""

from consort_midi_store.transforms.models import Quantize, Swing
from consort_midi_store.transforms.notes import NoteCache, Pairs
from consort_midi_store.transforms.placement import Placement
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.selection import selected_channels, selected_tracks
from consort_midi_store.transforms.tracks import channels_of_notes
from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile, Track
from consort_music.quantize import STRAIGHT, TickGrid, parse_grid, swing_ticks


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
    grid = TickGrid(parse_grid(operation.grid, operation.swing), ppq_of(file, "quantize"))
    tracks = list(file.tracks)
    if operation.strength == 0:
        return tracks
    for index in selected_tracks(file, operation):
        pairs = cache.of(tracks[index]).pairs
        starts = grid.move_all(pairs.starts, operation.strength)
        if operation.end == "keep":
            ends = lengths_kept(pairs, starts)
        else:
            ends = grid.move_all(pairs.ends, operation.strength)
            ends = [end if end > start else grid.after(start) for start, end in zip(starts, ends, strict=True)]
        tracks[index] = _place(tracks[index], index, starts, ends, operation, report, cache)
    return tracks


def swing(file: MidiFile, operation: Swing, report: Report, cache: NoteCache) -> list[Track]:
    """Straight time bent into swing, starts and ends alike, so that legato stays legato. Counted as in `quantize`."""
    grid = parse_grid(operation.grid, operation.amount)
    ppq = ppq_of(file, "swing")
    tracks = list(file.tracks)
    if grid.swing == STRAIGHT:
        return tracks
    for index in selected_tracks(file, operation):
        pairs = cache.of(tracks[index]).pairs
        starts = swing_ticks(pairs.starts, grid, ppq)
        ends = swing_ticks(pairs.ends, grid, ppq)
        ends = [end if end > start else start + 1 for start, end in zip(starts, ends, strict=True)]
        tracks[index] = _place(tracks[index], index, starts, ends, operation, report, cache)
    return tracks


def lengths_kept(pairs: Pairs, starts: list[int]) -> list[int]:
    return [end + start - was for start, was, end in zip(starts, pairs.starts, pairs.ends, strict=True)]


def _place(
    track: Track,
    index: int,
    starts: list[int],
    ends: list[int],
    operation: Quantize | Swing,
    report: Report,
    cache: NoteCache,
) -> Track:
    """Put the notes of the chosen channels there; a track where nothing moves comes back as it is."""
    whole = cache.of(track)
    pairs = whole.pairs
    channels = selected_channels(operation)
    if not channels_of_notes(track) <= channels:
        chosen = [key >> 7 in channels for key in pairs.keys]
        starts = [new if yes else old for yes, new, old in zip(chosen, starts, pairs.starts, strict=True)]
        ends = [new if yes else old for yes, new, old in zip(chosen, ends, pairs.ends, strict=True)]
    if starts == pairs.starts and ends == pairs.ends:
        return track
    whole.report(report, index)
    placement = Placement(whole.events, pairs, starts, ends, pairs.keys)
    placement.settle(report)
    report.changed["moved"] += placement.moved
    if operation.type == "swing" or operation.end == "quantize":
        report.changed["resized"] += placement.resized
    return placement.rebuild()
