"""Quantize performed notes so that they can be notated. Each beat is divided into 1, 2, 3 or 4 equal parts.

For each beat the grid with the lowest cost is chosen. The cost is the sum of the squared distances of the starts from
the grid, plus a fixed cost for each grid (`_GRID_COSTS`), plus a cost for each pair of notes that were played at
different times but move to the same grid point. Ends move to the grid too. Small gaps and overlaps between a note and
the next are closed: they are articulation, not rhythm.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.note_sequence.model import SequenceNote

_GRID_COSTS = {1: 0.0, 2: 0.004, 3: 0.010, 4: 0.008}
"""The fixed cost of each grid, by its parts per beat, in squared beats."""
_LARGEST_CHORD_SPREAD = Fraction(3, 50)
"""Notes whose starts differ by more than this, in beats, were not played as a chord."""
_COLLISION_COST = 0.02
"""The cost of two such notes on one grid point, in squared beats."""
_LARGEST_CLOSED_GAP = Fraction(1, 4)
"""A gap or overlap up to this size, in beats, is articulation."""
_FINEST_NOTATED_GRID = 32
"""Parts per beat of the finest grid that people notate."""
_MIN_NOTATED_SHARE = 0.8
"""Notes were performed, not notated, if a smaller share of them starts on a grid that people notate."""


def was_performed(starts: Iterable[Fraction]) -> bool:
    """Return whether more than 20 % of the notes start off every grid of up to 32 parts per beat."""
    on_grid = [start.denominator <= _FINEST_NOTATED_GRID for start in starts]
    return sum(on_grid) < _MIN_NOTATED_SHARE * len(on_grid)


def quantize_performance(notes: Sequence[SequenceNote]) -> list[SequenceNote]:
    """Return the notes with starts and ends on the grids of their beats.

    If two notes of the same pitch move to the same start, the first one is kept and the other is dropped.
    """
    onsets: dict[int, list[Fraction]] = {}
    for note in notes:
        onsets.setdefault(int(note.start), []).append(note.start % 1)
    grids = {beat: _best_grid(sorted(inside)) for beat, inside in onsets.items()}

    def near(moment: Fraction) -> Fraction:
        beat = int(moment)
        parts = grids.get(beat, 2)
        return beat + Fraction(round((moment - beat) * parts), parts)

    placed: dict[tuple[Fraction, int], SequenceNote] = {}
    for note in sorted(notes, key=lambda note: note.start):
        start = near(note.start)
        end = near(note.start + note.duration)
        if end <= start:
            end = start + Fraction(1, grids.get(int(start), 4))
        placed.setdefault((start, note.pitch), SequenceNote(note.pitch, note.velocity, start, end - start))
    starts = sorted({start for start, _ in placed})
    return [_close_gap(note, starts) for note in placed.values()]


def _best_grid(onsets: Sequence[Fraction]) -> int:
    """Return the number of parts with the lowest cost for the starts in one beat, each from 0 to 1."""

    def cost(parts: int) -> float:
        points = [round(onset * parts) for onset in onsets]
        distance = sum(float(onset - Fraction(point, parts)) ** 2 for onset, point in zip(onsets, points, strict=True))
        together = sum(
            points[place] == points[place - 1] and onsets[place] - onsets[place - 1] > _LARGEST_CHORD_SPREAD
            for place in range(1, len(onsets))
        )
        return distance + _COLLISION_COST * together + _GRID_COSTS[parts]

    return min(_GRID_COSTS, key=cost)


def _close_gap(note: SequenceNote, starts: Sequence[Fraction]) -> SequenceNote:
    """Return the note, extended or shortened so that it ends where another note starts, if that is near its end.

    The change is at most a quarter of a beat and less than the length of the note.
    """
    end = note.start + note.duration
    place = bisect_right(starts, end - _LARGEST_CLOSED_GAP)
    for onset in starts[max(place - 1, 0) : place + 2]:
        if onset > note.start and abs(onset - end) <= _LARGEST_CLOSED_GAP and abs(onset - end) < note.duration:
            return SequenceNote(note.pitch, note.velocity, note.start, onset - note.start)
    return note
