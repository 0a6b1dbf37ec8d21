"""What goes into the harmony tools and what comes out. Every text here is read by an assistant."""

from typing import ClassVar

from pydantic import Field

from consort_compose.composer.fields import MUSIC, MUSIC_ALIASES, IncludeMusicXml, InputFormat, KeyName, MusicText, Seed
from consort_compose.composer.harmony.analysis import CadenceKind
from consort_compose.composer.harmony.chords import Function
from consort_compose.composer.harmony.line import ChordRhythm
from consort_compose.composer.harmony.realization import Texture
from consort_compose.composer.harmony.styles import BassMotion
from consort_compose.composer.harmony.vocabulary import Style
from consort_kit.models import ToolInput, ToolOutput


class Reharmonize(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "melody")

    melody: MusicText = Field(description=MUSIC + ". Of several parts the first.")
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    style: Style = Field(description="Chords and how they follow.")
    chord_rhythm: ChordRhythm = Field("per_measure", description="A chord each bar, beat, or half bar.")
    num_options: int = Field(3, ge=1, le=10, description="How many.")
    allow_extended: bool | None = Field(None, description="7ths, 9ths… Default: jazz only; classical has V7 at most.")
    bass_motion: BassMotion = Field("any", description="Bass by step, by fourths and fifths, or held on the tonic.")
    texture: Texture | None = Field(None, description="Default: satb (classical, modal), keyboard (jazz, pop).")
    key: KeyName | None = Field(None, description="D dorian… Default: the music's, or detected.")
    seed: Seed | None = Field(None, description="Default: the likeliest chords.")
    include_musicxml: IncludeMusicXml = False


class HarmonyScores(ToolOutput):
    """From 0 to 1."""

    voice_leading: float = Field(description="1 less the faults of its setting in four voices, for each eight bars.")
    chord_melody_fit: float = Field(description="Share of the melody's time that is in its chord (jazz: or a tension).")
    style_adherence: float = Field(
        description="Mean of: common successions, strong beats in the chord, the cadence, the bass motion asked for."
    )
    overall: float = Field(description="0.4 chord_melody_fit + 0.3 style_adherence + 0.3 voice_leading.")


class Harmonization(ToolOutput):
    rank: int
    chords: list[str] = Field(examples=[["Cmaj7", "Am7", "Dm7", "G7/B"]])
    roman_numerals: list[str] = Field(examples=[["Imaj7", "vi7", "ii7", "V65"]])
    functions: list[str] = Field(description="T tonic, S subdominant, D dominant.")
    substitutions: list[str] = Field(description="Where a chord stands for another: 'measure 3: Db7, tritone'.")
    scores: HarmonyScores
    score_id: str | None = None
    musicxml: str | None = None


class Reharmonized(ToolOutput):
    detected_key: str
    positions: list[str] = Field(description="Where each chord begins, 'measure:beat'; a pickup is measure 0.")
    harmonizations: list[Harmonization]


class AnalyzeHarmony(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "music")

    music: MusicText = Field(description=MUSIC)
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    chord_rhythm: ChordRhythm = Field("per_beat", description="How often the chord may change.")
    key: KeyName | None = Field(None, description="D minor… Default: the music's, or detected.")
    species: int | None = Field(None, ge=1, le=5, description="Mark two voices as strict counterpoint of this species.")
    include_chords: bool | None = Field(None, description="Name the chords. Default: true, with species false.")


class AnalyzedChord(ToolOutput):
    measure: int
    beat: float
    beats: float = Field(description="How long it lasts, in quarter notes.")
    chord: str
    roman_numeral: str = Field(examples=["V65", "viio7/V", "Ger+6"])
    function: Function


class AnalyzedCadence(ToolOutput):
    kind: CadenceKind
    measure: int
    beat: float
    roman_numerals: list[str]


class SpeciesFault(ToolOutput):
    measure: int
    beat: float
    kind: str = Field(examples=["parallel_fifths"])
    message: str


class HarmonyAnalysis(ToolOutput):
    key: str
    implied: bool | None = Field(None, description="True: a melody alone, so the chords are only likely ones.")
    chords: list[AnalyzedChord] | None = None
    cadences: list[AnalyzedCadence] | None = None
    cantus: str | None = Field(None, description="With species: the part taken as cantus firmus.")
    faults: list[SpeciesFault] | None = Field(
        None, description="With species: what breaks its rules, in order of time; empty is right."
    )
    part_writing: list[str] | None = Field(
        None,
        description="Of two to four single lines: the faults between them, with their places (measure:beat).",
        examples=[["parallel fifths, soprano and bass: 3:1, 4:1"]],
    )
