"""The input and the answer of detect_articulation."""

from typing import Literal

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput

ArticulationName = Literal["legato", "detached", "staccato"]


class DetectArticulation(ListeningInput):
    include_notes: bool = Field(False, description="Also list every note.")


class HeardAccent(ToolOutput):
    time: float = Field(description="Seconds.")
    intensity: float = Field(description="0 to 1: how much louder than the notes around.")
    bar: int | None = None
    beat: float | None = Field(None, description="In its bar, from 1.")


class ArticulatedNote(ToolOutput):
    time: float = Field(description="Seconds.")
    pitch: str
    articulation: ArticulationName
    held: float = Field(description="Share of the time to the next note, 0 to 1.")
    confidence: float


class ArticulationAnswer(ToolOutput):
    articulation_types: list[ArticulationName] = Field(description="With a tenth of the notes or more; most first.")
    legato_percentage: float = Field(description="Share of the notes, 0 to 1.")
    staccato_percentage: float = Field(description="Share of the notes, 0 to 1.")
    detached_percentage: float = Field(description="Neither; share of the notes, 0 to 1.")
    accents: list[HeardAccent]
    accent_count: int
    note_count: int
    confidence: float = Field(description="The mean probability that a note is called what it is.")
    notes: list[ArticulatedNote] | None = None
    method: str
    reference: str = Field(description="What good looks like.")
    warnings: list[str] | None = None
