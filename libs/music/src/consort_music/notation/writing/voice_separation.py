"""Divide the notes of a part into voices. In a voice, chords follow each other without overlaps.

Notes that start and end together are one chord. Other overlapping notes are in different voices. Chords are assigned
by greedy first fit, sorted by start; of those that start together, the highest comes first.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from consort_music.score import Note


class VoiceChord(NamedTuple):
    """Notes that start and end together, in ticks, from low to high."""

    start: int
    end: int
    notes: tuple[Note, ...]


class _InVoice(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


AnyChord = TypeVar("AnyChord", bound=_InVoice)
VoiceSegment = tuple[AnyChord | None, int, int]
"""A chord (or None for a rest), and its start and end in ticks."""


def separate_voices(notes: Iterable[Note], divisions: int) -> list[list[VoiceChord]]:
    """Return as few voices as possible for these notes, which must be sorted by start."""
    together: dict[tuple[int, int], list[Note]] = {}
    for note in notes:
        begin, length = note.start, note.duration
        start = begin.numerator * divisions // begin.denominator
        key = (start, start + length.numerator * divisions // length.denominator)
        if key in together:
            together[key].append(note)
        else:
            together[key] = [note]
    chords = [VoiceChord(start, end, tuple(chord)) for (start, end), chord in together.items()]
    chords.sort(key=lambda chord: (chord.start, -chord.notes[-1].pitch.staff, chord.end))
    found: list[list[VoiceChord]] = []
    for chord in chords:
        for voice in found:
            if voice[-1].end <= chord.start:
                voice.append(chord)
                break
        else:
            found.append([chord])
    return found


def pieces_in_bar(
    voice: Sequence[AnyChord], place: int, start: int, end: int, edges: Sequence[int]
) -> tuple[list[VoiceSegment[AnyChord]], int]:
    """Return the segments of a voice in a bar, without gaps, and the index of the first chord of the next bar.

    `place` is the index of the first chord of this bar, `start` and `end` are its limits. Segments are cut at `edges`,
    which are sorted. All times are in ticks.
    """
    pieces: list[VoiceSegment[AnyChord]] = []
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


def _cut(pieces: list[VoiceSegment[AnyChord]], edges: Sequence[int]) -> list[VoiceSegment[AnyChord]]:
    result: list[VoiceSegment[AnyChord]] = []
    for chord, start, end in pieces:
        for edge in edges:
            if start < edge < end:
                result.append((chord, start, edge))
                start = edge
        result.append((chord, start, end))
    return result
