"""Find the notes of broken chords (arpeggios, Alberti basses), and how long they still count.

A note that no neighbour in its part approaches or leaves by step is a chord tone rather than a passing or neighbouring
note. The ear keeps such a note until another note of the part takes its place a step away or on the same pitch.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from consort_music.score import Note, Part, Score

_RINGS = Fraction(2)
"""A note rings for at most this many quarter notes from its start."""
_STEPS = (-2, -1, 1, 2)
_FEWEST_NOTES = 16
_MOSTLY_LEAPS = 0.8


class RingingNote(NamedTuple):
    start: Fraction
    end: Fraction
    rings_to: Fraction
    """At least `end`; later for a note of a broken chord."""
    midi: int
    is_leaping: bool
    """Whether no neighbour in its part is a step away."""


def ringing_notes(score: Score) -> list[RingingNote]:
    """Return the notes of all parts in order."""
    return sorted(note for part in score.parts for note in _ringing(part.notes))


def is_broken_chords(score: Score) -> bool:
    """Return whether the music is one line that nearly always leaps, so that it is no melody."""
    notes = Part.of("all", [note for part in score.parts for note in part.notes]).notes
    moves = [abs(one.midi - other.midi) for one, other in pairwise(notes) if one.midi != other.midi]
    leaps = sum(move > max(_STEPS) for move in moves)
    return len(notes) >= _FEWEST_NOTES and leaps > _MOSTLY_LEAPS * len(moves)


def _ringing(notes: Sequence[Note]) -> list[RingingNote]:
    """Return the notes of one part, the last one first."""
    groups = [(start, list(group)) for start, group in groupby(notes, key=lambda note: note.start)]
    pitches = [{note.midi for note in group} for _, group in groups]
    found = []
    next_start: dict[int, Fraction] = {}
    for place in range(len(groups) - 1, -1, -1):
        start, group = groups[place]
        beside = (pitches[place - 1] if place else set()) | (pitches[place + 1] if place + 1 < len(groups) else set())
        for note in group:
            is_leaping = not any(note.midi + step in beside for step in _STEPS)
            rings_to = note.end
            if is_leaping:
                near = (next_start.get(note.midi + step, start + _RINGS) for step in (*_STEPS, 0))
                rings_to = max(note.end, min(start + _RINGS, *near))
            found.append(RingingNote(start, note.end, rings_to, note.midi, is_leaping))
        for note in group:
            next_start[note.midi] = start
    return found
