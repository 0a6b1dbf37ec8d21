"""Choose the resolution of a MIDI file (ticks per beat) for music in exact beats."""

import math
from collections import Counter
from collections.abc import Iterator

from consort_music.note_sequence.model import NoteSequence

DEFAULT_PPQ = 480
MAX_PPQ = 0x7FFF


def exact_ppq(music: NoteSequence) -> int:
    """Return a resolution in which every beat is a whole number of ticks, a multiple of 480 if possible.

    If a file cannot have such a resolution, the beats with the most frequent denominators are exact.
    """
    needed = 1
    counts = Counter(_denominators(music))
    for denominator in sorted(counts, key=lambda each: (-counts[each], each)):
        wanted = math.lcm(needed, denominator)
        needed = wanted if wanted <= MAX_PPQ else needed
    wanted = math.lcm(needed, DEFAULT_PPQ)
    return wanted if wanted <= MAX_PPQ else needed * math.ceil(DEFAULT_PPQ / needed)


def count_inexact(music: NoteSequence, ppq: int) -> int:
    """Return the number of notes that do not start and end on a tick."""
    return sum(
        ppq % note.start.denominator > 0 or ppq % note.duration.denominator > 0
        for track in music.tracks
        for note in track.notes
    )


def _denominators(music: NoteSequence) -> Iterator[int]:
    for track in music.tracks:
        for note in track.notes:
            yield note.start.denominator
            yield note.duration.denominator
        for beat, _ in track.program_changes:
            yield beat.denominator
    yield from (beat.denominator for beat, _ in music.tempos)
    yield from (beat.denominator for beat, *_ in music.time_signatures)
