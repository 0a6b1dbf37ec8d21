"""The tools that find clips: search_clips and find_similar_clips."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_strudel.clips.models.clips import ClipTags, FoundClip
from consort_strudel.clips.models.fields import Bpm, ClipsOnPage, ClipWord, WishText
from consort_strudel.projects.models.fields import Code, Offset, SearchPattern, Tags


# Models inside an input have no docstring: it would be sent with every tool listing.
class ClipQuery(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        "query": "text",
        "name": "name_pattern",
        "description": "description_pattern",
        "code": "code_pattern",
        "packs": "requires_packs",
    }

    text: WishText | None = Field(None, description="A wish in English: ranks by meaning.")
    genre: SearchPattern | None = Field(None, description="Regex on tags, any case.")
    feeling: SearchPattern | None = Field(None, description="Regex.")
    technique: SearchPattern | None = Field(None, description="Regex.")
    instrument: SearchPattern | None = Field(None, description="Regex.")
    complexity: SearchPattern | None = Field(None, description="beginner|intermediate|advanced.")
    element: SearchPattern | None = Field(None, description="rhythm|melody|harmony|bass|texture|fx.")
    name_pattern: SearchPattern | None = Field(None, description="Regex.")
    description_pattern: SearchPattern | None = Field(None, description="Regex.")
    code_pattern: SearchPattern | None = Field(None, description="Regex.")
    tempo_min: Bpm | None = Field(None, description="BPM.")
    tempo_max: Bpm | None = Field(None, description="BPM.")
    key: ClipWord | None = Field(None, description="Such as A minor.")
    requires_packs: Tags | None = Field(None, description="All of these.")


def _as_query(value: Any) -> Any:
    """Return a query. A text alone is what is wanted."""
    return {"text": value} if isinstance(value, str) else value


GivenQuery = Annotated[ClipQuery, BeforeValidator(_as_query)]
GivenFilters = Annotated[GivenQuery, WithJsonSchema({"type": "object"})]
"""The same, with a short schema: search_clips lists the fields."""


class SearchClips(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"filters": "query"}

    query: GivenQuery = Field(
        default_factory=ClipQuery, description="All must be met.", json_schema_extra={"type": ["object", "string"]}
    )
    limit: ClipsOnPage = Field(20, description="1 to 100.")
    offset: Offset = Field(0, description="How many to skip.")


class ClipList(ToolOutput):
    clips: list[FoundClip]
    total_count: int = Field(description="Clips that meet the filters.")
    warnings: list[str] | None = None


class FindSimilarClips(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"code": "code_snippet", "query": "filters", "limit": "top_k"}

    code_snippet: Code = Field(description="Code, or .chain().")
    top_k: ClipsOnPage = Field(10, description="1 to 100.")
    filters: GivenFilters = Field(default_factory=ClipQuery, description="As query of search_clips, without text.")


class SimilarClip(ToolOutput):
    clip_id: str
    name: str
    code: str
    similarity_score: float = Field(description="0 to 1; below 0.5 only loosely alike.")
    tags: ClipTags
    description: str


class SimilarClips(ToolOutput):
    similar_clips: list[SimilarClip]
    warnings: list[str] | None = None
