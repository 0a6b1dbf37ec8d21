"""Input and output of `reharmonize`. An assistant reads every description here."""

from typing import ClassVar

from pydantic import Field

from consort_compose.composer.fields import MUSIC, MUSIC_ALIASES, IncludeMusicXml, InputFormat, MusicText, Seed
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.styles.style_rules import BassMotion
from consort_compose.composer.harmony.harmonize.writing.textures import Texture
from consort_compose.composer.harmony.melody_grid import ChordRhythm
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.fields import KeyField


class Reharmonize(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "melody")

    melody: MusicText = Field(description=MUSIC + ". Of several parts, the first.")
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    style: HarmonyStyle = Field(description="Which chords, in which order.")
    chord_rhythm: ChordRhythm = Field("per_measure", description="One chord per bar, beat or half bar.")
    num_options: int = Field(3, ge=1, le=10, description="How many harmonizations.")
    allow_extended: bool | None = Field(None, description="Allow 7ths, 9ths… Default: only in jazz; classical has V7.")
    bass_motion: BassMotion = Field("any", description="Bass by step, by fourths and fifths, or held on the tonic.")
    texture: Texture | None = Field(None, description="Default: satb in classical, otherwise keyboard.")
    key: KeyField | None = Field(None, description="D dorian… Default: the music's, or detected.")
    seed: Seed | None = Field(None, description="Vary the result. Default: the likeliest chords.")
    include_musicxml: IncludeMusicXml = False


class HarmonyScores(ToolOutput):
    """Scores from 0 to 1; higher is better."""

    voice_leading: float = Field(description="1 minus the penalties for faults in its four voices, per eight bars.")
    chord_melody_fit: float = Field(description="Share of the melody's time that is a chord tone (jazz: or a tension).")
    style_adherence: float = Field(
        description="Mean of: common successions, strong beats on chord tones, the cadence, the bass motion asked for."
    )
    overall: float = Field(description="0.4 chord_melody_fit + 0.3 style_adherence + 0.3 voice_leading.")


class Harmonization(ToolOutput):
    rank: int
    idea: str = Field(examples=["circle of fifths", "pedal on D"])
    positions: list[str] = Field(description="Where each chord begins, 'measure:beat'; a pickup is measure 0.")
    chords: list[str] = Field(examples=[["Cmaj7", "Am7", "Dm7", "G7/B"]])
    roman_numerals: list[str] = Field(examples=[["Imaj7", "vi7", "ii7", "V65"]])
    functions: list[str] = Field(description="T tonic, S subdominant, D dominant.")
    substitutions: list[str] = Field(description="Chords that replace another: 'measure 3: Db7, tritone'.")
    scores: HarmonyScores
    score_id: str | None = None
    musicxml: str | None = None


class Reharmonized(ToolOutput):
    detected_key: str
    harmonizations: list[Harmonization]
