"""Ticks a beat for music in exact beats: 480, or as many as it takes for every beat to be on a tick."""

import math
from collections import Counter
from collections.abc import Iterator

from consort_music.midi_text import MidiText

DEFAULT_PPQ = 480
MAX_PPQ = 0x7FFF


def exact_ppq(music: MidiText) -> int:
    """The resolution in which all beats are exact, a multiple of 480 if possible.

    If a file cannot hold such a resolution, the denominators that occur most often are exact.
    """
    needed = 1
    counts = Counter(_denominators(music))
    for denominator in sorted(counts, key=lambda each: (-counts[each], each)):
        wanted = math.lcm(needed, denominator)
        needed = wanted if wanted <= MAX_PPQ else needed
    wanted = math.lcm(needed, DEFAULT_PPQ)
    return wanted if wanted <= MAX_PPQ else needed * math.ceil(DEFAULT_PPQ / needed)


def count_inexact(music: MidiText, ppq: int) -> int:
    """How many notes do not start and end on a tick."""
    return sum(
        ppq % note.start.denominator > 0 or ppq % note.duration.denominator > 0
        for track in music.tracks
        for note in track.notes
    )


def _denominators(music: MidiText) -> Iterator[int]:
    for track in music.tracks:
        for note in track.notes:
            yield note.start.denominator
            yield note.duration.denominator
        for beat, _ in track.program_changes:
            yield beat.denominator
    yield from (beat.denominator for beat, _ in music.tempos)
    yield from (beat.denominator for beat, *_ in music.time_signatures)
