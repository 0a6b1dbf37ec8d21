"""A slot is a place for one note of the new voice.

A slot has the tones of the existing voice at its onset, just before its onset, and while its note is held. The rules
need no other information about time.
"""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from consort_compose.composer.counterpoint.spelled_tones import ScaleTones, SpelledTone


class SlotEntry(Enum):
    STRIKE = "a new note"
    MAY_TIE = "the note of the previous slot may be held; a new note is possible too"
    REST = "silence"


PASSING, NEIGHBOUR, CAMBIATA = 1, 2, 4
"""Bits of `NoteSlot.dissonance`: the kinds of dissonance that a slot allows. 0 allows none."""


@dataclass(slots=True)
class NoteSlot:
    onset: Fraction
    duration: Fraction
    entry: SlotEntry
    measure: int
    against: SpelledTone | None
    """Tone of the existing voice at the onset."""
    before: SpelledTone | None
    """Tone of the existing voice just before the onset. None if that voice has no new note at the onset."""
    dissonance: int = 0
    leads: bool = False
    """Whether it is the first slot of its unit. Two units in a row must not begin with the same perfect interval."""
    stepwise: bool = False
    """Whether its note must be reached and left by step, because it is too short for leaps."""
    later: list[tuple[SpelledTone, bool]] = field(default_factory=list)
    """Tones of the existing voice that begin while this note is held, and whether each is on a strong beat."""
    earlier: SpelledTone | None = None
    """If a note may be tied into the previous slot: the tone of the existing voice at the start of that note."""
    chord: ScaleTones | None = None
    opens_chord: bool = False
    """Whether the chord begins at the onset."""
    closes: bool = False
    """Whether it is in the second-to-last unit, in which the leading tone may be raised."""
    syncopates: bool = False
    """Whether a new note here breaks the rule SYNCOPATION, because a note should be tied into this slot."""
    may_restart: bool = False
    """Whether a new note here is still reported as a breach of SYNCOPATION, but does not count against the voice."""

    @property
    def sounding_last(self) -> SpelledTone | None:
        """Tone of the existing voice at the end of the note."""
        return self.later[-1][0] if self.later else self.against
