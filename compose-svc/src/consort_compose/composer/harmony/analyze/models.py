"""Input and output of `analyze_harmony`. An assistant reads every description here."""

from typing import ClassVar

from pydantic import Field

from consort_compose.composer.fields import MUSIC, MUSIC_ALIASES, InputFormat, MusicText
from consort_compose.composer.harmony.analyze.cadences import CadenceKind
from consort_compose.composer.harmony.degree_chords import HarmonicFunction
from consort_compose.composer.harmony.melody_grid import ChordRhythm
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.fields import KeyField


class AnalyzeHarmony(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "music")

    music: MusicText = Field(description=MUSIC)
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    chord_rhythm: ChordRhythm = Field("per_beat", description="How often the chord may change.")
    key: KeyField | None = Field(None, description="D minor… Default: found, as it changes.")
    species: int | None = Field(None, ge=1, le=5, description="Mark two voices as counterpoint of this species.")
    include_chords: bool | None = Field(None, description="Name the chords. Default: true, with species false.")


class AnalyzedChord(ToolOutput):
    measure: int
    beat: float
    beats: float = Field(description="Its length in quarter notes.")
    chord: str
    roman_numeral: str = Field(examples=["V65", "viio7/V", "G: I6"])
    function: HarmonicFunction


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
    implied: bool | None = Field(None, description="True for a melody alone: the chords are only likely ones.")
    chords: list[AnalyzedChord] | None = None
    cadences: list[AnalyzedCadence] | None = None
    cantus: str | None = Field(None, description="With species: the part taken as cantus firmus.")
    faults: list[SpeciesFault] | None = Field(
        None, description="With species: what breaks its rules, in order of time; empty if nothing does."
    )
    part_writing: list[str] | None = Field(
        None,
        description="For two to four single lines: the faults between them, with their places (measure:beat).",
        examples=[["parallel fifths, soprano and bass: 3:1, 4:1"]],
    )
