"""Extract some tracks of a file, or split it into a file for each track or channel.

Tempo, signatures, markers and system exclusive messages affect the whole music, whichever track they are in. Programs
and controllers affect all notes of their channel. So a file made of some tracks also gets the events of the other
tracks that affect its notes. The tracks of a type 2 file are separate pieces, so they do not affect each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import is_, itemgetter

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.event_kinds import channels_of_notes, is_name_or_end, is_shared
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.operation_parameters import ExtractTracksOperation, SplitOperation
from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.midi.model import DRUM_CHANNEL, MidiFile, Track
from consort_music.midi.notes import count_hanging, with_lengths
from consort_music.midi.reader import DEFAULT_LIMITS
from consort_music.midi.track_events import ChannelPrograms, TrackEvents
from consort_music.midi.track_names import find_tracks, track_name, track_names

MAX_FILES = 128


def extract_tracks(file: MidiFile, operation: ExtractTracksOperation, report: ChangeReport) -> MidiFile:
    """Return a file with only these tracks. Raise MusicError (UNKNOWN_TRACK) if there is no such track.

    Adds to the report: `tracks_kept` and `tracks_removed`.
    """
    wanted = find_tracks(track_names(file.tracks), operation.tracks or [])
    if not wanted:
        raise MusicError("UNKNOWN_TRACK", "Name at least one track to extract.", field="tracks")
    report.changed["tracks_kept"] += len(wanted)
    report.changed["tracks_removed"] += len(file.tracks) - len(wanted)
    return _with_only(file, set(wanted), list(map(_without_notes, file.tracks)))


def split(
    file: MidiFile, operation: SplitOperation, report: ChangeReport, cache: NoteCache
) -> list[tuple[MidiFile, str]]:
    """Return the files in order, each with a label. Raise MusicError (TOO_MANY_FILES) if there are too many.

    There is no file for a track without notes. Hanging notes are ended at the end of their track, because the event
    that would end them may be in another file.

    Adds to the report: `files`, and the repairs of hanging notes.
    """
    file = _with_ended_notes(file, report, cache)
    parts: list[tuple[MidiFile, str]] = []
    events = 0
    for part in _by_channel(file) if operation.by == "channel" else _by_track(file):
        parts.append(part)
        events += sum(map(len, part[0].tracks))
        if len(parts) > MAX_FILES or events > DEFAULT_LIMITS.max_events:
            raise MusicError(
                "TOO_MANY_FILES",
                f"Splitting by {operation.by} would give more than {MAX_FILES} files, or more than "
                f"{DEFAULT_LIMITS.max_events} events in all. Extract some of the tracks first, or split by channel.",
                ["extract_tracks", "split by channel"],
            )
    if not parts:
        report.warnings.append("There are no notes, so there is nothing to split.")
        parts = [(file, "")]
    report.changed["files"] += len(parts)
    return parts


def _with_ended_notes(file: MidiFile, report: ChangeReport, cache: NoteCache) -> MidiFile:
    """Return the file with all hanging notes ended. Tracks without hanging notes stay the same objects."""
    tracks = list(file.tracks)
    for index, track in enumerate(tracks):
        if count_hanging(track):
            repaired = cache.repaired(track)
            repaired.report(report, index)
            tracks[index] = repaired.events
    return file if all(map(is_, tracks, file.tracks)) else replace(file, tracks=tracks)


def _by_track(file: MidiFile) -> Iterable[tuple[MidiFile, str]]:
    without_notes = list(map(_without_notes, file.tracks))
    instruments = _instruments(file)
    for index, track in enumerate(file.tracks):
        if channels_of_notes(track):
            instrument = next(iter(instruments[index].values()), "")
            label = track_name(track) or f"{instrument} (track {index})".lstrip()
            yield _with_only(file, {index}, without_notes), label


def _by_channel(file: MidiFile) -> Iterable[tuple[MidiFile, str]]:
    without_notes = list(map(_without_notes, file.tracks))
    instruments = _instruments(file)
    for channel in sorted(set().union(*map(channels_of_notes, file.tracks))):
        tracks: list[Track] = []
        for track, settings in zip(file.tracks, without_notes, strict=True):
            here = {status & 0x0F for status in set(map(itemgetter(1), track)) if status < 0xF0}
            if channel not in here:
                tracks += _needed_part(track, settings, file, set())
            elif here == {channel}:
                tracks.append(track)
            else:
                part = [event for event in track if event[1] >= 0xF0 or event[1] & 0x0F == channel]
                tracks.append(with_lengths(part))
        instrument = next((names[channel] for names in instruments if channel in names), "")
        yield _with_tracks(file, tracks), f"{instrument} (channel {channel + 1})".lstrip()


def _instruments(file: MidiFile) -> list[dict[int, str]]:
    """Return for each track a dictionary: by channel (from 0), the first instrument that the track's notes use."""
    parts = list(map(TrackEvents.of, file.tracks))
    shared = ChannelPrograms(parts)
    found: list[dict[int, str]] = []
    for part in parts:
        names: dict[int, str] = {}
        for channel, program in (ChannelPrograms([part]) if file.format == 2 else shared).under(part.notes):
            names.setdefault(channel, DRUMS.name if channel == DRUM_CHANNEL else INSTRUMENTS[program].name)
        found.append(names)
    return found


def _with_only(file: MidiFile, wanted: set[int], without_notes: Sequence[Track]) -> MidiFile:
    """Return the file with the wanted tracks, and those events of the other tracks that the wanted tracks need."""
    if len(wanted) == len(file.tracks):
        return file
    playing = set().union(*(channels_of_notes(file.tracks[index]) for index in wanted))
    tracks: list[Track] = []
    for index, track in enumerate(file.tracks):
        tracks += [track] if index in wanted else _needed_part(track, without_notes[index], file, playing)
    return _with_tracks(file, tracks)


def _without_notes(track: Track) -> Track:
    """Return all events except notes and poly-pressure. Other tracks may need these events."""
    return [event for event in track if event[1] >= 0xB0]


def _needed_part(track: Track, without_notes: Track, file: MidiFile, playing: set[int]) -> list[Track]:
    """Return a list with one track, which has the name of `track` and those of its events that other tracks need.

    `playing` are the channels of the other tracks' notes. If every event is needed, the list has `track` itself. If
    none is needed, the list is empty.
    """
    if file.format == 2:
        return []
    settings = {kind | channel for kind in range(0xB0, 0xF0, 0x10) for channel in playing}
    needed = [event for event in without_notes if event[1] in settings or is_shared(event) or is_name_or_end(event)]
    if all(map(is_name_or_end, needed)):
        return []
    return [track if len(needed) == len(track) else needed]


def _with_tracks(file: MidiFile, tracks: list[Track]) -> MidiFile:
    """Return the file with these tracks. A single piece of a type 2 file becomes type 0: few programs open type 2."""
    format_ = 0 if file.format == 2 and len(tracks) == 1 else file.format
    return replace(file, format=format_, tracks=tracks)
