"""The output of every composer tool: `{success, data, warnings}`, with the score's id and note list."""

from typing import Generic, Literal, TypeVar

from pydantic import Field

from consort_kit.tools.models import ToolOutput

Data = TypeVar("Data")


class ComposerWarning(ToolOutput):
    """Something that was not done as asked."""

    code: str = Field(examples=["CONSTRAINT_RELAXED"])
    message: str
    measure: int | None = Field(None, description="A pickup is measure 0.")


class ComposedNote(ToolOutput):
    pitch: str
    duration: str = Field(examples=["dotted quarter"])
    measure: int
    beat: float = Field(description="From 1, in beats of the metre.")
    part: str | None = Field(None, description="If there are several parts.")


class Passage(ToolOutput):
    """The music in the formats asked for."""

    note_list: str | None = None
    musicxml: str | None = None
    notes: list[ComposedNote] | None = None


class Composed(ToolOutput, Generic[Data]):
    success: Literal[True] = True
    data: Data
    warnings: list[ComposerWarning] = Field(default_factory=list)
    score_id: str | None = Field(None, description="The result, for other tools; kept for 30 days.")
    note_list: str | None = Field(None, description="The result as notes, which every composer tool reads.")
