"""Read the files of the vocabulary, once."""

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from consort_strudel.knowledge.vocabulary.concept import Concept, Move, OtherWay


@cache
def concepts() -> tuple[Concept, ...]:
    """Return all concepts, in the order of the names of their folders and files."""
    return tuple(
        _concept(row)
        for area in _in_order(files(__package__) / "concepts")
        for file in _in_order(area)
        for row in tomllib.loads(file.read_text("utf-8"))["concept"]
    )


def _in_order(folder: Traversable) -> list[Traversable]:
    return sorted(folder.iterdir(), key=lambda each: each.name)


def _concept(row: dict[str, Any]) -> Concept:
    return Concept(
        **{
            **row,
            "other_ways": tuple(OtherWay(**way) for way in row.get("other_ways", ())),
            "related": tuple(row.get("related", ())),
            "terms": {language: tuple(words) for language, words in row.get("terms", {}).items()},
            "moves": Move(**row["moves"]) if "moves" in row else None,
        }
    )
