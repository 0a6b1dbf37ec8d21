"""Find the divisions of a score: the smallest number of ticks per quarter note in which all its times are integers.

If there would be more than a billion, times are rounded to 1/20160 of a quarter note.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from consort_music.score import Note, Part, Score

MOST_DIVISIONS = 10**9
_COARSE = 20160
_AT_LEAST = 4


def with_divisions(score: Score) -> tuple[Score, int]:
    """Return the score, with rounded times if necessary, and its ticks per quarter note (at least 4)."""
    divisions = _AT_LEAST
    for denominator in set(_denominators(score)):
        divisions = math.lcm(divisions, denominator)
        if divisions > MOST_DIVISIONS:
            return _round_times(score), _COARSE
    return score, divisions


def _denominators(score: Score) -> Iterator[int]:
    for part in score.parts:
        for note in part.notes:
            yield note.start.denominator
            yield note.duration.denominator
    for changes in (score.metres, score.keys, score.tempos):
        for at, _ in changes:
            yield at.denominator
    for moment in (score.pickup, score.rest_to, *(mark.start for mark in score.chords)):
        yield moment.denominator
    for _, metre in score.metres:
        yield metre.denominator


def _round_times(score: Score) -> Score:
    def near(moment: Fraction) -> Fraction:
        return Fraction(round(moment * _COARSE), _COARSE)

    def coarse(note: Note) -> Note:
        start = near(note.start)
        return note._replace(start=start, duration=max(near(note.end) - start, Fraction(1, _COARSE)))

    return replace(
        score,
        parts=tuple(
            Part.of(
                part.name,
                map(coarse, part.notes),
                part.instrument,
                tuple((near(at), lyric) for at, lyric in part.lyrics),
            )
            for part in score.parts
        ),
        metres=tuple((near(at), metre) for at, metre in score.metres),
        keys=tuple((near(at), key) for at, key in score.keys),
        tempos=tuple((near(at), bpm) for at, bpm in score.tempos),
        chords=tuple(mark._replace(start=near(mark.start)) for mark in score.chords),
        pickup=near(score.pickup),
        rest_to=near(score.rest_to),
    )
