"""A fault in an exercise, and the names of notes and intervals in its message."""

from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.counterpoint.spelled_tones import SpelledTone, VoiceNote
from consort_music.intervals import Interval
from consort_music.pitch import Pitch

_NUMBERS = ("unison", "second", "third", "fourth", "fifth", "sixth", "seventh", "octave", "ninth", "tenth")
_QUALITIES = {"P": "perfect", "M": "major", "m": "minor", "A": "augmented", "d": "diminished"}


class ExerciseFault(NamedTuple):
    """A broken rule. `moment` is in quarter notes from the start of the score."""

    moment: Fraction
    kind: str
    message: str


def is_step(one: VoiceNote, other: VoiceNote) -> bool:
    """Return whether two notes are a minor or major second apart."""
    return abs(other.tone.step - one.tone.step) == 1 and abs(other.tone.midi - one.tone.midi) in (1, 2)


def note_name(tone: SpelledTone) -> str:
    return Pitch.from_staff(tone.step, tone.alter).name


def interval_name(one: SpelledTone, other: SpelledTone) -> str:
    """Return a name such as `minor seventh`. The order of the tones does not matter."""
    low, high = sorted((one, other))
    name = Interval(high.step - low.step, high.midi - low.midi).name
    quality, number = name.rstrip("0123456789"), int(name.lstrip("PMmAd"))
    while number > len(_NUMBERS):
        number -= 7
    ordinal = _NUMBERS[number - 1]
    if quality == "P" and number in (1, 8):
        return ordinal
    doubly = "doubly " if len(quality) > 1 else ""
    return f"{doubly}{_QUALITIES[quality[:1]]} {ordinal}"
