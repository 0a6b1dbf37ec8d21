"""A melody to harmonize with the options of the caller, and a chord with its bass."""

from dataclasses import dataclass

from consort_compose.composer.harmony.degree_chords import DegreeChord, symbol_of
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.styles.style_rules import BassMotion
from consort_compose.composer.harmony.harmonize.styles.style_weights import STYLE_WEIGHTS
from consort_compose.composer.harmony.melody_grid import ChordRhythm, MelodyGrid
from consort_music.chords.symbol import ChordSymbol
from consort_music.keys import Key


@dataclass(frozen=True)
class HarmonyTask:
    """A melody to harmonize, with the options of the caller."""

    grid: MelodyGrid
    key: Key
    style: HarmonyStyle
    rhythm: ChordRhythm = "per_measure"
    allow_extended: bool | None = None
    bass_motion: BassMotion = "any"
    seed: int | None = None
    in_voices: bool = True
    """Whether the bass is a voice, which must not move in parallel fifths or octaves with the melody."""

    @property
    def song_weight(self) -> float:
        """The weight of the song model; 0 if the model of Bach's chorales is used instead."""
        return STYLE_WEIGHTS[self.style].songs.get(self.rhythm, 0.0)


@dataclass(frozen=True)
class ChordWithBass:
    """A chord and its bass, in semitones above the tonic."""

    chord: DegreeChord
    bass: int

    def symbol(self, key: Key) -> ChordSymbol:
        return symbol_of(key, self.chord.number, self.chord.alteration, self.chord.suffix, self.bass)
