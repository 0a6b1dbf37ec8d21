"""An exercise in species counterpoint: a cantus firmus, the voice to be marked, their key and their units of time."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.counterpoint.spelled_tones import (
    ScaleTones,
    SpelledTone,
    VoiceNote,
    note_at,
    note_until,
    scale_of,
)
from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_music.keys import Key


class ExerciseUnit(NamedTuple):
    """The time of one cantus note. In a cantus of unequal notes, a bar counts as one cantus note."""

    start: Fraction
    end: Fraction

    @property
    def length(self) -> Fraction:
        return self.end - self.start

    @property
    def is_binary(self) -> bool:
        """Whether it can be divided into halves and quarters. True for a whole note, False for a dotted half."""
        return self.length.numerator.bit_count() == 1


@dataclass(frozen=True, slots=True)
class Exercise:
    species: int
    cantus: Sequence[VoiceNote]
    voice: Sequence[VoiceNote]
    """The voice that is marked."""
    above: bool
    """Whether the marked voice is above the cantus."""
    key: Key
    units: Sequence[ExerciseUnit]
    has_equal_units: bool
    """Whether each unit has one cantus note. False if a unit is a bar of an unequal cantus."""
    is_cantus_certain: bool
    """Whether it is certain which of the two voices is the cantus."""
    cantus_name: str
    voice_name: str

    @property
    def scale(self) -> ScaleTones:
        return scale_of(self.key)

    @property
    def range(self) -> tuple[int, int] | None:
        """The lowest and highest MIDI number of the voice that the part is named after, such as soprano, or None."""
        found = VOICE_RANGES.get(self.voice_name.strip().lower())
        return found.midi if found else None

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The range of the marked voice. If its name gives none, all voice ranges that contain all of its notes."""
        if self.range is not None:
            return [self.range]
        pitches = [note.tone.midi for note in self.voice]
        ranges = (voice.midi for voice in VOICE_RANGES.values())
        return [(low, high) for low, high in ranges if low <= min(pitches) and max(pitches) <= high]

    @property
    def sign(self) -> int:
        """1 if the marked voice is above the cantus, otherwise -1."""
        return 1 if self.above else -1

    def against(self, moment: Fraction) -> VoiceNote | None:
        """Return the cantus note that sounds at a moment, or None."""
        return note_at(self.cantus, moment)

    def just_before(self, moment: Fraction) -> VoiceNote | None:
        """Return the cantus note that begins before `moment` and ends at `moment` or later, or None."""
        return note_until(self.cantus, moment)

    def unit_at(self, moment: Fraction) -> ExerciseUnit:
        place = bisect_right(self.units, moment, key=lambda unit: unit.start) - 1
        return self.units[max(place, 0)]


def letter_and_pitch_class(tone: SpelledTone) -> tuple[int, int]:
    """Return the letter and pitch class of a tone, which `ScaleTones` consist of."""
    return tone.step % 7, tone.midi % 12


def raised_tones(scale: ScaleTones) -> ScaleTones:
    """Return the raised sixth and seventh degrees, which lead up to the tonic."""
    tonic = scale[0][1]
    return (scale[5][0], (tonic - 3) % 12), (scale[6][0], (tonic - 1) % 12)
