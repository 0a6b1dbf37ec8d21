"""Tones as two integers, and the intervals between them.

`midi` is what sounds, `step` what is written: letters counted from C0 (C0 = 0, D0 = 1, C1 = 7). Rules of counterpoint
need both: G sharp up to F has nine semitones and is no sixth. A unison and an octave are the same class; a diminished
octave is neither.
"""

from dataclasses import replace
from typing import NamedTuple

from consort_music.chords import ChordSymbol
from consort_music.keys import Key
from consort_music.pitch import LETTER_SEMITONES, STEPS


class Tone(NamedTuple):
    midi: int
    step: int


Scale = tuple[tuple[int, int], ...]
"""(letter 0-6 from C, pitch class 0-11) of each degree; the first is the tonic, or the bass of a chord."""

DISSONANT, THIRD, FIFTH, SIXTH, OCTAVE = 0, 3, 5, 6, 8
TWELFTH = 19
"""In semitones."""
_ROOM = 7
"""Semitones beyond the nearest tone that a voice has at least, where its range begins far away."""
FOURTH = 4
"""A fourth is a dissonance in two voices; it has its own class because a chord can allow it."""
CONSONANT = frozenset({THIRD, FIFTH, SIXTH, OCTAVE})

_CLASSES = {
    (0, 0): OCTAVE,
    (2, 3): THIRD,
    (2, 4): THIRD,
    (3, 5): FOURTH,
    (4, 7): FIFTH,
    (5, 8): SIXTH,
    (5, 9): SIXTH,
}


_SEVEN_TONE = {"major pentatonic": "major", "major blues": "major", "minor pentatonic": "minor", "blues": "minor"}
"""Scales with gaps have no steps to lead voices by: the full scale around them is used."""


def scale_of(key: Key) -> Scale:
    """Return the seven tones of a key."""
    full = replace(key, mode=_SEVEN_TONE.get(key.mode, key.mode))
    return tuple(
        (STEPS.index(step), pitch_class) for (step, _), pitch_class in zip(full.scale, full.pitch_classes, strict=True)
    )


def tones_of_chord(chord: ChordSymbol) -> Scale:
    """Return the tones of a chord, its bass first."""
    names = ([chord.bass] if chord.bass else []) + [tone.name for tone in chord.tones]
    return tuple(dict.fromkeys((STEPS.index(name.step), name.pitch_class) for name in names))


def widest_distance(nearest: int) -> int:
    """Semitones that strict counterpoint allows between two voices: a twelfth, or what the ranges make necessary."""
    return max(TWELFTH, nearest + _ROOM)


def interval_class(one: Tone, other: Tone) -> int:
    """THIRD, FOURTH, FIFTH, SIXTH, OCTAVE (unison too) whatever the octave, else DISSONANT."""
    lower, upper = (one, other) if one <= other else (other, one)
    return _CLASSES.get(((upper.step - lower.step) % 7, (upper.midi - lower.midi) % 12), DISSONANT)


def is_tritone(one: Tone, other: Tone) -> bool:
    """An augmented fourth or a diminished fifth, within the octave."""
    return abs(one.midi - other.midi) == 6 and abs(one.step - other.step) in (3, 4)


def tone(letter: int, pitch_class: int, octave: int) -> Tone:
    """The tone of this letter and pitch class; the octave is the letter's, so B#3 sounds as C4."""
    natural = LETTER_SEMITONES[letter]
    alter = (pitch_class - natural + 6) % 12 - 6
    return Tone(12 * (octave + 1) + natural + alter, 7 * octave + letter)


def tones_between(pitches: Scale, lowest: int, highest: int) -> list[Tone]:
    """The tones of a scale or a chord from MIDI note `lowest` to `highest`, upwards."""
    every = (tone(letter, pitch_class, octave) for octave in range(-1, 11) for letter, pitch_class in pitches)
    return sorted(one for one in every if lowest <= one.midi <= highest)
