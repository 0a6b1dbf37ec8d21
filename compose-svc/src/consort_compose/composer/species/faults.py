"""A fault of an exercise, and names for notes and intervals."""

from fractions import Fraction
from typing import NamedTuple

from consort_compose.composer.counterpoint.task import VoiceNote
from consort_compose.composer.counterpoint.tones import Tone
from consort_music.intervals import Interval
from consort_music.pitch import Pitch

_NUMBERS = ("unison", "second", "third", "fourth", "fifth", "sixth", "seventh", "octave", "ninth", "tenth")
_QUALITIES = {"P": "perfect", "M": "major", "m": "minor", "A": "augmented", "d": "diminished"}


class Fault(NamedTuple):
    moment: Fraction
    kind: str
    message: str


def is_step(one: VoiceNote, other: VoiceNote) -> bool:
    return abs(other.tone.step - one.tone.step) == 1 and abs(other.tone.midi - one.tone.midi) in (1, 2)


def note_name(tone: Tone) -> str:
    return Pitch.from_staff(tone.step, tone.midi - Pitch.from_staff(tone.step, 0).midi).name


def interval_name(one: Tone, other: Tone) -> str:
    """`minor seventh`, whichever of the two tones is the higher one."""
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
