"""A chord on a degree of a key: its tones, numeral and function, and its symbol in a given key.

The root is `(number, alteration)`: a degree, and its alteration in semitones relative to the major scale on the tonic.
So `(6, -1)` is the sixth degree of a minor key. Tones and basses are semitones above the tonic, so the search works the
same in every key. Numerals depend on the mode: in minor, `VI` is on the lowered sixth degree and `viio` on the raised
seventh.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol, NoteName, note_text, spell
from consort_music.keys import Key
from consort_music.pitch import ACCIDENTALS, STEPS

HarmonicFunction = Literal["T", "S", "D"]
Family = Literal[0, 1, 2]
"""The three kinds of chord that the chord model distinguishes: MAJOR, MINOR or DIMINISHED."""
MAJOR: Family = 0
MINOR: Family = 1
DIMINISHED: Family = 2

MAJOR_SCALE = (0, 2, 4, 5, 7, 9, 11)
TRIADS = {frozenset((root + tone) % 12 for tone in (0, third, 7)): root for root in range(12) for third in (3, 4)}
"""The root of each major and minor triad, by its pitch classes."""
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII")
_FUNCTIONS: tuple[HarmonicFunction, ...] = ("T", "S", "T", "S", "D", "T", "D")


class Quality(NamedTuple):
    tones: tuple[int, ...]
    """Semitones above the root, from 0 to 11. Root, third and fifth come first."""
    family: Family
    figure: str
    """The text after the numeral in root position, for example `maj7` or `o`."""
    basses: int
    """The first `basses` tones may be in the bass."""


_QUALITY_TABLE: tuple[tuple[str, Family, str, int], ...] = (
    ("", MAJOR, "", 3),
    ("m", MINOR, "", 3),
    ("dim", DIMINISHED, "o", 3),
    ("aug", MAJOR, "+", 3),
    ("sus4", MAJOR, "sus4", 1),
    ("sus2", MAJOR, "sus2", 1),
    ("7", MAJOR, "7", 4),
    ("7b5", MAJOR, "7b5", 4),
    ("maj7", MAJOR, "maj7", 4),
    ("m7", MINOR, "7", 4),
    ("m7b5", DIMINISHED, "ø7", 4),
    ("dim7", DIMINISHED, "o7", 4),
    ("6", MAJOR, "add6", 3),
    ("m6", MINOR, "add6", 3),
    ("add9", MAJOR, "add9", 3),
    ("7sus4", MAJOR, "7sus4", 1),
    ("maj9", MAJOR, "maj9", 4),
    ("9", MAJOR, "9", 4),
    ("m9", MINOR, "9", 4),
    ("m11", MINOR, "11", 4),
    ("13", MAJOR, "13", 4),
    ("7b9", MAJOR, "7b9", 4),
    ("7#9", MAJOR, "7#9", 4),
    ("maj7#11", MAJOR, "maj7#11", 4),
)
"""(suffix, family, figure, basses), as in `Quality`."""
QUALITIES: dict[str, Quality] = {
    suffix: Quality(tuple(tone.pitch_class for tone in parse_chord(f"C{suffix}").tones), family, figure, basses)
    for suffix, family, figure, basses in _QUALITY_TABLE
}
"""Chord qualities by the suffix of their symbols."""


@dataclass(frozen=True)
class DegreeChord:
    """A chord on a degree of any key. `suffix` is a key of `QUALITIES`."""

    number: int
    alteration: int
    suffix: str
    degree: str
    """The numeral without figures, for example `bVI` or `ii`. For an augmented sixth chord, the whole name: `Ger+6`."""
    function: HarmonicFunction
    resolves_to: frozenset[int] = frozenset()
    """The roots to which the chord should move; empty if it may move anywhere."""
    substitute: str | None = None
    """`tritone`, `diminished`, `secondary` or `borrowed` if the chord is a substitution, otherwise None."""

    @cached_property
    def root(self) -> int:
        return (MAJOR_SCALE[self.number - 1] + self.alteration) % 12

    @cached_property
    def tones(self) -> frozenset[int]:
        return frozenset((self.root + tone) % 12 for tone in QUALITIES[self.suffix].tones)

    @cached_property
    def basses(self) -> tuple[int, ...]:
        """The tones that may be in the bass: root, third, fifth, seventh."""
        quality = QUALITIES[self.suffix]
        return tuple((self.root + tone) % 12 for tone in quality.tones[: quality.basses])

    @property
    def family(self) -> Family:
        return QUALITIES[self.suffix].family

    @property
    def is_extended(self) -> bool:
        """Whether the chord has more than three tones."""
        return len(QUALITIES[self.suffix].tones) > 3

    @property
    def is_augmented_sixth(self) -> bool:
        return self.degree.endswith("+6")


def chord_on(
    number: int,
    suffix: str,
    *,
    minor: bool,
    alteration: int | None = None,
    function: HarmonicFunction | None = None,
    resolves_to: frozenset[int] = frozenset(),
    substitute: str | None = None,
) -> DegreeChord:
    """Return the chord on a degree of the major or minor scale.

    `alteration` is relative to the major scale; None means the degree of the scale itself. `function` None means the
    usual function of the degree.
    """
    usual = -1 if minor and number in (3, 6, 7) else 0
    given = usual if alteration is None else alteration
    quality = QUALITIES[suffix]
    is_leading = minor and number == 7 and given == 0 and quality.family == DIMINISHED
    sign = "" if is_leading else ACCIDENTALS[given - usual]
    numeral = _NUMERALS[number - 1]
    return DegreeChord(
        number,
        given,
        suffix,
        sign + (numeral if quality.family == MAJOR else numeral.lower()),
        function or _FUNCTIONS[number - 1],
        resolves_to,
        substitute,
    )


def alteration_of(number: int, semitones: int) -> int:
    """Return the alteration, from -6 to 5, of degree `number` if it is `semitones` above the tonic."""
    return (semitones - MAJOR_SCALE[number - 1] + 6) % 12 - 6


def degree_of(key: Key, step: str, pitch_class: int) -> tuple[int, int]:
    """Return the degree and the alteration of a pitch class that is spelled with the letter `step`."""
    number = (STEPS.index(step) - STEPS.index(key.step)) % 7 + 1
    return number, alteration_of(number, pitch_class - key.tonic)


@lru_cache(maxsize=4096)
def symbol_of(key: Key, number: int, alteration: int, suffix: str, bass: int) -> ChordSymbol:
    """Return the symbol of a chord in a key. `bass` is in semitones above the tonic."""
    root = spell(NoteName(key.step, key.alter), (number, alteration)).name.simplified()
    chord = parse_chord(note_text(root) + suffix)
    bass_class = (key.tonic + bass) % 12
    if bass_class == chord.root_pitch_class:
        return chord
    if bass_class in chord.pitch_classes:
        name = chord.note_name(bass_class)
    else:
        pitch = key.spell(60 + bass_class)
        name = NoteName(pitch.step, pitch.alter)
    return parse_chord(f"{chord.name}/{note_text(name)}")
