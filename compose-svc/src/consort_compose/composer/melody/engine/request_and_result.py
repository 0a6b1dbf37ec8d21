"""Input and results of the melody engine. Pitches are MIDI numbers; times are in quarter notes, as exact fractions."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from consort_compose.composer.melody.engine.folk_statistics import Style
from consort_music.chords.timed_chords import ChordSpan
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre

Density = Literal["sparse", "medium", "dense"]
Contour = Literal["arch", "ascending", "descending", "wave", "static"]

NOTES_PER_QUARTER: dict[Density, tuple[Fraction, Fraction]] = {
    "sparse": (Fraction(1, 4), Fraction(1, 2)),
    "medium": (Fraction(1, 2), Fraction(1)),
    "dense": (Fraction(1), Fraction(2)),
}
"""The fewest and the most notes per quarter: 1-2, 2-4 and 4-8 notes in a bar of 4/4."""
NOTES_PER_QUARTER_IN_THREES: dict[Density, tuple[Fraction, Fraction]] = {
    "sparse": (Fraction(2, 3), Fraction(1)),
    "medium": (Fraction(1), Fraction(5, 3)),
    "dense": (Fraction(4, 3), Fraction(8, 3)),
}
"""The same for metres with beats of three units: 2-3, 3-5 and 4-8 notes in a bar of 6/8.

Folk tunes in 6/8 have 5 notes in a bar."""


def has_beats_of_three(metre: Metre) -> bool:
    """Return whether a beat of the metre has three units, as in 6/8, 5/8 and 7/8."""
    starts = (*metre.beats, metre.bar)
    return any(after - before == 3 * metre.unit for before, after in pairwise(starts))


@dataclass(frozen=True)
class MelodyRequest:
    """The input of the engine.

    `contour`, `density`, `prefer_stepwise` and `chords` are wishes: they may be relaxed. All other fields are hard
    constraints.
    """

    key: Key
    measures: int
    metre: Metre = COMMON_TIME
    low: int = 60
    """The lowest pitch allowed."""
    high: int = 84
    """The highest pitch allowed."""
    contour: Contour | None = None
    density: Density = "medium"
    start: int | None = None
    """The first pitch."""
    end: int | None = None
    """The last pitch."""
    max_leap: int | None = None
    """In semitones."""
    prefer_stepwise: float | None = None
    """The share of steps among the moves, 0 to 1 (see `step_share`). None leaves it to the tune: it varies as in folk
    tunes."""
    chords: tuple[ChordSpan, ...] = ()
    """Chords to follow. Times count from the first full bar. Spans without a chord (N.C.) are left out."""
    pickup: Fraction = Fraction(0)
    """Length of the pickup, before the first full bar."""

    @property
    def pitches(self) -> list[int]:
        """The notes of the scale within the range, ascending."""
        scale = set(self.key.pitch_classes)
        return [midi for midi in range(max(0, self.low), min(127, self.high) + 1) if midi % 12 in scale]

    def notes_per_bar(self) -> tuple[int, int]:
        """Return the fewest and the most notes in a full bar that meet the density."""
        shares = NOTES_PER_QUARTER_IN_THREES if has_beats_of_three(self.metre) else NOTES_PER_QUARTER
        least, most = (int(self.metre.bar * share + Fraction(1, 2)) for share in shares[self.density])
        return max(1, least), max(1, least, most)


@dataclass(frozen=True, slots=True)
class NoteTiming:
    """The onset and duration of a note. Its pitch is chosen later."""

    onset: Fraction
    """Counted from the first full bar; negative in a pickup."""
    duration: Fraction
    measure: int
    """Counted from 1; 0 is the pickup."""
    strength: int
    """Metrical strength of the onset, as in `consort_music.metre`."""


@dataclass(frozen=True)
class RelaxedWish:
    """A wish that the melody does not meet, and the first measure where it is missed."""

    message: str
    measure: int


@dataclass(frozen=True)
class Melody:
    style: Style
    timings: tuple[NoteTiming, ...]
    pitches: tuple[int, ...]
    relaxed: tuple[RelaxedWish, ...] = ()
    step_ratio: float = 1.0
    """The share of moves that are steps or repeated notes."""
    contour_fit: float | None = None
    """The result of `contour.contour_fit`, or None if no contour was requested."""


class MelodyConflict(MusicError):
    """The hard constraints exclude each other, so no melody exists.

    `best` is a melody without the conflicting constraints. It is None until `generate` sets it, and if there is no such
    melody.
    """

    def __init__(self, message: str, suggestions: Iterable[str], field: str) -> None:
        super().__init__("UNSATISFIABLE_CONSTRAINTS", message, suggestions, field)
        self.best: Melody | None = None
