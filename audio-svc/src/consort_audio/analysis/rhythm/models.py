"""The input and the answer of analyze_rhythm."""

from typing import Literal

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class AnalyzeRhythm(ListeningInput):
    bpm_hint: float | None = Field(None, ge=40, le=230, description="Rough BPM: decides what is a beat.")
    include_onsets: bool = Field(False, description="All onsets, also of long files.")


class HeardOnset(ToolOutput):
    time: float = Field(description="Seconds.")
    confidence: float = Field(description="0 to 1.")
    attack: Literal["sharp", "soft"]
    bar: int | None = Field(None, description="Left out if bars are a guess.")
    beat: float | None = Field(None, description="On the grid, in its bar, from 1.")


class BeatDeviation(ToolOutput):
    time: float = Field(description="Seconds.")
    deviation_ms: int = Field(description="Negative: early.")
    severity: Literal["minor", "moderate", "major"]
    bar: int | None = None
    beat: float | None = Field(None, description="In its bar, from 1; 2.5 is between 2 and 3.")


class RhythmAnswer(ToolOutput):
    onsets: list[HeardOnset]
    onset_count: int
    confidence: float = Field(description="The probability that the beat, on which all else rests, is right.")
    timing_accuracy: float | None = Field(None, description="0 to 1. Left out if no beat is heard.")
    rhythmic_pattern: str | None = Field(None, description="Note values; a beat is a quarter.")
    pattern_repeats: int | None = Field(None, description="How often the pattern is played in a row.")
    is_on_beat: bool | None = None
    beat_deviations: list[BeatDeviation] = Field(description="Notes off the player's own beat, the worst first.")
    beat_deviation_count: int
    mean_deviation_ms: float | None = Field(None, description="Negative: ahead of the beat.")
    bpm: float | None = None
    method: str
    reference: str = Field(description="What good looks like.")
