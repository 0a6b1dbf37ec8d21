"""Merge files in sequence, as one piece.

Each file starts at a bar line, with the tempo, metre, programs and controllers that it would have alone. Tracks with
the same name are joined. If several have this name, those with the same instruments are joined first. Drums are joined
only to drums. If a file's first track has no notes (a tempo track), it is joined to the other tempo tracks. The title
in the tempo track of a later file becomes a marker.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from math import ceil
from typing import NamedTuple, Self

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.timeline.midi_state import state_before
from consort_music.metre import COMMON_TIME
from consort_music.midi.model import (
    DRUM_CHANNEL,
    META,
    META_MARKER,
    META_TEMPO,
    META_TIME_SIGNATURE,
    META_TRACK_NAME,
    Event,
    MidiFile,
    Track,
)
from consort_music.midi.notes import put_end, take_end
from consort_music.midi.tempo_map import DEFAULT_TEMPO, last_tick, tempo_changes
from consort_music.midi.time_signatures import bars_of, metres_of, payload_of_metre
from consort_music.midi.track_events import ChannelPrograms, TrackEvents
from consort_music.midi.track_names import track_name

_DEFAULT_CONTROLLERS = {7: 100, 10: 64, 0: 0, 32: 0}  # controllers that "reset all controllers" does not reset
_DRUMS = -1  # in place of a program


class _TrackIdentity(NamedTuple):
    """The name and the programs of a track. Tracks with equal identities are joined first, then similar ones."""

    name: str
    programs: frozenset[int]

    def is_similar(self, other: Self) -> bool:
        return self.name == other.name and (_DRUMS in self.programs) == (_DRUMS in other.programs)


_TEMPO_TRACK = _TrackIdentity("", frozenset())


def merge_in_sequence(files: Sequence[MidiFile], report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the tracks of the merged file. Adds to the report: `tracks_joined`."""
    tracks: list[Track] = list(files[0].tracks)
    identities = list(_identities(files[0]))
    for file in files[1:]:
        start = _next_bar(tracks, files[0].ppq)
        places = _places(identities, list(_identities(file)))
        opening = [(start, status, data) for status, data in _reset_messages(tracks, file)]
        first = min(places)  # at one tick, the events of this track are before those of all other tracks
        for place, track, identity in zip(places, file.tracks, _identities(file), strict=True):
            shifted = [(start + tick, status, data) for tick, status, data in cache.repaired(track).events]
            if place == first:
                shifted = [*opening, *shifted]
            if place == len(tracks):
                tracks.append(_named_first(shifted))
                identities.append(identity)
                cache.repaired(track).report(report, place)
            else:
                tracks[place] = _joined(cache.repaired(tracks[place]).events, shifted)
                report.changed["tracks_joined"] += 1
    return tracks


def _identities(file: MidiFile) -> Iterator[_TrackIdentity | None]:
    """Yield the identity of each track, or None for a track without a name, which is not joined to another."""
    parts = [TrackEvents.of(track) for track in file.tracks]
    programs = ChannelPrograms(parts)
    for index, part in enumerate(parts):
        name = " ".join(track_name(part.metas).split()).casefold()
        if index == 0 and not part.notes:
            yield _TEMPO_TRACK
        elif name:
            played = (_DRUMS if channel == DRUM_CHANNEL else program for channel, program in programs.under(part.notes))
            yield _TrackIdentity(name, frozenset(played))
        else:
            yield None


def _places(here: Sequence[_TrackIdentity | None], coming: Sequence[_TrackIdentity | None]) -> list[int]:
    """Return for each track in `coming` the index of the track in `here` that it is joined to.

    A track that is not joined gets a new index after those of `here`.
    """
    free = {index: identity for index, identity in enumerate(here) if identity is not None}
    found: dict[int, int] = {}
    for fits in (_TrackIdentity.__eq__, _TrackIdentity.is_similar):
        for number, identity in enumerate(coming):
            if identity is not None and number not in found:
                place = next((index for index, other in free.items() if fits(identity, other)), None)
                if place is not None:
                    found[number] = place
                    del free[place]
    added = count(len(here))
    return [found[number] if number in found else next(added) for number in range(len(coming))]


def _joined(before: Track, after: list[Event]) -> Track:
    """Join two tracks. The name of the second is left out if it is the same; otherwise it becomes a marker."""
    events = list(before)
    end = take_end(events)
    end = take_end(after) or end
    name = track_name(before).casefold()
    for event in after:
        tick, status, data = event
        if _is_name(status, data):
            if track_name([event]).casefold() in ("", name):
                continue
            event = tick, META, bytes((META_MARKER,)) + data[1:]
        events.append(event)
    put_end(events, end)
    return events


def _named_first(events: list[Event]) -> Track:
    """Move the track's name to tick 0, where other software looks for it."""
    place = next((place for place, (_, status, data) in enumerate(events) if _is_name(status, data)), None)
    if place is None:
        return events
    return [(0, META, events[place][2]), *events[:place], *events[place + 1 :]]


def _is_name(status: int, data: bytes) -> bool:
    return status == META and data[0] == META_TRACK_NAME


def _next_bar(tracks: Sequence[Track], ppq: int | None) -> int:
    """Return the tick of the first bar line at or after the end, or the end itself if the file has no beats (SMPTE)."""
    end = last_tick(tracks)
    if ppq is None:
        return end
    return ceil(bars_of(tracks, ppq).next_bar_line(end))


def _reset_messages(before: Sequence[Track], file: MidiFile) -> list[tuple[int, bytes]]:
    """Return messages for the start of `file`, which undo tempo, metre, controllers and programs left by `before`."""
    messages: list[tuple[int, bytes]] = []
    opened = {(status, data[0]) for track in file.tracks for tick, status, data in track if tick == 0 and data}
    if tempo_changes(before)[0][-1][1] != DEFAULT_TEMPO and (META, META_TEMPO) not in opened:
        messages.append((META, bytes((META_TEMPO,)) + DEFAULT_TEMPO.to_bytes(3, "big")))
    metres = metres_of(before)
    if metres and metres[-1][1] != COMMON_TIME and (META, META_TIME_SIGNATURE) not in opened:
        messages.append((META, bytes((META_TIME_SIGNATURE,)) + payload_of_metre(COMMON_TIME)))
    in_force: dict[int, set[int]] = {}  # by status: the first data bytes of the messages in force
    for state in state_before(before, last_tick(before) + 1, [()] * len(before)):
        for status, data in state:
            if status < 0xF0:
                in_force.setdefault(status, set()).add(data[0])
    for channel in sorted({status & 0x0F for track in file.tracks for _, status, _ in track if status < 0xF0}):
        if any(kind | channel in in_force for kind in (0xB0, 0xD0, 0xE0)):
            messages.append((0xB0 | channel, bytes((121, 0))))
        for controller, value in _DEFAULT_CONTROLLERS.items():
            if controller in in_force.get(0xB0 | channel, ()):
                messages.append((0xB0 | channel, bytes((controller, value))))
        if 0xC0 | channel in in_force:
            messages.append((0xC0 | channel, b"\0"))
    return messages
