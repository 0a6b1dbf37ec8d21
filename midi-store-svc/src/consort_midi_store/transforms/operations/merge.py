"""Merge several files into one, in parallel or in sequence, and several tracks into one.

Files that are merged in parallel sound together. They get the tempo and signatures of the first file that has any. If
two files use different instruments or controllers on one channel, the later file is moved to a free channel.
`merge_in_sequence` merges files one after another.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from operator import itemgetter

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.event_kinds import channels_of_notes, is_name_or_end, is_shared, is_time_meta
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.notes.note_positions import NotePositions
from consort_midi_store.transforms.notes.repair import repair_track
from consort_midi_store.transforms.operation_parameters import MergeOperation
from consort_midi_store.transforms.operations.merge_in_sequence import merge_in_sequence
from consort_music.errors import MusicError
from consort_music.midi.measure_numbers import without_measure_numbers
from consort_music.midi.model import DRUM_CHANNEL, END_OF_TRACK, META, Event, MidiFile, Track
from consort_music.midi.notes import KEYS, Pairs, take_end
from consort_music.midi.tempo_map import last_tick

_HIGHEST_PPQ = 0x7FFF


def merge(files: Sequence[MidiFile], operation: MergeOperation, report: ChangeReport, cache: NoteCache) -> MidiFile:
    """Return the merged file.

    Raise MusicError for a type 2 file, or if one file counts time in SMPTE frames and another counts differently.

    Adds to the report: `files`, `tracks` (merged into one), `channels_moved`, `tracks_joined`, and the counts of
    `NotePositions.resolve_collisions`.
    """
    if any(file.format == 2 for file in files):
        raise MusicError(
            "NEEDS_ONE_TIMELINE",
            "A type 2 file contains separate pieces that do not sound together. Split it by track, then merge.",
            ["split by track"],
        )
    merged = files[0]
    if len(files) > 1:
        files = _with_equal_division(files, report)
        in_sequence = operation.order == "sequence"
        numbered = 0 if in_sequence else 1  # parallel files have the measure numbers of the first one
        files[numbered:] = [replace(file, tracks=without_measure_numbers(file.tracks)) for file in files[numbered:]]
        tracks = merge_in_sequence(files, report, cache) if in_sequence else _merge_in_parallel(files, report)
        report.changed["files"] += len(files)
        merged = replace(files[0], format=1, tracks=tracks)
    one_track = not operation.midi_file_ids if operation.one_track is None else operation.one_track
    if one_track and len(merged.tracks) > 1:
        report.changed["tracks"] += len(merged.tracks)
        merged = replace(merged, format=0, tracks=[_merge_tracks(merged.tracks, report, cache)])
    elif one_track and merged.format == 1:
        merged = replace(merged, format=0)
    return merged


def _with_equal_division(files: Sequence[MidiFile], report: ChangeReport) -> list[MidiFile]:
    """Convert all files to the same number of ticks per beat: their least common multiple, or the largest of them.

    The largest is used if MIDI does not allow the least common multiple. Then times are rounded and a warning is added.
    """
    divisions = {file.division for file in files}
    if len(divisions) == 1:
        return list(files)
    if any(file.ppq is None for file in files):
        raise MusicError(
            "NEEDS_BEATS",
            "One of the files counts time in SMPTE frames, so it cannot be merged with files that count differently.",
        )
    common = lcm(*divisions)
    if common > _HIGHEST_PPQ:
        common = max(divisions)
        report.warnings.append(
            f"The files have no common resolution that MIDI allows. Times were rounded to {common} ticks per beat."
        )
    return [_rescaled(file, common, report) for file in files]


def _rescaled(file: MidiFile, ppq: int, report: ChangeReport) -> MidiFile:
    factor = Fraction(ppq, file.division)
    if factor == 1:
        return file
    tracks: list[Track] = []
    for index, track in enumerate(file.tracks):
        times, parts = factor.numerator, factor.denominator
        if parts == 1:
            tracks.append([(tick * times, status, data) for tick, status, data in track])
        else:  # to the nearest tick, halves up
            repaired = repair_track(
                [((2 * tick * times + parts) // (2 * parts), status, data) for tick, status, data in track]
            )
            repaired.report(report, index)
            tracks.append(repaired.events)
    return replace(file, division=ppq, tracks=tracks)


def _merge_in_parallel(files: Sequence[MidiFile], report: ChangeReport) -> list[Track]:
    tracks: list[Track] = list(files[0].tracks)
    known = _all_but_notes(tracks)
    use = _ChannelUse()
    use.add(tracks)
    for number, file in enumerate(files[1:], 1):
        moved = _moved_channels(use, file, number, report)
        has_time = any(map(is_time_meta, known))
        if has_time and any(is_time_meta(event) and event not in known for event in _all_but_notes(file.tracks)):
            report.warnings.append(f"File {number} has its own tempo or signatures. Those of the first file are used.")
        elif not has_time and use.playing and any(map(is_time_meta, _all_but_notes(file.tracks))):
            report.warnings.append(f"Only file {number} has a tempo or signatures. They apply to all files.")
        added: list[Track] = []
        for track in file.tracks:
            kept = [
                event
                for event in track
                if event[1] < 0xF0 or not ((is_shared(event) and event in known) or (has_time and is_time_meta(event)))
            ]
            has_notes = bool(channels_of_notes(track))
            # After a split, the files share many events. A track that would add nothing new is left out.
            if has_notes or not all(is_name_or_end(event) or event in known for event in kept):
                added.append(_on_channels(track if len(kept) == len(track) else kept, moved))
        tracks += added
        use.add(added)
        known |= _all_but_notes(added)
    return tracks


def _all_but_notes(tracks: Sequence[Track]) -> set[Event]:
    return {event for track in tracks for event in track if event[1] >= 0xB0}


class _ChannelUse:
    """How tracks use the channels (from 0).

    A channel is in `taken` if it has any message, and in `playing` if it has notes. `settings[channel]` has all its
    messages except notes and poly-pressure.
    """

    def __init__(self) -> None:
        self.taken: set[int] = set()
        self.playing: set[int] = set()
        self.settings: defaultdict[int, set[Event]] = defaultdict(set)

    def add(self, tracks: Sequence[Track]) -> None:
        for track in tracks:
            statuses = set(map(itemgetter(1), track))
            self.taken |= {status & 0x0F for status in statuses if status < 0xF0}
            self.playing |= {status & 0x0F for status in statuses if status < 0xA0}
            if any(0xB0 <= status < 0xF0 for status in statuses):
                for event in track:
                    if 0xB0 <= event[1] < 0xF0:
                        self.settings[event[1] & 0x0F].add(event)

    def disturbs(self, other: "_ChannelUse", channel: int) -> bool:
        """Return whether the settings of these tracks would change how the other tracks sound on a channel.

        Program 0 is the default of a channel, so setting it changes nothing if no other program is set.
        """
        new = self.settings[channel] - other.settings[channel]
        programs = {
            data for _, status, data in (self.settings[channel] | other.settings[channel]) if status & 0xF0 == 0xC0
        }
        return channel in other.playing and any(status & 0xF0 != 0xC0 or programs != {b"\0"} for _, status, _ in new)


def _moved_channels(here: _ChannelUse, file: MidiFile, number: int, report: ChangeReport) -> dict[int, int]:
    """Return a free channel for each channel of `file` that must be moved, because the files disturb each other on it.

    Adds a warning if no channel is free, or if it is the drum channel, which cannot be moved.
    """
    there = _ChannelUse()
    there.add(file.tracks)
    free = sorted(set(range(16)) - {DRUM_CHANNEL} - here.taken - there.taken)
    moved: dict[int, int] = {}
    shared = here.playing & there.taken | here.taken & there.playing
    for channel in sorted(shared, key=lambda each: (each not in here.playing & there.playing, each)):
        if not (here.disturbs(there, channel) or there.disturbs(here, channel)):
            continue
        if free and channel != DRUM_CHANNEL:
            moved[channel] = free.pop(0)
        else:
            reason = "drums have no other channel" if channel == DRUM_CHANNEL else "no channel is free"
            report.warnings.append(
                f"File {number} has other instruments or controllers on channel {channel + 1} than the music before "
                f"it, and {reason}. Both may sound with the same settings."
            )
    report.changed["channels_moved"] += len(moved)
    return moved


def _on_channels(track: Track, moved: dict[int, int]) -> Track:
    """Return the track with its messages on other channels. `moved[old]` is the new channel."""
    new = {kind | old: kind | channel for kind in range(0x80, 0xF0, 0x10) for old, channel in moved.items()}
    if not new.keys() & set(map(itemgetter(1), track)):
        return track
    return [(tick, new.get(status, status), data) for tick, status, data in track]


def _merge_tracks(tracks: Sequence[Track], report: ChangeReport, cache: NoteCache) -> Track:
    """Return one track with all events, sorted by tick. At one tick, note-offs are first, then the others by track."""
    flat: list[Event] = []
    ranks: list[int] = []  # sort keys: 2 * tick for note-offs, 2 * tick + 1 for other events
    columns: tuple[list[int], ...] = ([], [], [], [], [], [])  # for each note: on, off, start, end, key, voice
    for index, track in enumerate(tracks):
        repaired = cache.repaired(track)
        repaired.report(report, index)
        pairs, base = repaired.pairs, len(flat)
        flat += repaired.events
        take_end(flat)
        ranks += [2 * tick + 1 for tick, _, _ in flat[base:]]
        offs = [base + place for place in pairs.offs]
        for off in offs:
            ranks[off] -= 1
        ons = [base + place for place in pairs.ons]
        voices = [index * KEYS + key for key in pairs.keys]
        for column, more in zip(columns, (ons, offs, pairs.starts, pairs.ends, pairs.keys, voices), strict=True):
            column += more
    order = sorted(range(len(flat)), key=ranks.__getitem__)
    places = [0] * len(flat)
    for new, old in enumerate(order):
        places[old] = new
    for column in columns[:2]:
        column[:] = map(places.__getitem__, column)
    notes = sorted(range(len(columns[0])), key=columns[0].__getitem__)
    ons, offs, starts, ends, keys, voices = (list(map(column.__getitem__, notes)) for column in columns)
    merged = [*map(flat.__getitem__, order), (last_tick(tracks), META, END_OF_TRACK)]
    positions = NotePositions(merged, Pairs(ons, offs, starts, ends, keys, []), starts, ends, keys, origins=voices)
    positions.resolve_collisions(report)
    return positions.rebuild()
