"""The notes of a part as voices: in each voice one chord follows another, and rests fill what is between.

Notes that begin and end together are one chord. Where notes overlap otherwise, the lower ones go to further voices.
"""

from collections.abc import Iterable
from typing import NamedTuple

from consort_music.score import Note


class Chord(NamedTuple):
    """Notes that begin and end together, in ticks; the lowest first."""

    start: int
    end: int
    notes: tuple[Note, ...]


def voices(notes: Iterable[Note], divisions: int) -> list[list[Chord]]:
    """As few voices as hold these notes (which are in order of start), the first one never empty if there are any."""
    together: dict[tuple[int, int], list[Note]] = {}
    for note in notes:
        begin, length = note.start, note.duration
        start = begin.numerator * divisions // begin.denominator
        key = (start, start + length.numerator * divisions // length.denominator)
        if key in together:
            together[key].append(note)
        else:
            together[key] = [note]
    chords = [Chord(start, end, tuple(chord)) for (start, end), chord in together.items()]
    chords.sort(key=lambda chord: (chord.start, -chord.notes[-1].pitch.staff, chord.end))
    found: list[list[Chord]] = []
    for chord in chords:
        for voice in found:
            if voice[-1].end <= chord.start:
                voice.append(chord)
                break
        else:
            found.append([chord])
    return found
