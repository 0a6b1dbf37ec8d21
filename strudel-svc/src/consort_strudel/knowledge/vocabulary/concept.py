"""A concept of the vocabulary: a musical idea or a word of feel, with code."""

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

Category = Literal[
    "rhythm",
    "melody",
    "harmony",
    "bass",
    "synthesis",
    "effects",
    "sampling",
    "transformation",
    "notation",
    "structure",
    "genre",
    "feel",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)

EarMeasure = Literal[
    "loudness",
    "brightness",
    "low_balance",
    "mid_balance",
    "high_balance",
    "width",
    "onset_density",
    "swing",
    "dynamic_range",
]
MEASURES: tuple[EarMeasure, ...] = get_args(EarMeasure)
"""What compare_strudel measures before and after a change."""

Language = Literal["en", "de", "ja", "es", "fr"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class OtherWay:
    """Another code for the same concept, and when to prefer it."""

    code: str
    when: str


@dataclass(frozen=True)
class Move:
    """What a word of feel changes for the ear."""

    measure: EarMeasure
    direction: Literal["up", "down"]


@dataclass(frozen=True)
class Concept:
    name: str
    category: Category
    description: str
    code: str
    """A fragment such as `.lpf(600)`, which can follow any pattern, or a whole pattern."""
    example: str
    """A whole pattern that plays."""
    other_ways: tuple[OtherWay, ...] = ()
    related: tuple[str, ...] = ()
    """Names of other concepts."""
    terms: dict[Language, tuple[str, ...]] = field(default_factory=dict)
    """Other words for it, by language."""
    moves: Move | None = None

    @property
    def id(self) -> str:
        return f"vocab_{_NOT_A_WORD.sub('_', self.name.lower()).strip('_')}"

    @property
    def is_fragment(self) -> bool:
        """Whether the code is the end of a chain."""
        return self.code.startswith(".")
