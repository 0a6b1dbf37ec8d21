"""The notes of a part as voices: in each voice one chord follows another, and rests fill what is between.

Notes that begin and end together are one chord. Where notes overlap otherwise, the lower ones go to further voices.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from consort_music.score import Note


class Chord(NamedTuple):
    """Notes that begin and end together, in ticks; the lowest first."""

    start: int
    end: int
    notes: tuple[Note, ...]


Piece = tuple[Chord | None, int, int]
"""A chord, or a rest where there is none, from one tick to another."""


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


def pieces_in_bar(
    voice: Sequence[Chord], place: int, start: int, end: int, edges: Sequence[int]
) -> tuple[list[Piece], int]:
    """What a voice has from one bar line to the next, without gaps and cut at the edges, which are in order; and the
    first chord that the next bar has to do with. `place` is that of this bar."""
    pieces: list[Piece] = []
    now = start
    while place < len(voice) and voice[place].start < end:
        chord = voice[place]
        if chord.start > now:
            pieces.append((None, now, chord.start))
            now = chord.start
        pieces.append((chord, now, min(chord.end, end)))
        now = min(chord.end, end)
        if chord.end > end:
            break
        place += 1
    if now < end:
        pieces.append((None, now, end))
    return (_cut(pieces, edges) if edges else pieces), place


def _cut(pieces: list[Piece], edges: Sequence[int]) -> list[Piece]:
    result: list[Piece] = []
    for chord, start, end in pieces:
        for edge in edges:
            if start < edge < end:
                result.append((chord, start, edge))
                start = edge
        result.append((chord, start, end))
    return result
