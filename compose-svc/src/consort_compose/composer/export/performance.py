"""How a score is played: velocity curves, and the small imperfections of a person.

Humanising moves each start by at most 50 ms x amount, each velocity by at most 25 x amount (rounded down), and each
duration by at most 15 % x amount: 15 ms, 7 and 4.5 % at the usual 0.3. It is drawn from a seed, keeps the order of
notes in a part, and never goes before the beginning.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from consort_music.beats import to_ticks
from consort_music.humanize import draw, jittered, reach_in_ticks, varied
from consort_music.metre import DOWNBEAT, OFFBEAT, STRONG
from consort_music.midi.build import MICROSECONDS_A_MINUTE
from consort_music.midi.resolution import DEFAULT_PPQ
from consort_music.notation.to_midi import DEFAULT_BPM
from consort_music.quantize import exact
from consort_music.score import Note, Part, Score

PPQ = DEFAULT_PPQ
MAX_TIMING_MS, MAX_VELOCITY, MAX_DURATION = 50.0, 25.0, 0.15
SOFT, MEDIUM, LOUD = 48, 80, 112

Tempos = Sequence[tuple[Fraction, Fraction]]
Curve = Callable[[Score, Note], int]


@dataclass(frozen=True)
class Humanize:
    amount: float
    seed: int


def flat(_: Score, note: Note) -> int:
    return note.velocity


def dynamic(score: Score, note: Note) -> int:
    """Strong beats louder, off-beats softer."""
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


def perform(score: Score, curve: str, humanize: Humanize | None) -> Score:
    """The score as it is to be played, at its tempos."""
    shape = CURVES[curve]
    parts = []
    random = Random(humanize.seed if humanize else 0)
    for part in score.parts:
        notes = [note._replace(velocity=_audible(shape(score, note))) for note in part.notes]
        if humanize:
            notes = _humanized(notes, humanize.amount, score.tempos or ((Fraction(0), DEFAULT_BPM),), random)
        parts.append(Part(part.name, tuple(notes), part.instrument))
    return score.with_parts(parts)


def _humanized(notes: list[Note], amount: float, tempos: Tempos, random: Random) -> list[Note]:
    notes = sorted(notes, key=lambda note: note.start)
    starts = [to_ticks(note.start, PPQ) for note in notes]
    changes = [(to_ticks(start, PPQ), round(MICROSECONDS_A_MINUTE / tempo)) for start, tempo in tempos]
    reach = reach_in_ticks(starts, changes, PPQ, exact(MAX_TIMING_MS * amount))
    moved = jittered(starts, [note.midi for note in notes], reach, random, apart=1)
    most_velocity, most_stretch = int(MAX_VELOCITY * amount), int(1000 * MAX_DURATION * amount)
    played = []
    for note, start in zip(notes, moved, strict=True):
        stretch = 1 + Fraction(draw(random, -most_stretch, most_stretch), 1000)
        played.append(
            note._replace(
                start=Fraction(start, PPQ),
                duration=max(note.duration * stretch, Fraction(1, PPQ)),
                velocity=varied(note.velocity, random, most_velocity),
            )
        )
    return _apart(sorted(played, key=lambda note: note.start))


def _apart(notes: list[Note]) -> list[Note]:
    """No note outlasts the next one of its pitch, which would be cut off by its end."""
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
    return float(note.start / score.length)


def _audible(velocity: int) -> int:
    return min(max(velocity, 1), 127)
