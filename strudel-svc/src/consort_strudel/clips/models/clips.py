"""A clip, and the tools that read, save, change and delete one."""

from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import Field, WithJsonSchema

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_strudel.clips.models.fields import (
    AnyData,
    ChosenComplexity,
    ChosenElement,
    ClipId,
    ClipName,
    ClipText,
    ClipWord,
    TempoRange,
)
from consort_strudel.clips.tagging.vocabularies import ClipComplexity, ClipElement
from consort_strudel.projects.models.fields import Code, Tags
from consort_strudel.validation.verdict import ScriptWarning


# Models inside an input have no docstring: it would be sent with every tool listing.
class GivenTags(ToolInput):
    genre: Tags | None = Field(None, description="Such as techno.")
    feeling: Tags | None = Field(None, description="Such as dark.")
    technique: Tags | None = Field(None, description="Such as swing.")
    instrument: Tags | None = Field(None, description="Such as kick.")
    complexity: ChosenComplexity | None = Field(None, description="How hard it is to read.")
    element: ChosenElement | None = Field(None, description="Role in a song.")


class GivenMetadata(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"tempo": "tempo_range", "packs": "requires_packs"}

    tempo_range: TempoRange | None = Field(None, description="[from, to] BPM.")
    key: ClipWord | None = Field(None, description="Such as C minor.")
    requires_packs: Tags | None = Field(None, description="Such as github:user/repo.")
    author: ClipWord | None = Field(None, description="Who wrote it.")


_OBJECT = WithJsonSchema({"type": "object"})
"""A short schema, for objects that a description lists."""
ShortTags = Annotated[GivenTags, _OBJECT]
ShortMetadata = Annotated[GivenMetadata, _OBJECT]


class ClipUpdates(ToolInput):
    name: ClipName | None = Field(None, description="A short name.")
    description: ClipText | None = Field(None, description="What it sounds like.")
    code: Code | None = Field(None, description="Code, or .chain().")
    tags: ShortTags | None = Field(
        None,
        description="Lists genre, feeling, technique, instrument; complexity (beginner, intermediate, advanced);"
        " element (rhythm, melody, harmony, bass, texture, fx).",
    )
    metadata: ShortMetadata | None = Field(
        None, description="tempo_range [from, to] in BPM, key, requires_packs, author."
    )
    data: AnyData | None = Field(None, description="Anything.")


class ClipData(ClipUpdates):
    name: ClipName = Field(description="A short name.")
    code: Code = Field(description="Code, or .chain().")


GivenUpdates = Annotated[ClipUpdates, _OBJECT]
"""With a short schema: save_clip lists the fields."""


class ClipRequest(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"id": "clip_id"}

    clip_id: ClipId = Field(description="From search_clips.")


class GetClip(ClipRequest):
    include_embedding: bool = Field(False, description="768 numbers.")


class SaveClip(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"clip": "clip_data"}

    clip_data: ClipData = Field(description="The clip.")
    auto_generate_tags: bool = Field(False, description="Fill in missing tags from the code.")


class UpdateClip(ClipRequest):
    updates: GivenUpdates = Field(description='What changes, as clip_data of save_clip; "" or [] removes.')
    merge_data: bool = Field(True, description="false: replace data.")


class DeleteClip(ClipRequest):
    confirm: bool = Field(False, description="Must be true; ask the user first.")


class ClipTags(ToolOutput):
    genre: list[str]
    feeling: list[str]
    technique: list[str]
    instrument: list[str]
    complexity: ClipComplexity | None = None
    element: ClipElement | None = None


class ClipMetadata(ToolOutput):
    tempo_range: list[float] | None = Field(None, description="From, to, in BPM.")
    key: str | None = None
    requires_packs: list[str]
    created: datetime
    author: str | None = None


class Clip(ToolOutput):
    id: str
    name: str
    description: str
    code: str
    tags: ClipTags
    metadata: ClipMetadata
    data: AnyData


class FoundClip(Clip):
    relevance_score: float | None = Field(None, description="0 to 1, if ranked by text.")


class WholeClip(Clip):
    embedding: list[float] | None = None
    model_id: str | None = Field(None, description="What made the embedding.")


class ClipSaved(ToolOutput):
    success: bool = True
    clip_id: str
    message: str
    suggested_tags: ClipTags | None = Field(None, description="What the code says; missing tags were filled in.")
    warnings: list[ScriptWarning] | None = None


class ClipUpdated(ToolOutput):
    success: bool = True
    message: str
    warnings: list[ScriptWarning] | None = None


class ClipDeleted(ToolOutput):
    success: bool = True
    message: str
