"""Input and results of the counterpoint engine. They contain plain numbers, no scores."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from consort_compose.composer.counterpoint.spelled_tones import ScaleTones, VoiceNote
from consort_music.bars import Bar
from consort_music.chords.timed_chords import ChordSpan


class Relationship(StrEnum):
    CONTRARY = "contrary"
    OBLIQUE = "oblique"
    PARALLEL_THIRDS = "parallel_thirds"
    PARALLEL_SIXTHS = "parallel_sixths"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class CounterpointTask:
    """One voice to be written against another.

    `existing` is in order of time, without overlaps, and within `bars`. `lowest` and `highest` are MIDI numbers.
    `attempts` limits how many rhythms are tried before a rule is relaxed.
    """

    existing: Sequence[VoiceNote]
    bars: Sequence[Bar]
    scale: ScaleTones
    lowest: int
    highest: int
    above: bool
    species: int = 0
    """1 to 5, or 0 for a free voice."""
    relationship: Relationship = Relationship.CONTRARY
    avoid_parallels: bool = True
    chords: Sequence[ChordSpan] = ()
    """Spans without a chord (N.C.) are left out."""
    is_bass: bool = False
    """Whether the new voice should play the bass note of each chord where the chord begins."""
    comfortable: int = 12
    """Up to this distance of the voices, in semitones, there is no cost for distance."""
    seed: int = 0
    attempts: int = 50


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A rule that the voice breaks in a measure."""

    rule: str
    """A name of `rules.NAMES`."""
    breach: str
    """A text of `rules.BREACHES`, which is used inside a sentence."""
    measure: int


@dataclass(frozen=True, slots=True)
class NewVoice:
    notes: list[VoiceNote]
    relaxations: list[Relaxation] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """How the existing voice was read, if that is not obvious."""


class NoVoiceFits(Exception):
    """No voice exists, even with every rule relaxed. The message is a sentence that gives the reason."""
