"""Find the notes of broken chords (arpeggios, Alberti and waltz basses), and how long they still count.

A note that no neighbour in its part approaches or leaves by step is a chord tone rather than a passing or neighbouring
note. The ear keeps such a note until another note of the part takes its place a step away or on the same pitch.

The ear also keeps a bass that is struck alone before chords above it, as in a waltz or a march, until the next bass
note or the end of the bar.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from consort_music.score import Note, Part, Score

_RINGS = Fraction(2)
"""A note rings for at most this many quarter notes from its start."""
_STEPS = (-2, -1, 1, 2)
_LONGEST_BASS = Fraction(3, 2)
"""A longer bass note is held rather than struck."""
_LEAST_BARS = 0.25
"""Music has struck basses if at least this share of its bars has one."""
_MOST_GROUPS = 32
"""At most so many onsets are compared with a bass."""
_ABOVE_BASS = 3
"""How many semitones the chords are above a struck bass, at least."""
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
    is_struck_bass: bool = False
    """Whether chords above it follow, over which it still counts."""


def ringing_notes(score: Score) -> list[RingingNote]:
    """Return the notes of all parts in order."""
    basses = _struck_basses(score)
    found = []
    for part in score.parts:
        for note in _ringing(part.notes):
            until = basses.get((note.start, note.midi), note.end)
            found.append(note._replace(rings_to=until, is_struck_bass=True) if until > note.end else note)
    return sorted(found)


def _struck_basses(score: Score) -> dict[tuple[Fraction, int], Fraction]:
    """Return the bass notes (start, MIDI number) that are followed by chords above them, and until when they count.

    At its start, such a bass sounds alone, in octaves or with one note of a melody. Music with such basses in few bars
    has none: there they are voices.
    """
    notes = Part.of("all", [note for part in score.parts for note in part.notes]).notes
    groups = [(start, list(group)) for start, group in groupby(notes, key=lambda note: note.start)]
    found: dict[tuple[Fraction, int], Fraction] = {}
    held: list[Note] = []
    for place, (start, group) in enumerate(groups):
        held = [note for note in held if note.end > start]
        bass = group[0]
        others = {note.midi for note in (*group, *held) if (note.midi - bass.midi) % 12}
        is_lowest = all(note.midi > bass.midi for note in held)
        held += group
        if is_lowest and len(others) <= 1 and bass.duration <= _LONGEST_BASS:
            until = _end_of_chords(bass, groups[place + 1 : place + 1 + _MOST_GROUPS], score.bar_at(start).end)
            if until is not None:
                found[start, bass.midi] = until
    bars = {score.bar_at(start).number for start, _ in found}
    return found if len(bars) >= _LEAST_BARS * len(score.bars) else {}


def _end_of_chords(bass: Note, later: Iterable[tuple[Fraction, list[Note]]], bar_end: Fraction) -> Fraction | None:
    """Return until when a bass counts, or None if no chord of two notes above it begins where it ends."""
    until = None
    for start, chord in later:
        if start >= bar_end or chord[0].midi < bass.midi + _ABOVE_BASS:
            break
        if start < bass.end:
            continue
        if until is None and (start > bass.end or len(chord) < 2):
            break
        until = max(note.end for note in chord)
    return None if until is None else min(until, bar_end)


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
