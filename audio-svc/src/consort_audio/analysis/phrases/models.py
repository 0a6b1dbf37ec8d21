"""The input and the answer of segment_phrases."""

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput

MOST_PHRASES = 100


class SegmentPhrases(ListeningInput):
    pass


class HeardPhrase(ToolOutput):
    start: float = Field(description="Seconds.")
    end: float
    type: str = Field(description="melodic, or rhythmic if it has no pitch.")
    confidence: float = Field(description="The probability that a phrase begins there.")
    bar: int | None = None


class PhrasesAnswer(ToolOutput):
    phrases: list[HeardPhrase] = Field(description=f"The first {MOST_PHRASES}.")
    phrase_count: int
    average_length: float | None = Field(None, description="Seconds.")
    confidence: float
    method: str
    reference: str = Field(description="What good looks like.")
