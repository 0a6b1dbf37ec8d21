"""A chord as a degree of a key: its tones, its numeral, its function, and the symbol it has in a key.

The root is `(number, alteration)` against the major scale of the tonic: `(6, -1)` is the submediant of a minor key.
Everything else is in semitones above the tonic, so that the search never meets a key. Numerals are those of the mode:
in minor `VI` is that chord, and `viio` stands on the raised seventh.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from consort_music.chords import ChordSymbol, NoteName, note_text, parse_chord
from consort_music.chords.symbol import spell
from consort_music.keys import Key
from consort_music.pitch import Pitch

Function = Literal["T", "S", "D"]
Family = Literal[0, 1, 2]
"""Major, minor, or diminished: what the model tells apart."""
MAJOR, MINOR, DIMINISHED = 0, 1, 2

MAJOR_SCALE = (0, 2, 4, 5, 7, 9, 11)
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII")
_FUNCTIONS: tuple[Function, ...] = ("T", "S", "T", "S", "D", "T", "D")
_SIGNS = {-2: "bb", -1: "b", 0: "", 1: "#", 2: "##"}


class Quality(NamedTuple):
    tones: tuple[int, ...]
    family: Family
    figure: str
    """What the numeral has after it in root position: `maj7`, `o`."""
    basses: int = 3
    """How many of the tones may be in the bass, from the root up."""


QUALITIES: dict[str, Quality] = {
    "": Quality((0, 4, 7), 0, ""),
    "m": Quality((0, 3, 7), 1, ""),
    "dim": Quality((0, 3, 6), 2, "o"),
    "aug": Quality((0, 4, 8), 0, "+"),
    "sus4": Quality((0, 5, 7), 0, "sus4", 1),
    "sus2": Quality((0, 2, 7), 0, "sus2", 1),
    "7": Quality((0, 4, 7, 10), 0, "7", 4),
    "7b5": Quality((0, 4, 6, 10), 0, "7b5", 4),
    "maj7": Quality((0, 4, 7, 11), 0, "maj7", 4),
    "m7": Quality((0, 3, 7, 10), 1, "7", 4),
    "m7b5": Quality((0, 3, 6, 10), 2, "ø7", 4),
    "dim7": Quality((0, 3, 6, 9), 2, "o7", 4),
    "6": Quality((0, 4, 7, 9), 0, "add6"),
    "m6": Quality((0, 3, 7, 9), 1, "add6"),
    "add9": Quality((0, 4, 7, 2), 0, "add9"),
    "7sus4": Quality((0, 5, 7, 10), 0, "7sus4", 1),
    "maj9": Quality((0, 4, 7, 11, 2), 0, "maj9", 4),
    "9": Quality((0, 4, 7, 10, 2), 0, "9", 4),
    "m9": Quality((0, 3, 7, 10, 2), 1, "9", 4),
    "m11": Quality((0, 3, 7, 10, 2, 5), 1, "11", 4),
    "13": Quality((0, 4, 7, 10, 2, 9), 0, "13", 4),
    "7b9": Quality((0, 4, 7, 10, 1), 0, "7b9", 4),
    "7#9": Quality((0, 4, 7, 10, 3), 0, "7#9", 4),
    "maj7#11": Quality((0, 4, 7, 11, 6), 0, "maj7#11", 4),
}


@dataclass(frozen=True)
class Chord:
    """A chord on a degree of some key, by the suffix of its symbol."""

    number: int
    alteration: int
    suffix: str
    degree: str
    """The numeral without its quality: `bVI`, `ii`; of augmented sixths the whole name, `Ger+6`."""
    function: Function
    resolves_to: frozenset[int] = frozenset()
    """Roots that it wants to move to; none for any."""
    substitute: str | None = None
    """What kind of substitution it is: `tritone`, `diminished`, `secondary`, `borrowed`."""

    @cached_property
    def root(self) -> int:
        return (MAJOR_SCALE[self.number - 1] + self.alteration) % 12

    @cached_property
    def tones(self) -> frozenset[int]:
        return frozenset((self.root + tone) % 12 for tone in QUALITIES[self.suffix].tones)

    @cached_property
    def basses(self) -> tuple[int, ...]:
        """What may be its bass: root, third, fifth, seventh."""
        quality = QUALITIES[self.suffix]
        return tuple((self.root + tone) % 12 for tone in quality.tones[: quality.basses])

    @property
    def family(self) -> Family:
        return QUALITIES[self.suffix].family

    @property
    def is_extended(self) -> bool:
        """Whether it has more than a triad's three tones."""
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
    function: Function | None = None,
    resolves_to: frozenset[int] = frozenset(),
    substitute: str | None = None,
) -> Chord:
    """The chord on a degree of a major or minor scale, or on one altered against the major scale."""
    usual = -1 if minor and number in (3, 6, 7) else 0
    given = usual if alteration is None else alteration
    quality = QUALITIES[suffix]
    is_leading = minor and number == 7 and given == 0 and quality.family == DIMINISHED
    sign = "" if is_leading else _SIGNS[given - usual]
    numeral = _NUMERALS[number - 1]
    return Chord(
        number,
        given,
        suffix,
        sign + (numeral if quality.family == MAJOR else numeral.lower()),
        function or _FUNCTIONS[number - 1],
        resolves_to,
        substitute,
    )


@lru_cache(maxsize=4096)
def symbol_of(key: Key, number: int, alteration: int, suffix: str, bass: int) -> ChordSymbol:
    """A chord's symbol in a key, over a bass in semitones above the tonic."""
    root = _plain(spell(NoteName(key.step, key.alter), (number, alteration)).name)
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


def _plain(root: NoteName) -> NoteName:
    """The root; one with a double accidental by its simpler name."""
    if abs(root.alter) < 2:
        return root
    pitch = Pitch.from_midi(60 + root.pitch_class, prefer_flats=root.alter < 0)
    return NoteName(pitch.step, pitch.alter)
