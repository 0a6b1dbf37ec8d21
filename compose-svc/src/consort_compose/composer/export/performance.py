"""How a score is played: velocity curves, and the small imperfections of a person.

Humanising moves each start by at most 50 ms x amount, each velocity by at most 25 x amount (rounded down), and each
duration by at most 15 % x amount: 15 ms, 7 and 4.5 % at the usual 0.3. It is drawn from a seed, keeps the order of
notes in a part, and never goes before the beginning.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

from consort_music.metre import DOWNBEAT, OFFBEAT, STRONG
from consort_music.midi.resolution import DEFAULT_PPQ
from consort_music.notation.to_midi import DEFAULT_BPM
from consort_music.score import Note, Part, Score

PPQ = DEFAULT_PPQ
MAX_TIMING_MS, MAX_VELOCITY, MAX_DURATION = 50.0, 25.0, 0.15
MAX_REST = 4
"""Quarters that the last note could be late, if the maxima let it."""
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
    ticks = [int(MAX_TIMING_MS * amount * float(tempo) * PPQ / 60_000) for _, tempo in tempos]
    changes = [start for start, _ in tempos]
    reach = Fraction(max(ticks), PPQ)
    most_velocity = int(MAX_VELOCITY * amount)
    room = _room(notes)
    played: list[Note] = []
    for note in notes:
        earlier, later = room[note.start]
        first = max(bisect_right(changes, note.start - reach) - 1, 0)
        # a time is fewer ticks at a slower tempo: near a change no note may move too far on either side of it
        most_ticks = min(ticks[first : max(bisect_right(changes, note.start + reach), 1)])
        shift = round(random.gauss(0, most_ticks / 2))
        shift = max(-min(most_ticks, earlier), min(most_ticks, later, shift))
        stretch = Fraction(round(1000 * random.uniform(-MAX_DURATION * amount, MAX_DURATION * amount)), 1000)
        played.append(
            note._replace(
                start=note.start + Fraction(shift, PPQ),
                duration=max(note.duration * (1 + stretch), Fraction(1, PPQ)),
                velocity=_audible(note.velocity + random.randint(-most_velocity, most_velocity)),
            )
        )
    return _apart(sorted(played, key=lambda note: note.start))


def _room(notes: list[Note]) -> dict[Fraction, tuple[int, int]]:
    """By how many ticks the notes of a moment may come earlier and later, so that none passes another moment's."""
    starts = sorted({note.start for note in notes})
    gaps = [max(int((later - start) * PPQ - 1) // 2, 0) for start, later in pairwise(starts)]
    before = [int(starts[0] * PPQ), *gaps]
    after = [*gaps, PPQ * MAX_REST]
    return dict(zip(starts, zip(before, after, strict=True), strict=True))


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
