"""Input and output of `find_scores`. An assistant reads every description here."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.errors import MusicError, quoted
from consort_music.fields import KeyField, MetreField
from consort_music.measure_ranges import parse_measure_range


def _bars(text: str) -> str:
    found = parse_measure_range(text)
    if found is None or found[1] < found[0]:
        message = f"'bars' is {quoted(text)}, and must be a number of bars or a range, such as 8-16."
        raise MusicError("INVALID_INPUT", message, ["8-16"])
    return text


class FindScores(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("title", "composer", "collection", "search"), "query"),
        **dict.fromkeys(("time_signature", "meter"), "metre"),
        **dict.fromkeys(("voices", "number_of_parts"), "parts"),
        "length": "bars",
    }

    query: str = Field("", max_length=200, description="Words of title, composer, collection.")
    key: KeyField | None = Field(None, description="A minor…")
    metre: MetreField | None = Field(None, description="6/8…")
    parts: int | None = Field(None, ge=1, le=100, description="How many.")
    bars: Annotated[str, AfterValidator(_bars)] | None = Field(None, description="8-16…")
    limit: int = Field(10, ge=1, le=100, description="At most this many.")


class FoundScore(ToolOutput):
    score: str = Field(examples=["corpus:bach/bwv66.6"])
    title: str | None = None
    composer: str | None = None
    key: str | None = None
    metre: str | None = None
    parts: int
    bars: int


class FoundScores(ToolOutput):
    items: list[FoundScore]
    total: int
    note: str | None = Field(None, description="What was not found.")
