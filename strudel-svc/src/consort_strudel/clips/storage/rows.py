"""Rows of the tables of clips."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

COLUMNS = (
    "id, name, description, code, genre, feeling, technique, instrument, complexity, element, tempo_min, tempo_max,"
    " key, requires_packs, author, data, library_name, is_edited, created_at"
)


@dataclass(frozen=True)
class ClipRow:
    id: str
    name: str
    description: str
    code: str
    genre: list[str] = field(default_factory=list)
    feeling: list[str] = field(default_factory=list)
    technique: list[str] = field(default_factory=list)
    instrument: list[str] = field(default_factory=list)
    complexity: str | None = None
    element: str | None = None
    tempo_min: float | None = None
    tempo_max: float | None = None
    key: str | None = None
    requires_packs: list[str] = field(default_factory=list)
    author: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    library_name: str | None = None
    """Its name in the library; None for a clip of the user."""
    is_edited: bool = False
    """Whether the user changed a clip of the library."""
    created_at: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    """Set by the database."""

    @property
    def tag_text(self) -> str:
        """All tags as one text."""
        tags = [
            *self.genre,
            *self.feeling,
            *self.technique,
            *self.instrument,
            self.element or "",
            self.complexity or "",
        ]
        return ", ".join(filter(None, tags))

    @property
    def summary(self) -> str:
        """What is said about the clip, for the sentence model."""
        return f"{self.name}. {self.description} {self.tag_text}."


@dataclass(frozen=True)
class ClipVector:
    embedding: list[float]
    model_id: str


@dataclass(frozen=True)
class RankedClip:
    row: ClipRow
    similarity: float
    """The cosine, or 0 for a clip that was found by its words."""
    name_words: frozenset[str] = frozenset()
    """The stems of the words of its name and tags."""
    other_words: frozenset[str] = frozenset()
    """The stems of the words of its description and code."""
