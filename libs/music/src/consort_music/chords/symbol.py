"""Chords: their spelled tones, their bass and their names.

A degree is a tone as `(number, alteration)` relative to the major scale on the root: `(3, -1)` is the minor third,
`(7, -2)` the diminished seventh, `(9, 1)` the sharp ninth. Chords that are written differently but mean the same are
equal.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from consort_music.pitch import STEP_SEMITONES, STEPS, Pitch, pitch_class_name

DEGREE_SEMITONES = {1: 0, 2: 2, 3: 4, 4: 5, 5: 7, 6: 9, 7: 11, 9: 14, 11: 17, 13: 21}
_PERFECT = {-1: "d", 0: "P", 1: "A"}
_IMPERFECT = {-2: "d", -1: "m", 0: "M", 1: "A"}
_NUMBERS_OF_TWO_READINGS = ("5", "9", "11", "13")
"""Suffixes that start with one of these are ambiguous after a double accidental: the second flat of `Abb9`."""

Degree = tuple[int, int]


class NoteName(NamedTuple):
    """A note without an octave: B flat is `NoteName("B", -1)`."""

    step: str
    alter: int

    @property
    def pitch_class(self) -> int:
        return (STEP_SEMITONES[self.step] + self.alter) % 12

    @property
    def fifths(self) -> int:
        """The position on the line of fifths: F -1, C 0, G 1. It is the number of sharps of the major key."""
        return "FCGDAEB".index(self.step) - 1 + 7 * self.alter

    def simplified(self) -> "NoteName":
        """Return the name with at most one accidental: Abb becomes G, and Cbb becomes Bb."""
        if abs(self.alter) < 2:
            return self
        pitch = Pitch.from_midi(60 + self.pitch_class, prefer_flats=self.alter < 0)
        return NoteName(pitch.step, pitch.alter)


class ChordTone(NamedTuple):
    """A tone of a chord and its interval above the root, such as `("E", -1, "m3")` in C minor."""

    step: str
    alter: int
    interval: str

    @property
    def pitch_class(self) -> int:
        return (STEP_SEMITONES[self.step] + self.alter) % 12

    @property
    def name(self) -> NoteName:
        return NoteName(self.step, self.alter)


@dataclass(frozen=True, slots=True)
class ChordSymbol:
    """A parsed chord symbol. `N.C.` has no root and no tones; every other chord has both.

    `tones` are sorted by degree. A bass that is not a chord tone (`C/D`) is not one of them, but `pitch_classes` has it
    too. `suffix` is the canonical name without root and bass.
    """

    name: str
    suffix: str
    quality: str
    root: NoteName | None
    bass: NoteName | None
    tones: tuple[ChordTone, ...]
    degrees: tuple[Degree, ...]
    pitch_classes: frozenset[int]
    alternative: str | None = field(default=None, compare=False)
    """The symbol of another chord that was written in parentheses, such as Db7 in `G7(Db7)`. It is not used."""

    @classmethod
    def of(
        cls, root: NoteName, suffix: str, quality: str, degrees: tuple[Degree, ...], bass: NoteName | None
    ) -> "ChordSymbol":
        """Build the chord of these degrees over a root. A bass equal to the root is left out."""
        if bass == root and (1, 0) in degrees:
            bass = None
        tones = tuple(spell(root, degree) for degree in degrees)
        name = join_symbol(root, suffix, bass)
        sounding = {tone.pitch_class for tone in tones} | ({bass.pitch_class} if bass else set())
        return cls(name, suffix, quality, root, bass, tones, degrees, frozenset(sounding))

    def on(self, root: NoteName, bass: NoteName | None) -> "ChordSymbol":
        """Return the same kind of chord on another root and bass."""
        return ChordSymbol.of(root, self.suffix, self.quality, self.degrees, bass)

    @property
    def is_no_chord(self) -> bool:
        return self.root is None

    @property
    def bass_name(self) -> NoteName | None:
        """The note after the slash, or the root if there is no slash."""
        return self.bass or self.root

    @property
    def bass_pitch_class(self) -> int | None:
        bass = self.bass_name
        return None if bass is None else bass.pitch_class

    @property
    def root_pitch_class(self) -> int | None:
        return None if self.root is None else self.root.pitch_class

    def note_name(self, pitch_class: int) -> NoteName:
        """Return the spelling of a pitch class in this chord.

        If it is not a chord tone, it is spelled with a flat if the chord has more flats than sharps.
        """
        pitch_class %= 12
        if self.bass is not None and self.bass.pitch_class == pitch_class:
            return self.bass
        for tone in self.tones:
            if tone.pitch_class == pitch_class:
                return tone.name
        pitch = Pitch.from_midi(60 + pitch_class, prefer_flats=self.leans_flat)
        return NoteName(pitch.step, pitch.alter)

    def pitch(self, midi: int) -> Pitch:
        """Spell a MIDI note as in this chord: 63 is Eb4 in C minor and D#4 in B major."""
        return pitch_at(self.note_name(midi), midi)

    @property
    def leans_flat(self) -> bool:
        return sum(tone.alter for tone in self.tones) < 0


def note_text(note: NoteName) -> str:
    """Return a note name as text: `Bb`, `F##`."""
    return pitch_class_name(note.step, note.alter)


def alternative_remarks(chords: Iterable[ChordSymbol]) -> list[str]:
    """Say which chords had an alternative in parentheses, each once."""
    pairs = {(chord.name, chord.alternative) for chord in chords if chord.alternative}
    return [
        f"{name}({alternative}) names two chords. The first, {name}, was used; write {alternative} alone for the other."
        for name, alternative in sorted(pairs)
    ]


def join_symbol(root: NoteName, suffix: str, bass: NoteName | None = None) -> str:
    """Return a chord symbol such as `Bb7/D`, with a colon where the end of the root would be ambiguous: `Abb:9`."""
    apart = ":" if abs(root.alter) == 2 and suffix.startswith(_NUMBERS_OF_TWO_READINGS) else ""
    return note_text(root) + apart + suffix + (f"/{note_text(bass)}" if bass else "")


def pitch_at(note: NoteName, midi: int) -> Pitch:
    """Return the pitch with this spelling and this MIDI number: 60 is C4 or B#3."""
    return Pitch(note.step, note.alter, (midi - note.alter - STEP_SEMITONES[note.step]) // 12 - 1)


def spell(root: NoteName, degree: Degree) -> ChordTone:
    """Return the tone of a degree over a root. Three accidentals are respelled with a neighbouring letter."""
    number, alteration = degree
    semitones = DEGREE_SEMITONES[number] + alteration
    index = STEPS.index(root.step) + number - 1
    target = root.pitch_class + semitones
    alter = _alter_of(index, target)
    if abs(alter) > 2:
        index += 1 if alter > 0 else -1
        alter = _alter_of(index, target)
    return ChordTone(STEPS[index % 7], alter, interval_name(degree))


def _alter_of(index: int, target: int) -> int:
    return (target - STEP_SEMITONES[STEPS[index % 7]] + 6) % 12 - 6


def interval_name(degree: Degree) -> str:
    number, alteration = degree
    sizes = _PERFECT if number in (1, 4, 5, 11) else _IMPERFECT
    return f"{sizes[alteration]}{number}"
