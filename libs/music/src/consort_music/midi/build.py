"""From notes in beats to a MIDI file of type 1: a conductor track, then a track for each part.

Beats become ticks once, on the absolute start and the absolute end of a note, so that nothing drifts. At one tick
note-offs come first, then everything else, then note-ons: a repeated note sounds again. A note that rounding would
leave without length gets one tick.
"""

import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from itertools import chain
from operator import attrgetter

from consort_music.beats import to_ticks
from consort_music.errors import MusicError
from consort_music.metre import Metre
from consort_music.midi.model import (
    DRUM_CHANNEL,
    END_OF_TRACK,
    META,
    META_KEY_SIGNATURE,
    META_MARKER,
    META_TEMPO,
    META_TIME_SIGNATURE,
    META_TRACK_NAME,
    Event,
    MidiFile,
    Track,
)
from consort_music.midi.time_signatures import payload_of_metre
from consort_music.midi_text import MidiText, TextTrack

DEFAULT_PPQ = 480
MAX_PPQ = 0x7FFF
MICROSECONDS_A_MINUTE = 60_000_000
RELEASE_VELOCITY = 64
VOLUME, PAN = 7, 10
MELODIC_CHANNELS = 15


def build_midi(music: MidiText, ppq: int | None = None) -> MidiFile:
    """Without `ppq` it is 480, or as many others as it takes for every beat to be exact."""
    ppq = ppq or _exact_ppq(music)
    channels = _channels(music.tracks)
    tracks = [_conductor(music, ppq)]
    tracks += [_part(track, channel, ppq) for track, channel in zip(music.tracks, channels, strict=True)]
    return MidiFile(format=1, division=ppq, tracks=tracks)


def _exact_ppq(music: MidiText) -> int:
    """480 ticks, or as many others as it takes for every beat to be exact, if a file can hold that."""
    notes: Iterable[Fraction] = (
        beat for track in music.tracks for note in track.notes for beat in (note.start, note.duration)
    )
    needed = 1
    for beat in chain(notes, (beat for beat, *_ in music.tempos), (beat for beat, *_ in music.time_signatures)):
        needed = math.lcm(needed, beat.denominator)
        if needed > MAX_PPQ:
            return DEFAULT_PPQ
    wanted = math.lcm(needed, DEFAULT_PPQ)
    return wanted if wanted <= MAX_PPQ else needed * math.ceil(DEFAULT_PPQ / needed)


def _channels(tracks: list[TextTrack]) -> list[int]:
    """Drums on channel 10, each other track on its own; when they run out, tracks that sound alike share.

    That is first those of one instrument, volume and pan, and only if it must be those of one instrument.
    """
    melodic = [track for track in tracks if not track.instrument.is_drums]
    kinds: list[list[Hashable]] = [
        list(range(len(melodic))),
        [(track.instrument.program, track.volume, track.pan) for track in melodic],
        [track.instrument.program for track in melodic],
    ]
    chosen = next((kind for kind in kinds if len(set(kind)) <= MELODIC_CHANNELS), None)
    if chosen is None:
        raise MusicError(
            "TOO_MANY_INSTRUMENTS",
            "A MIDI file has 15 channels for different instruments besides the drums; use fewer instruments.",
            ["give some tracks the same instrument"],
        )
    free = iter(channel for channel in range(16) if channel != DRUM_CHANNEL)
    by_kind = {kind: next(free) for kind in dict.fromkeys(chosen)}
    channels = (by_kind[kind] for kind in chosen)
    return [DRUM_CHANNEL if track.instrument.is_drums else next(channels) for track in tracks]


def _conductor(music: MidiText, ppq: int) -> Track:
    events: list[Event] = []
    if music.title:
        events.append((0, META, bytes([META_TRACK_NAME]) + music.title.encode()))
    for beat, bpm in music.tempos:
        microseconds = min(round(MICROSECONDS_A_MINUTE / bpm), 0xFFFFFF)
        events.append((to_ticks(beat, ppq), META, bytes([META_TEMPO]) + microseconds.to_bytes(3, "big")))
    for beat, numerator, denominator in music.time_signatures:
        data = bytes([META_TIME_SIGNATURE]) + payload_of_metre(Metre(numerator, denominator))
        events.append((to_ticks(beat, ppq), META, data))
    for beat, sharps, is_minor in music.key_signatures:
        events.append((to_ticks(beat, ppq), META, bytes([META_KEY_SIGNATURE, sharps % 256, is_minor])))
    for beat, text in music.markers:
        events.append((to_ticks(beat, ppq), META, bytes([META_MARKER]) + text.encode()))
    events.sort(key=lambda event: event[0])
    return _ended(events, to_ticks(music.end, ppq))


def _part(track: TextTrack, channel: int, ppq: int) -> Track:
    head: list[Event] = [(0, META, bytes([META_TRACK_NAME]) + track.name.encode())]
    if not track.instrument.is_drums:
        head.append((0, 0xC0 | channel, bytes([track.instrument.program])))
    for controller, value in ((VOLUME, track.volume), (PAN, track.pan)):
        if value is not None:
            head.append((0, 0xB0 | channel, bytes([controller, value])))
    offs: list[Event] = []
    ons: list[Event] = []
    for note in sorted(track.notes, key=attrgetter("duration")):  # of equal notes that begin at once the first to end
        start = to_ticks(note.start, ppq)
        end = max(to_ticks(note.start + note.duration, ppq), start + 1)
        ons.append((start, 0x90 | channel, bytes([note.pitch, note.velocity])))
        offs.append((end, 0x80 | channel, bytes([note.pitch, RELEASE_VELOCITY])))
    events = [*offs, *head, *ons]
    events.sort(key=lambda event: event[0])  # stable: at one tick the order above stays
    return _ended(events)


def _ended(events: list[Event], at_least: int = 0) -> Track:
    last = events[-1][0] if events else 0
    return [*events, (max(last, at_least), META, END_OF_TRACK)]
