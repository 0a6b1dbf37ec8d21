"""What is asked for: exact numbers, after names have been read."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from consort_music.chords.layout import ChordSpan
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre

Density = Literal["sparse", "medium", "dense"]
Contour = Literal["arch", "ascending", "descending", "wave", "static"]

NOTES_A_QUARTER: dict[Density, tuple[Fraction, Fraction]] = {
    "sparse": (Fraction(1, 4), Fraction(1, 2)),
    "medium": (Fraction(1, 2), Fraction(1)),
    "dense": (Fraction(1), Fraction(2)),
}
"""1-2, 2-4 and 4-8 notes in a bar of 4/4, for every metre."""


@dataclass(frozen=True)
class MelodyRequest:
    """Pitches are MIDI numbers. All but `contour`, `density`, `prefer_stepwise` and `chords` are hard."""

    key: Key
    measures: int
    metre: Metre = COMMON_TIME
    low: int = 60
    high: int = 84
    contour: Contour | None = None
    density: Density = "medium"
    start: int | None = None
    end: int | None = None
    max_leap: int | None = None
    """Semitones."""
    prefer_stepwise: float = 0.7
    chords: tuple[ChordSpan, ...] = ()
    """From the first full bar; N.C. is not among them."""
    pickup: Fraction = Fraction(0)
    """Quarters before the first full bar."""

    @property
    def pitches(self) -> list[int]:
        """The notes of the scale in range, from the lowest up."""
        scale = set(self.key.pitch_classes)
        return [midi for midi in range(max(0, self.low), min(127, self.high) + 1) if midi % 12 in scale]

    def notes_a_bar(self) -> tuple[int, int]:
        """Least and most notes in a full bar."""
        least, most = (int(self.metre.bar * share + Fraction(1, 2)) for share in NOTES_A_QUARTER[self.density])
        return max(1, least), max(1, least, most)


@dataclass(frozen=True, slots=True)
class Beat:
    """One note's place, before it has a pitch."""

    onset: Fraction
    """Quarters from the first full bar; negative in a pickup."""
    duration: Fraction
    measure: int
    """Counted from 1; 0 is the pickup."""
    strength: int
    """Of its onset in the metre."""


@dataclass(frozen=True)
class Relaxed:
    """A wish that could not be met, and where."""

    message: str
    measure: int


@dataclass(frozen=True)
class Melody:
    beats: tuple[Beat, ...]
    pitches: tuple[int, ...]
    relaxed: tuple[Relaxed, ...] = ()
    step_ratio: float = 1.0
    contour_fit: float | None = None


class Impossible(Exception):
    """The hard constraints exclude each other: `message` says which and why; `best` breaks as little as it can."""

    def __init__(self, message: str, field: str, suggestions: list[str], best: Melody | None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.suggestions = suggestions
        self.best = best


class OutOfTime(Exception):
    """The budget ran out before a melody was found."""
