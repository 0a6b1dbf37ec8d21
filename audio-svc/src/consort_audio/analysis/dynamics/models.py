"""The input and the answer of analyze_dynamics."""

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class AnalyzeDynamics(ListeningInput):
    pass


class LoudPeak(ToolOutput):
    time: float = Field(description="Seconds.")
    amplitude: float = Field(description="dB below full scale.")
    bar: int | None = None
    beat: float | None = None


class LoudnessChange(ToolOutput):
    kind: str = Field(description="crescendo or diminuendo.")
    start: float = Field(description="Seconds.")
    end: float
    change_db: float
    bar: int | None = None


class DynamicsProblem(ToolOutput):
    kind: str = Field(description="clipping.")
    start: float = Field(description="Seconds.")
    end: float
    severity: str = Field(description="minor, moderate or major.")


class DynamicsAnswer(ToolOutput):
    average_loudness: float | None = Field(None, description="LUFS (BS.1770); left out if silent.")
    dynamic_range: float = Field(description="dB between loud and soft passages.")
    peaks: list[LoudPeak] = Field(description="The loudest moments, at most 10.")
    is_consistent: bool = Field(description="Whether dynamic_range is below 6 dB.")
    changes: list[LoudnessChange] = Field(description="Crescendos and diminuendos.")
    problems: list[DynamicsProblem]
    confidence: float = Field(description="0 to 1: low if little sounds.")
    method: str
    reference: str = Field(description="What good looks like.")
