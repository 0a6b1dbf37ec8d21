"""Divide the notes of a staff into voices. In a voice, chords follow each other without overlaps.

Notes that start and end together are a chord. Where chords overlap, the higher one is in the first voice and the lower
one in the second. If there are more chords at a time than voices, notes that start together are joined, and a chord
ends early where the next one of its voice starts.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class QuantizedNote(NamedTuple):
    """A note of a staff, in quarters. `number` is its index in the performance."""

    start: Fraction
    length: Fraction
    pitch: int
    number: int


class PlacedChord(NamedTuple):
    start: Fraction
    end: Fraction
    notes: tuple[QuantizedNote, ...]
    """From low to high."""

    @property
    def height(self) -> float:
        return sum(note.pitch for note in self.notes) / len(self.notes)


def separate(notes: Sequence[QuantizedNote], most: int) -> list[list[PlacedChord]]:
    """Return at most `most` voices, the highest first."""
    starts: dict[Fraction, list[QuantizedNote]] = {}
    for note in notes:
        starts.setdefault(note.start, []).append(note)
    voices: list[list[PlacedChord]] = [[] for _ in range(max(1, most))]
    for start in sorted(starts):
        chords = _chords(starts[start], len(voices))
        _assign(chords, voices, start)
    return [voice for voice in voices if voice]


def _chords(notes: list[QuantizedNote], most: int) -> list[PlacedChord]:
    """Return the chords that start together, the highest first; at most `most`."""
    lengths: dict[Fraction, list[QuantizedNote]] = {}
    for note in notes:
        lengths.setdefault(note.length, []).append(note)
    found = [
        PlacedChord(same[0].start, same[0].start + length, tuple(sorted(same, key=lambda note: note.pitch)))
        for length, same in lengths.items()
    ]
    found.sort(key=lambda chord: -chord.height)
    while len(found) > most:
        gaps = [found[place].height - found[place + 1].height for place in range(len(found) - 1)]
        place = gaps.index(min(gaps))
        first, second = found[place : place + 2]
        joined = tuple(sorted((*first.notes, *second.notes), key=lambda note: note.pitch))
        found[place : place + 2] = [PlacedChord(first.start, max(first, second, key=_size).end, joined)]
    return found


def _size(chord: PlacedChord) -> tuple[int, Fraction]:
    """Order chords by number of notes, then shortest first: of equal ones the shorter decides."""
    return len(chord.notes), -chord.end


def _assign(chords: list[PlacedChord], voices: list[list[PlacedChord]], start: Fraction) -> None:
    """Append chords that start together (highest first) to voices, in the same order, where they disturb least."""
    best: tuple[float, tuple[int, ...]] | None = None
    for places in _choices(len(chords), len(voices)):
        cost = 0.0
        for chord, place in zip(chords, places, strict=True):
            voice = voices[place]
            if voice and voice[-1].end > start:
                cost += 4 + min(float(voice[-1].end - start), 4.0)
            if voice:
                cost += min(abs(voice[-1].height - chord.height), 12) / 12
            cost += 0.6 * place
            for other_place, other in enumerate(voices):
                if other and other[-1].end > start and other_place not in places:
                    is_wrong = (chord.height > other[-1].height) != (place < other_place)
                    cost += 2.0 * is_wrong
        if best is None or cost < best[0]:
            best = cost, places
    assert best is not None
    for chord, place in zip(chords, best[1], strict=True):
        voice = voices[place]
        if voice and voice[-1].end > start:
            voice[-1] = voice[-1]._replace(end=start)
        voice.append(chord)


def _choices(count: int, voices: int) -> list[tuple[int, ...]]:
    """Return all ways to choose `count` voices in order."""
    if count == 0:
        return [()]
    return [
        (*rest, place) for rest in _choices(count - 1, voices) for place in range(rest[-1] + 1 if rest else 0, voices)
    ]
