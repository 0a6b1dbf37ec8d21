"""Tones as two integers, the intervals between them, and timed notes of a voice.

`midi` is the sound, `step` the spelling: letters counted from C0 (C0 = 0, D0 = 1, C1 = 7). The rules of counterpoint
need both: from G sharp up to F there are nine semitones, but this is a diminished seventh, not a sixth. Unison and
octave are one interval class. A diminished octave is a dissonance.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from consort_music.chords.symbol import ChordSymbol
from consort_music.keys import Key
from consort_music.pitch import LETTER_SEMITONES, STEPS, Pitch
from consort_music.score import Part


class SpelledTone(NamedTuple):
    midi: int
    step: int

    @property
    def alter(self) -> int:
        """Semitones above the natural letter: 1 for a sharp, -1 for a flat."""
        return self.midi - Pitch.from_staff(self.step, 0).midi


@dataclass(frozen=True, slots=True)
class VoiceNote:
    """A note with a time. Onset and duration are in quarter notes."""

    onset: Fraction
    duration: Fraction
    tone: SpelledTone

    @property
    def end(self) -> Fraction:
        return self.onset + self.duration


ScaleTones = tuple[tuple[int, int], ...]
"""Pairs of letter (0 to 6 from C) and pitch class (0 to 11). The first is the tonic of a scale or the bass of a
chord."""

DISSONANT, THIRD, FOURTH, FIFTH, SIXTH, OCTAVE = 0, 3, 4, 5, 6, 8
"""Interval classes. A fourth is a dissonance in two voices. It has its own class because a chord can allow it."""
CONSONANT = frozenset({THIRD, FIFTH, SIXTH, OCTAVE})
TWELFTH = 19
"""In semitones."""
SINGABLE = frozenset({(1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 7), (7, 12)})
"""Intervals that a voice may sing up or down, as (letters, semitones)."""
MINOR_SIXTH = (5, 8)
"""As (letters, semitones). A voice may sing it only upwards."""
_ROOM = 7
"""If the range of a voice is far from the other voice: semitones beyond the nearest tone that it may use."""

_INTERVAL_CLASSES = {
    (0, 0): OCTAVE,
    (2, 3): THIRD,
    (2, 4): THIRD,
    (3, 5): FOURTH,
    (4, 7): FIFTH,
    (5, 8): SIXTH,
    (5, 9): SIXTH,
}
"""By (letters, semitones) within an octave."""

_SEVEN_TONE_MODES = {
    "major pentatonic": "major",
    "major blues": "major",
    "minor pentatonic": "minor",
    "blues": "minor",
}
"""The seven-tone mode that is used instead of a scale with gaps, because voices need steps."""


def voice_notes(part: Part) -> list[VoiceNote]:
    return [VoiceNote(note.start, note.duration, SpelledTone(note.midi, note.pitch.staff)) for note in part.notes]


def note_at(notes: Sequence[VoiceNote], time: Fraction) -> VoiceNote | None:
    """Return the note that sounds at a time, or None. The notes are in order of time and do not overlap."""
    index = bisect_right(notes, time, key=_onset) - 1
    return notes[index] if index >= 0 and time < notes[index].end else None


def note_until(notes: Sequence[VoiceNote], time: Fraction) -> VoiceNote | None:
    """Return the note that begins before `time` and ends at `time` or later, or None."""
    index = bisect_left(notes, time, key=_onset) - 1
    return notes[index] if index >= 0 and notes[index].end >= time else None


def _onset(note: VoiceNote) -> Fraction:
    return note.onset


def scale_of(key: Key) -> ScaleTones:
    """Return the seven tones of a key, or of the seven-tone mode around its scale."""
    full = replace(key, mode=_SEVEN_TONE_MODES.get(key.mode, key.mode))
    return tuple(
        (STEPS.index(step), pitch_class) for (step, _), pitch_class in zip(full.scale, full.pitch_classes, strict=True)
    )


def tones_of_chord(chord: ChordSymbol) -> ScaleTones:
    """Return the tones of a chord, its bass first."""
    names = ([chord.bass] if chord.bass else []) + [tone.name for tone in chord.tones]
    return tuple(dict.fromkeys((STEPS.index(name.step), name.pitch_class) for name in names))


def widest_distance(nearest: int) -> int:
    """Return how many semitones two voices may be apart: a twelfth, or more if the nearest tone is far away.

    `nearest` is the distance of the nearest tone that the voice can use.
    """
    return max(TWELFTH, nearest + _ROOM)


def interval_class(one: SpelledTone, other: SpelledTone) -> int:
    """Return the interval class: THIRD, FOURTH, FIFTH, SIXTH, OCTAVE (also for a unison) or DISSONANT.

    A tenth is a THIRD, and so on: octaves between the tones do not count.
    """
    lower, upper = (one, other) if one <= other else (other, one)
    return _INTERVAL_CLASSES.get(((upper.step - lower.step) % 7, (upper.midi - lower.midi) % 12), DISSONANT)


def is_consonant(one: SpelledTone, other: SpelledTone) -> bool:
    return interval_class(one, other) in CONSONANT


def is_tritone(one: SpelledTone, other: SpelledTone) -> bool:
    """Return whether two tones are an augmented fourth or a diminished fifth apart."""
    return abs(one.midi - other.midi) == 6 and abs(one.step - other.step) in (3, 4)


def make_tone(letter: int, pitch_class: int, octave: int) -> SpelledTone:
    """Return the tone of a letter and a pitch class. The octave is that of the letter, so B#3 sounds like C4."""
    natural = LETTER_SEMITONES[letter]
    alter = (pitch_class - natural + 6) % 12 - 6
    return SpelledTone(12 * (octave + 1) + natural + alter, 7 * octave + letter)


def tones_between(pitches: ScaleTones, lowest: int, highest: int) -> list[SpelledTone]:
    """Return the tones of a scale or a chord from MIDI number `lowest` to `highest`, ascending."""
    every = (make_tone(letter, pitch_class, octave) for octave in range(-1, 11) for letter, pitch_class in pitches)
    return sorted(tone for tone in every if lowest <= tone.midi <= highest)
