"""Types of fields that several clip tools have.

The short schemas keep the tool listing small. Limits are stated in descriptions where a caller could meet them.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_kit.ids import id_pattern
from consort_kit.tools.models import lower_case
from consort_strudel.clips.tagging.vocabularies import ClipComplexity, ClipElement

MAX_CODE_BYTES = 32 * 1024

TAG_LISTS = ("genre", "feeling", "technique", "instrument")
"""Kinds of tags of which a clip may have several."""
TAG_WORDS = ("complexity", "element")
"""Kinds of tags of which a clip has one."""

_TEXT = WithJsonSchema({"type": "string"})
ClipId = Annotated[str, Field(pattern=id_pattern("clip"))]
ClipName = Annotated[str, Field(min_length=1, max_length=120), _TEXT]
ClipText = Annotated[str, Field(max_length=2000), _TEXT]
ClipWord = Annotated[str, Field(max_length=100), _TEXT]
WishText = Annotated[str, Field(min_length=1, max_length=500), _TEXT]
Bpm = Annotated[float, Field(ge=1, le=1000), WithJsonSchema({"type": "number"})]
TempoRange = Annotated[
    list[Bpm], Field(min_length=2, max_length=2), WithJsonSchema({"type": "array", "items": {"type": "number"}})
]
AnyData = Annotated[dict[str, Any], WithJsonSchema({"type": "object"})]
ClipsOnPage = Annotated[int, Field(ge=1, le=100), WithJsonSchema({"type": "integer"})]
ChosenComplexity = Annotated[ClipComplexity, BeforeValidator(lower_case)]
ChosenElement = Annotated[ClipElement, BeforeValidator(lower_case)]
