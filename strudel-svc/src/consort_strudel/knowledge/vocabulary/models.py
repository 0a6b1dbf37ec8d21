"""What query_vocab is asked, and what it answers."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_strudel.knowledge.vocabulary.concept import Category, Concept

MOST_MATCHES = 50
MatchesOnPage = Annotated[int, Field(ge=1, le=MOST_MATCHES), WithJsonSchema({"type": "integer"})]


class QueryVocab(ToolInput):
    concept: Annotated[str, Field(max_length=200)] = Field(
        "", description='What is meant, in words: "darker", "swing", "más espacio". A|B searches for both.'
    )
    category: Category | None = Field(None, description="Only this one.")
    limit: MatchesOnPage = Field(10, description="1 to 50.")
    offset: int = Field(0, ge=0, le=10_000, description="How many to skip.")


class VocabWay(ToolOutput):
    code: str
    when: str


class VocabMove(ToolOutput):
    measure: str
    direction: str


class VocabMatch(ToolOutput):
    concept: str
    strudel_code: str
    description: str
    example: str
    category: Category
    related_concepts: list[str]
    other_ways: list[VocabWay] | None = None
    moves: VocabMove | None = None
    """What compare_strudel will measure."""

    @classmethod
    def of(cls, concept: Concept) -> "VocabMatch":
        return cls(
            concept=concept.name,
            strudel_code=concept.code,
            description=concept.description,
            example=concept.example,
            category=concept.category,
            related_concepts=list(concept.related),
            other_ways=[VocabWay(code=way.code, when=way.when) for way in concept.other_ways] or None,
            moves=VocabMove(measure=concept.moves.measure, direction=concept.moves.direction)
            if concept.moves
            else None,
        )


class VocabMatches(ToolOutput):
    matches: list[VocabMatch]
    total_count: int
    message: str | None = None
