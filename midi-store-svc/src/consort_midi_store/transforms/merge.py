"""Several files made one, side by side or one after the other, and several tracks made one.

Side by side, tempo and signatures are those of the first file that has any, and a channel on which another file has
other instruments or controllers is moved to a free one. `sequence` puts files one after the other.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from operator import itemgetter

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Merge
from consort_midi_store.transforms.notes import make_whole
from consort_midi_store.transforms.placement import Placement
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.sequence import in_sequence
from consort_midi_store.transforms.state import TIME_METAS
from consort_midi_store.transforms.tracks import channels_of_notes, is_frame, is_shared
from consort_music.errors import MusicError
from consort_music.midi.model import (
    DRUM_CHANNEL,
    END_OF_TRACK,
    META,
    Event,
    MidiFile,
    Track,
)
from consort_music.midi.notes import KEYS, Pairs, take_end
from consort_music.midi.timing import last_tick

_HIGHEST_PPQ = 0x7FFF


def merge(files: Sequence[MidiFile], operation: Merge, report: Report, cache: NoteCache) -> MidiFile:
    """Counted: `files`, `tracks` that were put into one, `channels_moved`, `tracks_joined`; the rest by `placement`."""
    if any(file.format == 2 for file in files):
        raise MusicError(
            "NEEDS_ONE_TIMELINE",
            "A type 2 file holds separate pieces that do not sound together: split it by track, then merge.",
            ["split by track"],
        )
    merged = files[0]
    if len(files) > 1:
        files = _same_division(files, report)
        together = in_sequence(files, report, cache) if operation.order == "sequence" else _in_parallel(files, report)
        report.changed["files"] += len(files)
        merged = replace(files[0], format=1, tracks=together)
    one_track = not operation.midi_file_ids if operation.one_track is None else operation.one_track
    if one_track and len(merged.tracks) > 1:
        report.changed["tracks"] += len(merged.tracks)
        merged = replace(merged, format=0, tracks=[_one_track(merged.tracks, report, cache)])
    elif one_track and merged.format == 1:
        merged = replace(merged, format=0)
    return merged


def _same_division(files: Sequence[MidiFile], report: Report) -> list[MidiFile]:
    divisions = {file.division for file in files}
    if len(divisions) == 1:
        return list(files)
    if any(file.ppq is None for file in files):
        raise MusicError(
            "NEEDS_BEATS",
            "One of the files counts time in SMPTE frames and cannot be merged with others that count otherwise.",
        )
    common = lcm(*divisions)
    if common > _HIGHEST_PPQ:
        common = max(divisions)
        report.warnings.append(f"The files' resolutions have no common one; times were rounded to {common} per beat.")
    return [_rescaled(file, common, report) for file in files]


def _rescaled(file: MidiFile, ppq: int, report: Report) -> MidiFile:
    factor = Fraction(ppq, file.division)
    if factor == 1:
        return file
    tracks: list[Track] = []
    for index, track in enumerate(file.tracks):
        times, parts = factor.numerator, factor.denominator
        if parts == 1:
            tracks.append([(tick * times, status, data) for tick, status, data in track])
        else:  # the nearest tick, halves up
            whole = make_whole(
                [((2 * tick * times + parts) // (2 * parts), status, data) for tick, status, data in track]
            )
            whole.report(report, index)
            tracks.append(whole.events)
    return replace(file, division=ppq, tracks=tracks)


def _in_parallel(files: Sequence[MidiFile], report: Report) -> list[Track]:
    tracks: list[Track] = list(files[0].tracks)
    said = _all_but_notes(tracks)
    use = _Use()
    use.add(tracks)
    for number, file in enumerate(files[1:], 1):
        moved = _moved_channels(use, file, number, report)
        has_time = any(map(_is_time, said))
        if has_time and any(_is_time(event) and event not in said for event in _all_but_notes(file.tracks)):
            report.warnings.append(f"File {number} has its own tempo or signatures; those of the first file hold.")
        elif not has_time and use.playing and any(map(_is_time, _all_but_notes(file.tracks))):
            report.warnings.append(f"Only file {number} has a tempo or signatures; the music before it follows them.")
        added: list[Track] = []
        for track in file.tracks:
            kept = [
                event
                for event in track
                if event[1] < 0xF0 or not ((is_shared(event) and event in said) or (has_time and _is_time(event)))
            ]
            is_heard = bool(channels_of_notes(track))
            if is_heard or not all(is_frame(event) or event in said for event in kept):  # parts of a split share much
                added.append(_on_channels(track if len(kept) == len(track) else kept, moved))
        tracks += added
        use.add(added)
        said |= _all_but_notes(added)
    return tracks


def _all_but_notes(tracks: Sequence[Track]) -> set[Event]:
    return {event for track in tracks for event in track if event[1] >= 0xB0}


def _is_time(event: Event) -> bool:
    return event[1] == META and event[2][0] in TIME_METAS


class _Use:
    """What some tracks do with the channels: `settings` are all messages of a channel but those of keys."""

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

    def disturbs(self, other: "_Use", channel: int) -> bool:
        """Does it say anything that is not said there of a channel that is played there?

        That it plays the program which it would play anyway is nothing, if that is all that is said of programs.
        """
        new = self.settings[channel] - other.settings[channel]
        programs = {
            data for _, status, data in (self.settings[channel] | other.settings[channel]) if status & 0xF0 == 0xC0
        }
        return channel in other.playing and any(status & 0xF0 != 0xC0 or programs != {b"\0"} for _, status, _ in new)


def _moved_channels(here: _Use, file: MidiFile, number: int, report: Report) -> dict[int, int]:
    """Channels of a file that would sound otherwise together with the tracks already there, to free ones."""
    there = _Use()
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
            why = "and drums have no other" if channel == DRUM_CHANNEL else "and no channel is free"
            report.warnings.append(
                f"File {number} has other instruments or controllers on channel {channel + 1} than the music before "
                f"it, {why}: they may sound alike."
            )
    report.changed["channels_moved"] += len(moved)
    return moved


def _on_channels(track: Track, moved: dict[int, int]) -> Track:
    new = {kind | old: kind | channel for kind in range(0x80, 0xF0, 0x10) for old, channel in moved.items()}
    if not new.keys() & set(map(itemgetter(1), track)):
        return track
    return [(tick, new.get(status, status), data) for tick, status, data in track]


def _one_track(tracks: Sequence[Track], report: Report, cache: NoteCache) -> Track:
    """All events in order of time; at one tick note-offs first, the rest in the order of the tracks."""
    flat: list[Event] = []
    ranks: list[int] = []  # by time; of the note-offs lower than of other events
    columns: tuple[list[int], ...] = ([], [], [], [], [], [])  # of notes: on, off, start, end, key, voice
    for index, track in enumerate(tracks):
        whole = cache.of(track)
        whole.report(report, index)
        pairs, base = whole.pairs, len(flat)
        flat += whole.events
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
    placement = Placement(merged, Pairs(ons, offs, starts, ends, keys, []), starts, ends, keys, origins=voices)
    placement.settle(report)
    return placement.rebuild()
