"""The input and the answer of analyze_tempo."""

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class AnalyzeTempo(ListeningInput):
    bpm_hint: float | None = Field(None, ge=40, le=230, description="Rough BPM: decides between half and double.")
    include_beats: bool = Field(False, description="Also every beat and downbeat.")


class TempoChange(ToolOutput):
    time: float = Field(description="Seconds. The first one is the start.")
    bpm: float
    bar: int | None = None


class TempoAnswer(ToolOutput):
    bpm: float | None = Field(None, description="Beats per minute. Left out if no beat is heard.")
    confidence: float = Field(description="The probability that bpm is right within 4%, 0 to 1.")
    is_steady: bool | None = None
    tempo_changes: list[TempoChange] = Field(description="Parts of constant tempo, 4% or more apart.")
    tempo_change_count: int | None = Field(None, description="If there are more than are listed.")
    bpm_alternatives: list[float] = Field(description="Other readings, such as half or double, likeliest first.")
    steadiness: float | None = Field(None, description="0 to 1: 1 is a machine, 0.9 a steady player.")
    beats_per_bar: int | None = None
    metre_confidence: float | None = None
    first_downbeat: float | None = Field(None, description="Seconds: where bar 1 begins.")
    beat_count: int
    beats: list[float] | None = Field(None, description="Seconds, if include_beats.")
    downbeats: list[float] | None = Field(None, description="Seconds, if include_beats.")
    method: str
    reference: str = Field(description="What good looks like.")
