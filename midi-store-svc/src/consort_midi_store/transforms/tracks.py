"""Which tracks are in a file: some of them extracted, or each of them, or each channel, in a file of its own.

Tempo, signatures, markers and system exclusive messages are about the whole music, whichever track they stand in, and
programs and controllers about all notes of their channel: a file made of some tracks keeps from the others what its own
notes need. The tracks of a type 2 file are pieces of their own and share nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import is_, itemgetter

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import ExtractTracks, Split
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.state import TIME_METAS
from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.midi.model import (
    DRUM_CHANNEL,
    END_OF_TRACK,
    META,
    META_TRACK_NAME,
    Event,
    MidiFile,
    Track,
)
from consort_music.midi.notes import count_hanging, with_lengths
from consort_music.midi.parts import ChannelPrograms, Part
from consort_music.midi.reader import DEFAULT_LIMITS
from consort_music.midi.track_names import find_tracks, track_name, track_names

MAX_FILES = 128
_COPYRIGHT, _MARKER, _CUE = 0x02, 0x06, 0x07
_SHARED_METAS = {*TIME_METAS, _COPYRIGHT, _MARKER, _CUE}


def is_shared(event: Event) -> bool:
    """Is it about the whole music?"""
    _, status, data = event
    return status in (0xF0, 0xF7) or (status == META and data[0] in _SHARED_METAS)


def channels_of_notes(track: Track) -> set[int]:
    return {status & 0x0F for status in set(map(itemgetter(1), track)) if status < 0xA0}


def extract_tracks(file: MidiFile, operation: ExtractTracks, report: Report) -> MidiFile:
    """Counted: `tracks_kept` and `tracks_removed`."""
    wanted = find_tracks(track_names(file.tracks), operation.tracks or [])
    if not wanted:
        raise MusicError("UNKNOWN_TRACK", "Name at least one track to extract.", field="tracks")
    report.changed["tracks_kept"] += len(wanted)
    report.changed["tracks_removed"] += len(file.tracks) - len(wanted)
    return _with_only(file, set(wanted), list(map(_backing, file.tracks)))


def split(file: MidiFile, operation: Split, report: Report, cache: NoteCache) -> list[tuple[MidiFile, str]]:
    """The files with a label each, in order; counted as `files`. Tracks without notes make none.

    Hanging notes end with their track, since a part alone has nothing that would end them.
    """
    file = _closed(file, report, cache)
    parts: list[tuple[MidiFile, str]] = []
    events = 0
    for part in _by_channel(file) if operation.by == "channel" else _by_track(file):
        parts.append(part)
        events += sum(map(len, part[0].tracks))
        if len(parts) > MAX_FILES or events > DEFAULT_LIMITS.max_events:
            raise MusicError(
                "TOO_MANY_FILES",
                f"Splitting by {operation.by} would give more than {MAX_FILES} files, or more than "
                f"{DEFAULT_LIMITS.max_events} events in all: extract some of the tracks first, or split by channel.",
                ["extract_tracks", "split by channel"],
            )
    if not parts:
        report.warnings.append("There are no notes, so there is nothing to split.")
        parts = [(file, "")]
    report.changed["files"] += len(parts)
    return parts


def _closed(file: MidiFile, report: Report, cache: NoteCache) -> MidiFile:
    """The file with its hanging notes ended; tracks that have none are left as they are."""
    tracks = list(file.tracks)
    for index, track in enumerate(tracks):
        if count_hanging(track):
            whole = cache.of(track)
            whole.report(report, index)
            tracks[index] = whole.events
    return file if all(map(is_, tracks, file.tracks)) else replace(file, tracks=tracks)


def _by_track(file: MidiFile) -> Iterable[tuple[MidiFile, str]]:
    backing = list(map(_backing, file.tracks))
    instruments = _instruments(file)
    for index, track in enumerate(file.tracks):
        if channels_of_notes(track):
            played = next(iter(instruments[index].values()), "")
            label = track_name(track) or f"{played} (track {index})".lstrip()
            yield _with_only(file, {index}, backing), label


def _instruments(file: MidiFile) -> list[dict[int, str]]:
    """Of each track, by channel from 0, the name of the first instrument that its notes sound on."""
    parts = list(map(Part.of, file.tracks))
    shared = ChannelPrograms(parts)
    found: list[dict[int, str]] = []
    for part in parts:
        names: dict[int, str] = {}
        for channel, program in (ChannelPrograms([part]) if file.format == 2 else shared).under(part.notes):
            names.setdefault(channel, DRUMS.name if channel == DRUM_CHANNEL else INSTRUMENTS[program].name)
        found.append(names)
    return found


def _by_channel(file: MidiFile) -> Iterable[tuple[MidiFile, str]]:
    backing = list(map(_backing, file.tracks))
    instruments = _instruments(file)
    for channel in sorted(set().union(*map(channels_of_notes, file.tracks))):
        tracks: list[Track] = []
        for track, setup in zip(file.tracks, backing, strict=True):
            here = {status & 0x0F for status in set(map(itemgetter(1), track)) if status < 0xF0}
            if channel not in here:
                tracks += _shared_part(track, setup, file, set())
            elif here == {channel}:
                tracks.append(track)
            else:
                part = [event for event in track if event[1] >= 0xF0 or event[1] & 0x0F == channel]
                tracks.append(with_lengths(part))
        played = next((names[channel] for names in instruments if channel in names), "")
        yield _with_tracks(file, tracks), f"{played} (channel {channel + 1})".lstrip()


def _with_only(file: MidiFile, wanted: set[int], backing: Sequence[Track]) -> MidiFile:
    if len(wanted) == len(file.tracks):
        return file
    playing = set().union(*(channels_of_notes(file.tracks[index]) for index in wanted))
    tracks: list[Track] = []
    for index, track in enumerate(file.tracks):
        tracks += [track] if index in wanted else _shared_part(track, backing[index], file, playing)
    return _with_tracks(file, tracks)


def _backing(track: Track) -> Track:
    """What of a track others may need: all but notes and poly-pressure."""
    return [event for event in track if event[1] >= 0xB0]


def _shared_part(track: Track, backing: Track, file: MidiFile, playing: set[int]) -> list[Track]:
    """No track, or one with what others need (and its name); the track itself if it has nothing else.

    `playing` are the channels of the others' notes.
    """
    if file.format == 2:
        return []
    setting_up = {kind | channel for kind in range(0xB0, 0xF0, 0x10) for channel in playing}
    needed = [event for event in backing if event[1] in setting_up or is_shared(event) or is_frame(event)]
    if all(map(is_frame, needed)):
        return []
    return [track if len(needed) == len(track) else needed]


def is_frame(event: Event) -> bool:
    """Is it a track's name or end?"""
    _, status, data = event
    return status == META and (data[0] == META_TRACK_NAME or data[:1] == END_OF_TRACK)


def _with_tracks(file: MidiFile, tracks: list[Track]) -> MidiFile:
    """One piece alone is a plain file: few programs open type 2."""
    format_ = 0 if file.format == 2 and len(tracks) == 1 else file.format
    return replace(file, format=format_, tracks=tracks)
