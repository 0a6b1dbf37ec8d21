"""What query_packs is asked, and what it answers."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_strudel.packs.known_packs import PACK_CHARACTERS, PACK_TYPES
from consort_strudel.projects.models.fields import Offset, SearchPattern

_TEXT = WithJsonSchema({"type": "string"})
PackWish = Annotated[str, Field(min_length=1, max_length=300), _TEXT]
PackWord = Annotated[str, Field(min_length=1, max_length=100), _TEXT]
PacksOnPage = Annotated[int, Field(ge=1, le=100), WithJsonSchema({"type": "integer"})]


# Models inside an input have no docstring: it would be sent with every tool listing.
class PackQuery(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"name": "name_pattern", "query": "text", "tag": "tags", "license": "licensed"}

    text: PackWish | None = Field(None, description="A wish in English or a sound: ranks.")
    name_pattern: SearchPattern | None = Field(None, description="Regex on name, owner/repo.")
    tags: SearchPattern | None = Field(None, description="Regex.")
    type: PackWord | None = Field(None, description=f"{'|'.join(PACK_TYPES)}.")
    character: PackWord | None = Field(None, description=f"{'|'.join(PACK_CHARACTERS)}.")
    licensed: bool | None = Field(None, description="A licence is stated.")


def _as_query(value: Any) -> Any:
    """Return a query. A text alone is a wish."""
    return {"text": value} if isinstance(value, str) else value


class QueryPacks(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"filters": "query"}

    query: Annotated[PackQuery, BeforeValidator(_as_query)] = Field(
        default_factory=PackQuery, description="All must be met.", json_schema_extra={"type": ["object", "string"]}
    )
    limit: PacksOnPage = Field(20, description="1 to 100.")
    offset: Offset = Field(0, description="How many to skip.")
    all_categories: bool = Field(False, description="List all, not 12.")


class FoundPack(ToolOutput):
    name: str
    github: str
    description: str
    types: list[str]
    character: list[str]
    tags: list[str]
    categories: list[str] = Field(description="Names of its sounds.")
    sample_counts: list[int] = Field(description="How many samples each listed category has, in the same order.")
    category_count: int
    sample_count: int
    license: str | None = Field(None, description="Left out: none is stated, so all rights are reserved.")
    loading_syntax: str
    fetched: bool = Field(description="Whether `consort sounds fetch` has put it on this machine.")
    offline: str = Field(description="What of it can be heard without the network.")
    data: dict[str, Any] = Field(description="Branch, commit and date of the facts, pitched categories, origin.")


class FoundPacks(ToolOutput):
    packs: list[FoundPack]
    total_count: int
    message: str | None = None
