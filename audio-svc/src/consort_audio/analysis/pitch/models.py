"""The input and the answer of detect_pitch."""

from typing import ClassVar, Literal

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class DetectPitch(ListeningInput):
    aliases: ClassVar[dict[str, str]] = {**ListeningInput.aliases, "start": "start_time", "end": "end_time"}
    units: ClassVar[dict[str, str]] = dict.fromkeys(("start_time", "end_time"), "seconds")

    start_time: float = Field(0, ge=0, description="Only notes from here on, in seconds.")
    end_time: float | None = Field(None, gt=0, description="Only notes before this.", examples=[30.0])
    include_notes: bool = Field(False, description="All notes, not only the first 40.")
    include_contour: bool = Field(False, description="The pitch every 16 ms.")


class DetectedNote(ToolOutput):
    time: float = Field(description="Seconds.")
    duration: float = Field(description="Seconds.")
    pitch: str = Field(description="In the recording's own tuning.", examples=["C4"])
    frequency: float = Field(description="Hz.")
    confidence: float = Field(description="The probability that this note was played here.")
    cents: int = Field(description="Above the pitch, in the recording's own tuning.")
    bar: int | None = None
    beat: float | None = Field(None, description="In its bar, from 1.")


class IntonationProblem(ToolOutput):
    time: float = Field(description="Seconds.")
    pitch: str
    kind: Literal["sharp", "flat"]
    cents: int = Field(description="Negative: flat.")
    severity: Literal["minor", "moderate", "major"]
    bar: int | None = None
    beat: float | None = None


class ContourPoint(ToolOutput):
    time: float = Field(description="Seconds.")
    frequency: float = Field(description="Hz; 0: no note.")


class PitchAnswer(ToolOutput):
    notes: list[DetectedNote]
    note_count: int = Field(description="Of the whole range; notes may have only the first.")
    confidence: float = Field(description="The mean of the notes' confidences, by duration; 0 without notes.")
    intonation_accuracy: float | None = Field(None, description="0 to 1; left out without notes.")
    pitch_stability: float | None = Field(None, description="0 to 1; vibrato does not count. Needs long notes.")
    detected_key: str | None = None
    key_confidence: float
    tuning_cents: float | None = Field(
        None, description="Of the recording (its start, if it drifts), above A4 = 440 Hz."
    )
    a4_frequency: float | None = Field(None, description="The recording's A4 in Hz.")
    tuning_drift_cents: float | None = Field(None, description="Rise from start to end; left out if it stays.")
    lowest: str | None = None
    highest: str | None = None
    problems: list[IntonationProblem] = Field(description="Sharp and flat notes, the worst first.")
    problem_count: int
    several_notes_at_once: float | None = Field(None, description="Share of the time, 0 to 1; left out if not known.")
    contour: list[ContourPoint] | None = None
    method: str
    reference: str = Field(description="What good looks like.")
    warnings: list[str] | None = None
