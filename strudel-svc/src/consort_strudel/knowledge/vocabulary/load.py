"""Read the files of the vocabulary, once."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from consort_strudel.knowledge.vocabulary.concept import Concept, Move, OtherWay


@cache
def concepts() -> tuple[Concept, ...]:
    """Return all concepts, in the order of the names of their files."""
    folder = files(__package__) / "concepts"
    areas = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(_concept(row) for file in areas for row in tomllib.loads(file.read_text("utf-8"))["concept"])


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
