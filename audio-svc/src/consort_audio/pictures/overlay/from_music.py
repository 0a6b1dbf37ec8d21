"""Find the notes, beats and bars of audio that was rendered from music, at the times at which they are heard.

The times are those of `consort_audio.synthesis`: the same bars, count-in and silent tracks. Runs in a child process for
large files, so it imports little.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from consort_audio.pictures.overlay.model import Overlay, OverlayBeat, OverlayNote, OverlayVoice
from consort_music.midi.bar_window import window_of_bars
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.performance.clicks import count_in
from consort_music.performance.clock import Clock
from consort_music.performance.compiled_music import compile_file, on_one_timeline
from consort_music.performance.mute_solo import resolve_mute_solo
from consort_music.piano_roll.voices import DrawnNote, find_voices

_LONGEST_MESSAGE = 65_000
_SECOND = 1_000_000_000
_MOST_BEATS = 100_000


@dataclass(frozen=True, slots=True)
class RenderedPart:
    """Which part of the music was rendered, and how: the options of midi_to_audio that change times or notes."""

    count_in_bars: int = 0
    first_bar: int | None = None
    last_bar: int | None = None
    mute: Sequence[int | str] = ()
    solo: Sequence[int | str] = ()


def overlay_of_music(content: bytes, max_bytes: int, part: RenderedPart) -> Overlay:
    """Return the overlay of the sound that was rendered from a MIDI file. Raise MusicError if it has no such bars."""
    file = on_one_timeline(read_midi(content, ReaderLimits(max_bytes=max_bytes)))
    music = compile_file(file, 0, _LONGEST_MESSAGE)
    clock, first, last = music.clock, 0, music.end_tick
    if file.ppq is not None and (part.first_bar is not None or part.last_bar is not None):
        start, end = window_of_bars(file, part.first_bar or 1, part.last_bar or part.first_bar or 1)
        first = round(start * file.ppq)
        last = last if part.last_bar is None else min(round(end * file.ppq), last)
    _, lead = count_in(clock, first, part.count_in_bars, 1)
    begin = clock.ns(first) - lead

    def seconds(tick: int) -> float:
        return (clock.ns(tick) - begin) / _SECOND

    silent = frozenset(resolve_mute_solo(music, part.mute, part.solo).silent)
    heard = [index for index in range(len(file.tracks)) if index not in silent]
    voices = find_voices(file, heard) if heard else []
    return Overlay(
        voices=tuple(
            OverlayVoice(voice.name, voice.detail, voice.colour, voice.is_drums, notes)
            for voice in voices
            if (notes := tuple(_notes(voice.notes, first, last, seconds)))
        ),
        beats=tuple(islice(_beats(clock, first, last, seconds), _MOST_BEATS)),
    )


def _notes(notes: Sequence[DrawnNote], first: int, last: int, seconds: Callable[[int], float]) -> Iterator[OverlayNote]:
    """Yield the notes that start within the part, cut at its end."""
    for start, end, pitch, _ in notes:
        if first <= start < last:
            yield OverlayNote(seconds(start), seconds(min(end, last)), pitch)


def _beats(clock: Clock, first: int, last: int, seconds: Callable[[int], float]) -> Iterator[OverlayBeat]:
    """Yield the beats of the part. Music timed by SMPTE frames has none."""
    if clock.bars is None or clock.ppq is None:
        return
    number = clock.bars.number_at(first)
    while (bar := clock.bars.bar(number)).start < last:
        for index, offset in enumerate(bar.metre.beats):
            tick = bar.start + offset * clock.ppq
            if tick < bar.end and first <= tick < last:
                yield OverlayBeat(seconds(round(tick)), number, index + 1)
        number += 1
