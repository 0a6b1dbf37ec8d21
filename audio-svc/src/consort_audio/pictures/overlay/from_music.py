"""Find the notes, beats and bars of audio that was rendered from music, at the times at which they are heard.

The times are those of `consort_audio.synthesis`: the same bars, count-in and silent tracks. A large file has a million
notes, so `known_overlay` runs in the child process that draws them. The service imports this module too.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from consort_audio.pictures.overlay.model import Layer, Overlay, OverlayBeat, OverlayNote, OverlayVoice
from consort_audio.synthesis.played_part import played_part
from consort_music.midi.reader import ReaderLimits, read_midi
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
    instrument: str | None = None
    """The instrument of all voices but the drums. None: the instruments in the file."""
    is_drums: bool = False
    """Whether the drum kit plays everything."""


@dataclass(frozen=True, slots=True)
class KnownMusic:
    """The MIDI file that audio was rendered from, and which part of it the audio has."""

    content: bytes
    max_bytes: int
    part: RenderedPart
    cut_off_s: float = 0.0
    """Seconds that were cut off before the start of the audio."""


def known_overlay(music: KnownMusic, layers: Collection[Layer], start: float, end: float) -> Overlay:
    """Return these layers of what is known between two times, in seconds from the start of the audio.

    Raise MusicError if the music cannot be read.
    """
    overlay = overlay_of_music(music.content, music.max_bytes, music.part).only(layers)
    return overlay.within(start + music.cut_off_s, end + music.cut_off_s).moved(-music.cut_off_s)


def overlay_of_music(content: bytes, max_bytes: int, part: RenderedPart) -> Overlay:
    """Return the overlay of the sound that was rendered from a MIDI file. Raise MusicError if it has no such bars."""
    file = on_one_timeline(read_midi(content, ReaderLimits(max_bytes=max_bytes)))
    music = compile_file(file, 0, _LONGEST_MESSAGE)
    played = played_part(file, music, part.first_bar, part.last_bar, part.count_in_bars)
    clock, first, last = music.clock, played.start, played.end

    def seconds(tick: int) -> float:
        return (clock.ns(tick) - played.begin) / _SECOND

    silent = frozenset(resolve_mute_solo(music, part.mute, part.solo).silent)
    heard = [index for index in range(len(file.tracks)) if index not in silent]
    voices = find_voices(file, heard) if heard else []
    return Overlay(
        voices=tuple(
            OverlayVoice(
                voice.name,
                voice.detail if part.instrument is None or voice.is_drums else part.instrument,
                voice.colour,
                voice.is_drums or part.is_drums,
                notes,
            )
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
    numbers = clock.numbers
    if numbers is None or clock.ppq is None:
        return
    counted = numbers.bars.number_at(first)
    while (bar := numbers.bars.bar(counted)).start < last:
        number, missing = numbers.number_of(counted), numbers.missing_before(counted)
        for index, offset in enumerate(numbers.metre_of(counted).beats):
            tick = bar.start + (offset - missing) * clock.ppq
            if bar.start <= tick < bar.end and first <= tick < last:
                yield OverlayBeat(seconds(round(tick)), number, index + 1)
        counted += 1
