"""A chord of analyzed music with its name in the key."""

from dataclasses import dataclass
from fractions import Fraction

from consort_compose.composer.harmony.degree_chords import DegreeChord, HarmonicFunction
from consort_music.bars import BarPosition
from consort_music.chords.symbol import ChordSymbol


@dataclass(frozen=True)
class NamedChord:
    """A chord from `start` to `end`, in quarter notes, with its symbol, Roman numeral and function."""

    start: Fraction
    end: Fraction
    place: BarPosition
    symbol: ChordSymbol
    numeral: str
    function: HarmonicFunction
    chord: DegreeChord
    bass: int
    """Semitones above the tonic."""
