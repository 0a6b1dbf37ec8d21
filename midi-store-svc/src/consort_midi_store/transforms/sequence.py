"""Files one after the other, as one piece.

Each file begins at a bar line, with the tempo, metre, programs and controllers that it would have alone. Tracks of one
name are joined (of several, those of one instrument), but not drums to other tracks; so are first tracks without notes,
which hold tempo and metre. The title that such a track of a later file has becomes a marker.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from math import ceil
from typing import NamedTuple, Self

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.state import state_before
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
from consort_music.midi.parts import ChannelPrograms, Part
from consort_music.midi.time_signatures import bars_of, metres_of, payload_of_metre
from consort_music.midi.timing import DEFAULT_TEMPO, last_tick, tempo_changes
from consort_music.midi.track_names import track_name

_CONTROLLERS_AT_REST = {7: 100, 10: 64, 0: 0, 32: 0}  # those that resetting all controllers leaves alone
_DRUMS = -1  # as a program


class _Player(NamedTuple):
    """Who plays a track; tracks of one player are joined, then those of players alike."""

    name: str
    programs: frozenset[int]

    def is_like(self, other: Self) -> bool:
        return self.name == other.name and (_DRUMS in self.programs) == (_DRUMS in other.programs)


_CONDUCTOR = _Player("", frozenset())


def in_sequence(files: Sequence[MidiFile], report: Report, cache: NoteCache) -> list[Track]:
    """Counted: `tracks_joined`."""
    tracks: list[Track] = list(files[0].tracks)
    players = list(_players(files[0]))
    for file in files[1:]:
        start = _next_bar(tracks, files[0].ppq)
        places = _places(players, list(_players(file)))
        opening = [(start, status, data) for status, data in _fresh_start(tracks, file)]
        first = min(places)  # at one tick its events come before those of all other tracks
        for place, track, player in zip(places, file.tracks, _players(file), strict=True):
            shifted = [(start + tick, status, data) for tick, status, data in cache.of(track).events]
            if place == first:
                shifted = [*opening, *shifted]
            if place == len(tracks):
                tracks.append(_named_first(shifted))
                players.append(player)
                cache.of(track).report(report, place)
            else:
                tracks[place] = _joined(cache.of(tracks[place]).events, shifted)
                report.changed["tracks_joined"] += 1
    return tracks


def _players(file: MidiFile) -> Iterator[_Player | None]:
    """Of each track; None for one without a name, which is joined to no other."""
    parts = [Part.of(track) for track in file.tracks]
    programs = ChannelPrograms(parts)
    for index, part in enumerate(parts):
        name = " ".join(track_name(part.metas).split()).casefold()
        if index == 0 and not part.notes:
            yield _CONDUCTOR
        elif name:
            played = (_DRUMS if channel == DRUM_CHANNEL else program for channel, program in programs.under(part.notes))
            yield _Player(name, frozenset(played))
        else:
            yield None


def _places(here: Sequence[_Player | None], coming: Sequence[_Player | None]) -> list[int]:
    """Where the tracks of a file go among those that are there; new ones follow them."""
    free = {index: player for index, player in enumerate(here) if player is not None}
    found: dict[int, int] = {}
    for fits in (_Player.__eq__, _Player.is_like):
        for number, player in enumerate(coming):
            if player is not None and number not in found:
                place = next((index for index, other in free.items() if fits(player, other)), None)
                if place is not None:
                    found[number] = place
                    del free[place]
    added = count(len(here))
    return [found[number] if number in found else next(added) for number in range(len(coming))]


def _joined(before: Track, after: list[Event]) -> Track:
    """Two parts of a track; a second name is left out if it is the same, otherwise it is a marker."""
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
    """A track with its name at tick 0, where programs look for it."""
    place = next((place for place, (_, status, data) in enumerate(events) if _is_name(status, data)), None)
    if place is None:
        return events
    return [(0, META, events[place][2]), *events[:place], *events[place + 1 :]]


def _is_name(status: int, data: bytes) -> bool:
    return status == META and data[0] == META_TRACK_NAME


def _next_bar(tracks: Sequence[Track], ppq: int | None) -> int:
    """The first bar line at or after the end; in a file without beats the end itself."""
    end = last_tick(tracks)
    if ppq is None:
        return end
    return ceil(bars_of(tracks, ppq).line_from(end))


def _fresh_start(before: Sequence[Track], file: MidiFile) -> list[tuple[int, bytes]]:
    """What has to be said at the start of a file, so that what the music before it set up does not go on."""
    messages: list[tuple[int, bytes]] = []
    opened = {(status, data[0]) for track in file.tracks for tick, status, data in track if tick == 0 and data}
    if tempo_changes(before)[0][-1][1] != DEFAULT_TEMPO and (META, META_TEMPO) not in opened:
        messages.append((META, bytes((META_TEMPO,)) + DEFAULT_TEMPO.to_bytes(3, "big")))
    metres = metres_of(before)
    if metres and metres[-1][1] != COMMON_TIME and (META, META_TIME_SIGNATURE) not in opened:
        messages.append((META, bytes((META_TIME_SIGNATURE,)) + payload_of_metre(COMMON_TIME)))
    held: dict[int, set[int]] = {}
    for state in state_before(before, last_tick(before) + 1, [()] * len(before)):
        for status, data in state:
            if status < 0xF0:
                held.setdefault(status, set()).add(data[0])
    for channel in sorted({status & 0x0F for track in file.tracks for _, status, _ in track if status < 0xF0}):
        if any(kind | channel in held for kind in (0xB0, 0xD0, 0xE0)):
            messages.append((0xB0 | channel, bytes((121, 0))))
        for controller, value in _CONTROLLERS_AT_REST.items():
            if controller in held.get(0xB0 | channel, ()):
                messages.append((0xB0 | channel, bytes((controller, value))))
        if 0xC0 | channel in held:
            messages.append((0xC0 | channel, b"\0"))
    return messages
