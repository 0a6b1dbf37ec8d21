"""What identify_pattern is asked, and what it answers."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, WithJsonSchema

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_strudel.clips.models.fields import MAX_CODE_BYTES

PatternCode = Annotated[str, Field(max_length=MAX_CODE_BYTES), WithJsonSchema({"type": "string"})]
LabelCount = Annotated[int, Field(ge=1, le=20), WithJsonSchema({"type": "integer"})]


class IdentifyPattern(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"code": "code_snippet", "script_content": "code_snippet", "limit": "top_k"}

    code_snippet: PatternCode = Field(description="Code, also an end of a chain.")
    top_k: LabelCount = Field(5, description="1 to 20.")


class IdentifiedPattern(ToolOutput):
    concept: str
    description: str
    similarity_score: float = Field(description="1: the same code; below 0.3 a guess.")
    tags: list[str]
    source: Literal["clip", "vocab"]
    source_id: str = Field(description="For query_vocab or get_clip.")
    part: str | None = Field(None, description="The piece of the code that it is about, if not all of it.")


class IdentifiedPatterns(ToolOutput):
    identified_patterns: list[IdentifiedPattern]
    unknown_parts: list[str] | None = None
    message: str | None = None
