"""What the engine is asked and what it answers: plain numbers, no score, no web."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from consort_compose.composer.counterpoint.tones import Scale, Tone
from consort_music.bars import Bar
from consort_music.chords.layout import ChordSpan


class Relationship(StrEnum):
    CONTRARY = "contrary"
    OBLIQUE = "oblique"
    PARALLEL_THIRDS = "parallel_thirds"
    PARALLEL_SIXTHS = "parallel_sixths"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class VoiceNote:
    """Onset and duration in quarter notes."""

    onset: Fraction
    duration: Fraction
    tone: Tone

    @property
    def end(self) -> Fraction:
        return self.onset + self.duration


@dataclass(frozen=True, slots=True)
class Task:
    """One voice to be written against another.

    `existing` is in order and does not overlap; `bars` cover it. `lowest` and `highest` are MIDI notes. `attempts` is
    how many rhythms are tried before a rule is relaxed, where the rhythm is a choice.
    """

    existing: Sequence[VoiceNote]
    bars: Sequence[Bar]
    scale: Scale
    lowest: int
    highest: int
    above: bool
    species: int = 0
    relationship: Relationship = Relationship.CONTRARY
    avoid_parallels: bool = True
    chords: Sequence[ChordSpan] = ()
    """N.C. is not among them."""
    is_bass: bool = False
    """Sings the basses of the chords where they begin."""
    comfortable: int = 12
    """Semitones between the voices up to which distance costs nothing."""
    seed: int = 0
    attempts: int = 50


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A rule that could not be kept, and where."""

    rule: str
    breach: str
    """What happens instead."""
    measure: int


@dataclass(frozen=True, slots=True)
class NewVoice:
    notes: list[VoiceNote]
    relaxations: list[Relaxation] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """How the existing voice was taken, where that is not obvious."""


class Unsatisfiable(ValueError):
    """No voice exists whatever is relaxed; the message names what is in the way."""
