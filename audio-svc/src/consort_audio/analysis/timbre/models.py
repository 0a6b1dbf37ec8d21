"""The input and the answer of analyze_timbre."""

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class AnalyzeTimbre(ListeningInput):
    pass


class TimbreAnswer(ToolOutput):
    brightness: float | None = Field(None, description="0 dark to 1 bright; left out if silent, as all others.")
    warmth: float | None = Field(None, description="0 to 1: the share of the tone below 1 kHz.")
    attack_time: float | None = Field(None, description="Seconds in which notes reach their level, if any begins.")
    spectral_centroid: float | None = Field(None, description="Hz.")
    harmonic_ratio: float | None = Field(None, description="0 noise to 1 pure tones.")
    description: str = Field(description="The tone in words.")
    confidence: float = Field(description="0 to 1: low if little sounds.")
    method: str
    reference: str = Field(description="What good looks like.")
