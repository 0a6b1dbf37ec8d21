"""The input and the answer of analyze_audio."""

from typing import Any

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class AnalyzeAudio(ListeningInput):
    include_details: bool = Field(False, description="Also the full answers.")


class AudioSummary(ToolOutput):
    summary: str = Field(description="What was played, and how well, in words.")
    duration: float = Field(description="Seconds.")
    bpm: float | None = None
    is_steady: bool | None = None
    key: str | None = Field(None, description="Such as C major; if several notes sound at once: see detect_key.")
    note_count: int | None = Field(None, description="Of the clearest voice; left out if chords leave none.")
    scores: dict[str, float] = Field(description="intonation_accuracy, pitch_stability, timing_accuracy: 0 to 1.")
    confidence: dict[str, float] = Field(description="How sure each tool is, 0 to 1.")
    problems: list[dict[str, Any]] | None = Field(None, description="The worst spots, worst first.")
    method: dict[str, str] = Field(description="By tool.")
    reference: str = Field(description="What good looks like.")
    analyses: dict[str, Any] | None = Field(None, description="By tool, if include_details.")
