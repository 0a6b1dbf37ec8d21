"""The input and the answer of the route `/measures`."""

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class MeasureSound(ListeningInput):
    music_s: float = Field(gt=0, le=1800, description="Seconds of music from the start; the rest is its tail.")
    beat_s: float = Field(gt=0, le=60, description="Seconds of a beat; the first one is at the start.")


class SoundMeasuresAnswer(ToolOutput):
    measures: dict[str, float] = Field(description="By name, as docs/listening.md says; empty if silent.")
