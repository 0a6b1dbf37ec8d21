"""Apply a velocity curve to a score, and humanize it.

Humanizing changes each start by at most 50 ms x amount, each velocity by at most 25 x amount (rounded down), and each
duration by at most 15 % x amount. At the default amount of 0.3 this is 15 ms, 7 and 4.5 %. The same seed gives the same
result. Notes of a part keep their order, and none begins before the start of the score.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from consort_music.beats import exact_fraction
from consort_music.metre import DOWNBEAT, OFFBEAT, STRONG
from consort_music.notation.to_midi import DEFAULT_BPM
from consort_music.note_sequence.resolution import DEFAULT_PPQ
from consort_music.score import Note, Part, Score
from consort_music.timing.humanize import draw, jitter_beats, vary_velocity

PPQ = DEFAULT_PPQ
MAX_TIMING_MS, MAX_VELOCITY, MAX_DURATION = 50.0, 25.0, 0.15
"""Largest changes at amount 1: milliseconds, velocity, and fraction of the duration."""
SOFT, MEDIUM, LOUD = 48, 80, 112
"""Velocities."""

TempoChanges = Sequence[tuple[Fraction, Fraction]]
"""(start in quarter notes, quarter notes per minute)."""
Curve = Callable[[Score, Note], int]
"""Returns the velocity of a note."""


@dataclass(frozen=True)
class HumanizeSettings:
    amount: float
    seed: int


def flat(_: Score, note: Note) -> int:
    return note.velocity


def dynamic(score: Score, note: Note) -> int:
    """Return a velocity that depends on metrical strength: strong beats are louder, off-beats softer."""
    accents = {DOWNBEAT: 16, STRONG: 8, OFFBEAT: -8}
    return MEDIUM + accents.get(score.strength(note.start), 0)


def crescendo(score: Score, note: Note) -> int:
    return SOFT + round((LOUD - SOFT) * _progress(score, note))


def diminuendo(score: Score, note: Note) -> int:
    return LOUD - round((LOUD - SOFT) * _progress(score, note))


CURVES: dict[str, Curve] = {
    "flat": flat,
    "dynamic": dynamic,
    "crescendo": crescendo,
    "diminuendo": diminuendo,
}


def perform(score: Score, curve: str, humanize: HumanizeSettings | None) -> Score:
    """Return the score with the velocities of a curve, humanized if `humanize` is given."""
    shape = CURVES[curve]
    parts = []
    random = Random(humanize.seed if humanize else 0)
    for part in score.parts:
        notes = [note._replace(velocity=_audible(shape(score, note))) for note in part.notes]
        if humanize:
            notes = _humanized(notes, humanize.amount, score.tempos or ((Fraction(0), DEFAULT_BPM),), random)
        parts.append(Part(part.name, tuple(notes), part.instrument))
    return score.with_parts(parts)


def _humanized(notes: list[Note], amount: float, tempos: TempoChanges, random: Random) -> list[Note]:
    notes = sorted(notes, key=lambda note: note.start)
    starts, keys = [note.start for note in notes], [note.midi for note in notes]
    _, moved = jitter_beats(starts, keys, tempos, PPQ, exact_fraction(MAX_TIMING_MS * amount), random, apart=1)
    most_velocity, most_stretch = int(MAX_VELOCITY * amount), int(1000 * MAX_DURATION * amount)
    played = []
    for note, start in zip(notes, moved, strict=True):
        stretch = 1 + Fraction(draw(random, -most_stretch, most_stretch), 1000)
        played.append(
            note._replace(
                start=Fraction(start, PPQ),
                duration=max(note.duration * stretch, Fraction(1, PPQ)),
                velocity=vary_velocity(note.velocity, random, most_velocity),
            )
        )
    return _without_overlaps(sorted(played, key=lambda note: note.start))


def _without_overlaps(notes: list[Note]) -> list[Note]:
    """Shorten notes that end after the next note of the same pitch starts: their end would stop that note."""
    following: dict[int, Fraction] = {}
    kept: list[Note] = []
    for note in reversed(notes):
        limit = following.get(note.midi)
        if limit is not None and note.start < limit < note.end:
            note = note._replace(duration=limit - note.start)
        following[note.midi] = note.start
        kept.append(note)
    return kept[::-1]


def _progress(score: Score, note: Note) -> float:
    """Return how far into the score a note starts, from 0 to 1."""
    return float(note.start / score.length)


def _audible(velocity: int) -> int:
    """Limit a velocity to 1 to 127. Velocity 0 would end the note."""
    return min(max(velocity, 1), 127)
