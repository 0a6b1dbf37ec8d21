"""Spelled pitches: a letter (step), an alteration and an octave. C4 is middle C and MIDI note 60.

Spelling is kept (`F##4` is not `G4`), because harmony and notation need it. `Pitch.midi` drops it.

`Pitch.parse` rejects a minus sign. Other programs use `B-1` for B flat in octave 1 or for B in octave -1, and a guess
would often be wrong. So typed names have octaves 0 to 9, and the twelve MIDI notes below C0 are given by number.
`Pitch.name` still shows octave -1 with a minus sign (`F-1`); such a name cannot be parsed.
"""

import re
from dataclasses import dataclass
from typing import Self

from consort_music.errors import MusicError, quoted

STEPS = "CDEFGAB"
LETTER_SEMITONES = (0, 2, 4, 5, 7, 9, 11)
"""The semitones from C up to each letter, in the order of STEPS."""
STEP_SEMITONES = dict(zip(STEPS, LETTER_SEMITONES, strict=True))
_ALTERATIONS = {"#": 1, "♯": 1, "x": 2, "𝄪": 2, "b": -1, "♭": -1, "𝄫": -2}
ACCIDENTALS = {-2: "bb", -1: "b", 0: "", 1: "#", 2: "##"}
_SHARP_NAMES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
_FLAT_NAMES = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
_NAME = re.compile(r"([A-Ga-g])([#♯x𝄪]*|[b♭𝄫]*)([0-9])")
_MINUS_AS_FLAT = re.compile(r"([A-Ga-g])(-{1,2})([0-9])")
_EXAMPLES = ("C4", "F#3", "Bb5")


def _invalid(message: str, suggestions: tuple[str, ...] = _EXAMPLES) -> MusicError:
    return MusicError("INVALID_PITCH", message, suggestions)


@dataclass(frozen=True, slots=True)
class Pitch:
    """A spelled pitch, such as F double sharp in octave 4: `Pitch("F", 2, 4)`."""

    step: str
    alter: int
    octave: int

    def __post_init__(self) -> None:
        if self.step not in STEP_SEMITONES:
            raise _invalid(f"The step of a pitch must be C, D, E, F, G, A or B, not {quoted(str(self.step))}.")
        if self.alter not in ACCIDENTALS:
            raise _invalid(f"A pitch can be altered by -2 (double flat) to 2 (double sharp), not by {self.alter}.")
        if not -1 <= self.octave <= 9:
            raise _invalid(f"The octave must be from -1 to 9, not {self.octave}. C4 is middle C.")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name such as `C4`, `f#3`, `Bbb3`, `Fx4` or `E♭5`. Raise INVALID_PITCH for any other text."""
        match = _NAME.fullmatch(text.strip()) if len(text) <= 32 else None
        if match is None:
            raise _not_a_name(text)
        step, accidentals, octave = match.groups()
        alter = sum(_ALTERATIONS[accidental] for accidental in accidentals)
        if abs(alter) > 2:
            raise _invalid(
                f"{quoted(text)} has more than a double sharp or double flat. Write it with another letter, such as D4."
            )
        return cls(step.upper(), alter, int(octave))

    @classmethod
    def from_midi(cls, number: int, prefer_flats: bool = False) -> Self:
        """Spell a MIDI note with at most one accidental. Raise INVALID_PITCH if it is not from 0 to 127."""
        if not 0 <= number <= 127:
            raise _invalid(f"{number} is not a MIDI note. Write a number from 0 to 127, such as 60 for C4.", ("60",))
        name = (_FLAT_NAMES if prefer_flats else _SHARP_NAMES)[number % 12]
        return cls(name[0], _ALTERATIONS.get(name[1:], 0), number // 12 - 1)

    @classmethod
    def from_staff(cls, staff: int, alter: int) -> Self:
        """Return the pitch at a staff position, which is the number of letters above C0: 28 for C4."""
        return cls(STEPS[staff % 7], alter, staff // 7)

    @property
    def staff(self) -> int:
        """The staff position: the number of letters above C0. The difference of two is an `Interval.steps`."""
        return 7 * self.octave + STEPS.index(self.step)

    @property
    def pitch_class(self) -> int:
        """The pitch class: 0 for C and B sharp, up to 11 for B."""
        return (STEP_SEMITONES[self.step] + self.alter) % 12

    @property
    def midi(self) -> int:
        """The MIDI note number. Raises INVALID_PITCH if it is not from 0 to 127, as for G#9."""
        number = 12 * (self.octave + 1) + STEP_SEMITONES[self.step] + self.alter
        if not 0 <= number <= 127:
            raise _invalid(
                f"{self.name} is outside the range of MIDI notes, from C-1 (0) to G9 (127). Choose another octave."
            )
        return number

    @property
    def name(self) -> str:
        """The name in plain letters, such as `F##4`."""
        return f"{self.step}{ACCIDENTALS[self.alter]}{self.octave}"

    @property
    def typed_name(self) -> str:
        """Text that `parse_pitch_or_number` reads: the name, or the MIDI number if the octave is -1."""
        return self.name if self.octave >= 0 else str(self.midi)


def parse_pitch_or_number(text: str) -> Pitch:
    """Read a name such as `F#3` or a MIDI number such as `66`. Raise INVALID_PITCH if it is not a pitch."""
    number = text.strip()
    return Pitch.from_midi(int(number[:5])) if number.isdecimal() else Pitch.parse(text)


def parse_pitch_class(text: str) -> tuple[str, int]:
    """Return the step and alteration of a name without octave, such as `F#`. Raise INVALID_PITCH for other text."""
    pitch = Pitch.parse(f"{text.strip()}4")
    return pitch.step, pitch.alter


def pitch_class_name(step: str, alter: int) -> str:
    return step + ACCIDENTALS[alter]


def _not_a_name(text: str) -> MusicError:
    minus = _MINUS_AS_FLAT.fullmatch(text.strip()) if len(text) <= 32 else None
    if minus:
        step, flats, octave = minus.groups()
        flat = f"{step.upper()}{'b' * len(flats)}{octave}"
        return _invalid(
            f"{quoted(text)}: '-' is not accepted in a pitch name. Write {flat} for a flat; octaves are 0 to 9, "
            "and notes below C0 are given by MIDI number.",
            (flat,),
        )
    return _invalid(
        f"{quoted(text)} is not a pitch. Write a letter A to G, then #, ##, b or bb if needed, then an octave 0 to 9: "
        "C4 (middle C), F#3, Bb5."
    )
