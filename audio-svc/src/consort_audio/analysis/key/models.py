"""The input and the answer of detect_key."""

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput


class DetectKey(ListeningInput):
    pass


class PossibleKey(ToolOutput):
    key: str
    confidence: float


class HeardKeyChange(ToolOutput):
    time: float = Field(description="Seconds.")
    from_key: str = Field(description="The key before.")
    key: str = Field(description="The key from here on.")
    bar: int | None = None


class KeyAnswer(ToolOutput):
    key: str | None = Field(
        None, description="Such as C major; left out if nothing with a pitch sounds. If it changes, the main key."
    )
    confidence: float = Field(description="The probability that tonic and mode are right.")
    mode: str | None = Field(None, description="major or minor.")
    tonic: str | None = None
    alternatives: list[PossibleKey] = Field(description="The next likely keys.")
    key_changes: list[HeardKeyChange] = Field(description="Clear changes of key after the start.")
    tuning_cents: float = Field(description="Above A4 = 440 Hz.")
    method: str
    reference: str = Field(description="What good looks like.")
