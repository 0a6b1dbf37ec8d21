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
    """Semitones above the root, within an octave; root, third and fifth first."""
    family: Family
    figure: str
    """What the numeral has after it in root position: `maj7`, `o`."""
    basses: int
    """How many of the tones may be in the bass, from the root up."""


def _named(suffix: str, family: Family, figure: str, basses: int = 3) -> tuple[str, Quality]:
    tones = tuple(tone.pitch_class for tone in parse_chord(f"C{suffix}").tones)
    return suffix, Quality(tones, family, figure, basses)


QUALITIES: dict[str, Quality] = dict(
    (
        _named("", 0, ""),
        _named("m", 1, ""),
        _named("dim", 2, "o"),
        _named("aug", 0, "+"),
        _named("sus4", 0, "sus4", 1),
        _named("sus2", 0, "sus2", 1),
        _named("7", 0, "7", 4),
        _named("7b5", 0, "7b5", 4),
        _named("maj7", 0, "maj7", 4),
        _named("m7", 1, "7", 4),
        _named("m7b5", 2, "ø7", 4),
        _named("dim7", 2, "o7", 4),
        _named("6", 0, "add6"),
        _named("m6", 1, "add6"),
        _named("add9", 0, "add9"),
        _named("7sus4", 0, "7sus4", 1),
        _named("maj9", 0, "maj9", 4),
        _named("9", 0, "9", 4),
        _named("m9", 1, "9", 4),
        _named("m11", 1, "11", 4),
        _named("13", 0, "13", 4),
        _named("7b9", 0, "7b9", 4),
        _named("7#9", 0, "7#9", 4),
        _named("maj7#11", 0, "maj7#11", 4),
    )
)
"""By the suffix of their symbols."""


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
