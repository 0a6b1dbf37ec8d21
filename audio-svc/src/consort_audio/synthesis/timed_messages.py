"""Turn a MIDI file and the wishes of the user (instrument, bars, mute, clicks) into messages with times."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from consort_audio.synthesis.played_part import PlayedPart, played_part
from consort_audio.synthesis.render_options import RenderOptions
from consort_music.errors import MusicError
from consort_music.midi.model import DRUM_CHANNEL
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.performance.clicks import TimedClick, metronome
from consort_music.performance.compiled_music import CompiledMusic, compile_file, on_one_timeline
from consort_music.performance.device_state import state_at
from consort_music.performance.mute_solo import resolve_mute_solo

CHANNELS = 16
CLICK_CHANNELS = CHANNELS
"""The first of the 16 channels for clicks. They are apart from those of the music, whose volumes do not change them."""
_LONGEST_MESSAGE = 65_000
_SECOND = 1_000_000_000
_WAV_FRAME_BYTES = 4
_MOST_CLICKS = 200_000
"""Note-ons and note-offs: two hours with 14 clicks per second."""
_ALL_NOTES_OFF, _SUSTAIN = 123, 64
_BANK_SELECT = (0, 32)
_MOST_NAMED = 20


class SynthMessage(NamedTuple):
    time: int
    """Nanoseconds from the beginning of the sound."""
    message: bytes
    first_channel: int
    """The channel of the synth that the message calls 0."""


@dataclass(frozen=True)
class Performance:
    """The messages of a render, sorted by time, and its length without the tail."""

    messages: Iterator[SynthMessage]
    seconds: float
    """The length of count-in and music."""
    default_program: int
    """The program of a channel for which the messages choose none."""
    warnings: list[str]
    has_notes: bool
    """Whether a track that has notes is heard. If not, the warnings say so."""


def perform(content: bytes, options: RenderOptions) -> Performance:
    """Return what to play. Raise MusicError if the file or one of the options is not usable."""
    file = on_one_timeline(read_midi(content, ReaderLimits(max_bytes=options.max_midi_bytes)))
    music = compile_file(file, 0, _LONGEST_MESSAGE)
    part = played_part(file, music, options.first_bar, options.last_bar, options.count_in_bars)
    begin = part.begin
    seconds = (music.clock.ns(part.end) - begin) / _SECOND
    _check_length(seconds + options.tail_s, options)
    clicks = part.clicks + (_metronome(music, part) if options.metronome else [])
    silent = frozenset(resolve_mute_solo(music, options.mute, options.solo).silent)
    adapt = _adapter(options)
    sounding = _tracks_with_notes(music)
    return Performance(
        messages=merge(
            _music_messages(music, part, silent, adapt),
            (SynthMessage(time - begin, message, CLICK_CHANNELS) for time, message in sorted(clicks, key=_time_of)),
            key=itemgetter(0),
        ),
        seconds=seconds,
        default_program=options.program or 0,
        warnings=[*music.warnings, *_muted_warnings(music, sounding, silent)],
        has_notes=not sounding <= silent,
    )


def _tracks_with_notes(music: CompiledMusic) -> set[int]:
    starts = zip(music.offsets, music.tracks, strict=False)  # the last offset is the end
    return {track for offset, track in starts if music.messages[offset] & 0xF0 == 0x90}


def _muted_warnings(music: CompiledMusic, sounding: set[int], silent: frozenset[int]) -> list[str]:
    if not sounding or not sounding <= silent:
        return []
    names = [music.track_names[index] or f"track {index}" for index in sorted(sounding)[:_MOST_NAMED]]
    return [
        "Every track with notes is muted, so no note will be heard. Change 'mute' or 'solo'. "
        f"Tracks: {', '.join(names)}{', …' if len(sounding) > _MOST_NAMED else ''}."
    ]


def _metronome(music: CompiledMusic, part: PlayedPart) -> list[TimedClick]:
    clicks = list(islice(metronome(music.clock, part.start, part.end), _MOST_CLICKS + 1))
    if len(clicks) > _MOST_CLICKS:
        raise MusicError(
            "TOO_LARGE",
            f"The metronome would have more than {_MOST_CLICKS // 2:,} clicks, because the beats of this music are "
            "very short. Leave 'metronome' out, or give 'first_bar' and 'last_bar' to render a part.",
            ["metronome: false"],
            "metronome",
        )
    return clicks


def _time_of(click: TimedClick) -> int:
    return click[0]


def _check_length(seconds: float, options: RenderOptions) -> None:
    if seconds > options.max_duration_s:
        raise MusicError(
            "TOO_LARGE",
            f"The sound would last {seconds:,.0f} s, and at most {options.max_duration_s:,.0f} s can be rendered. "
            "Give 'first_bar' and 'last_bar' to render a part.",
            ["first_bar: 1, last_bar: 64"],
            "last_bar",
        )
    if options.format == "wav" and seconds * options.sample_rate * _WAV_FRAME_BYTES > options.max_bytes:
        raise MusicError(
            "TOO_LARGE",
            f"{seconds:,.0f} s of sound as a WAV file would have more than {options.max_bytes:,} bytes, which is the "
            'limit. Give format: "flac", which has the same sound in half the bytes.',
            ["format: flac"],
            "format",
        )


_Adapter = Callable[[bytes], bytes | None]
"""Returns the message to send instead of a message of the file, or None to leave it out."""


def _adapter(options: RenderOptions) -> _Adapter:
    """Return the function that gives every message the instrument of the options."""
    if options.is_drums:
        return _play_on_drums
    if options.program is None:
        return _unchanged
    return _without_programs


def _unchanged(message: bytes) -> bytes:
    return message


def _play_on_drums(message: bytes) -> bytes | None:
    if message[0] >= 0xF0:
        return message
    is_on_drums = message[0] & 15 == DRUM_CHANNEL
    if _chooses_program(message) and not is_on_drums:
        return None
    return bytes((message[0] & 0xF0 | DRUM_CHANNEL,)) + message[1:]


def _without_programs(message: bytes) -> bytes | None:
    """Leave out what chooses the program of a channel, except for the drums."""
    is_on_drums = message[0] & 15 == DRUM_CHANNEL
    return message if is_on_drums or not _chooses_program(message) else None


def _chooses_program(message: bytes) -> bool:
    kind = message[0] & 0xF0
    return kind == 0xC0 or (kind == 0xB0 and message[1] in _BANK_SELECT)


def _music_messages(
    music: CompiledMusic, part: PlayedPart, silent: frozenset[int], adapt: _Adapter
) -> Iterator[SynthMessage]:
    """Yield the state that the synth needs at the start, the messages of the part, and the end of all notes."""
    if part.start:
        for _, state in state_at(music, part.start):
            if (message := adapt(state)) is not None:
                yield SynthMessage(0, message, 0)
    offsets, messages, times, tracks = music.offsets, music.messages, music.times, music.tracks
    last = music.count if part.end == music.end_tick else music.index(part.end)
    for index in range(music.index(part.start), last):
        message = messages[offsets[index] : offsets[index + 1]]
        if message[0] < 0xB0 and tracks[index] in silent:
            continue
        if (adapted := adapt(message)) is not None:
            yield SynthMessage(times[index] - part.begin, adapted, 0)
    end_time = music.clock.ns(part.end) - part.begin
    is_cut = part.end < music.end_tick
    for channel in range(CHANNELS):
        if is_cut:
            yield SynthMessage(end_time, bytes((0xB0 | channel, _SUSTAIN, 0)), 0)
        yield SynthMessage(end_time, bytes((0xB0 | channel, _ALL_NOTES_OFF, 0)), 0)
