"""Performed notes put where a score can show them: beat by beat on a grid of 1, 2, 3 or 4 parts.

Each beat gets the coarsest grid that its onsets agree with; a finer one must earn its keep, and one that throws notes
together that were played apart pays for it. Ends follow the grid too; small gaps and overlaps between a note and the
next, which are touch and not rhythm, are closed.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.midi_text import TextNote

_GRID_COSTS = {1: 0.0, 2: 0.004, 3: 0.010, 4: 0.008}
"""In squares of beats: what a grid must save in distance to be taken instead of a coarser one."""
_APART = Fraction(3, 50)
_COLLISION = 0.02
_TOUCH = Fraction(1, 4)
_WRITTEN_PARTS = 32
_WRITTEN_SHARE = 0.8


def was_performed(starts: Iterable[Fraction]) -> bool:
    """Whether more than a fifth of the notes begin where no one would write them."""
    placed = [start.denominator <= _WRITTEN_PARTS for start in starts]
    return sum(placed) < _WRITTEN_SHARE * len(placed)


def on_a_grid(notes: Sequence[TextNote]) -> list[TextNote]:
    """The notes with starts and ends on the grids of their beats; of notes that fall together the first remains."""
    onsets: dict[int, list[Fraction]] = {}
    for note in notes:
        onsets.setdefault(int(note.start), []).append(note.start % 1)
    grids = {beat: _best_grid(sorted(inside)) for beat, inside in onsets.items()}

    def near(moment: Fraction) -> Fraction:
        beat = int(moment)
        parts = grids.get(beat, 2)
        return beat + Fraction(round((moment - beat) * parts), parts)

    placed: dict[tuple[Fraction, int], TextNote] = {}
    for note in sorted(notes, key=lambda note: note.start):
        start = near(note.start)
        end = near(note.start + note.duration)
        if end <= start:
            end = start + Fraction(1, grids.get(int(start), 4))
        placed.setdefault((start, note.pitch), TextNote(note.pitch, note.velocity, start, end - start))
    starts = sorted({start for start, _ in placed})
    return [_closed(note, starts) for note in placed.values()]


def _best_grid(onsets: Sequence[Fraction]) -> int:
    def cost(parts: int) -> float:
        points = [round(onset * parts) for onset in onsets]
        distance = sum(float(onset - Fraction(point, parts)) ** 2 for onset, point in zip(onsets, points, strict=True))
        together = sum(
            points[place] == points[place - 1] and onsets[place] - onsets[place - 1] > _APART
            for place in range(1, len(onsets))
        )
        return distance + _COLLISION * together + _GRID_COSTS[parts]

    return min(_GRID_COSTS, key=cost)


def _closed(note: TextNote, starts: Sequence[Fraction]) -> TextNote:
    """The note lengthened or shortened to the next onset, where it ends just before or after one."""
    end = note.start + note.duration
    place = bisect_right(starts, end - _TOUCH)
    for onset in starts[max(place - 1, 0) : place + 2]:
        if onset > note.start and abs(onset - end) <= _TOUCH and abs(onset - end) < note.duration:
            return TextNote(note.pitch, note.velocity, note.start, onset - note.start)
    return note
