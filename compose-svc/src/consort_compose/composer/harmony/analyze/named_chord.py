"""A chord of analyzed music with its name in the key."""

from dataclasses import dataclass
from fractions import Fraction

from consort_compose.composer.harmony.degree_chords import DegreeChord, HarmonicFunction
from consort_music.bars import BarPosition
from consort_music.chords.symbol import ChordSymbol
from consort_music.keys import Key


@dataclass(frozen=True)
class NamedChord:
    """A chord from `start` to `end`, in quarter notes, with its symbol, Roman numeral and function."""

    start: Fraction
    end: Fraction
    place: BarPosition
    symbol: ChordSymbol
    key: Key
    """The key in which the chord is named."""
    numeral: str
    function: HarmonicFunction
    chord: DegreeChord
    bass: int
    """Semitones above the tonic."""

    @property
    def root(self) -> int:
        """The pitch class of the root."""
        return (self.key.tonic + self.chord.root) % 12

    @property
    def numeral_with_key(self) -> str:
        """The numeral after the key, as in RomanText: `G: V7`, or `g: V7` in minor."""
        return f"{self.key.short_name}: {self.numeral}"
