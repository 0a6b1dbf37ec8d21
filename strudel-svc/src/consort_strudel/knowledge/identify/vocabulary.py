"""The code of all concepts as exemplars: their code, other ways and examples, and further ones written only for this.

`exemplars/CATEGORY.toml` has, for each concept, the different ways in which live coders write it.
"""

import asyncio
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from consort_strudel.engine import Engine
from consort_strudel.knowledge.identify.parts import parts_of
from consort_strudel.knowledge.identify.ranking import CodeExemplar, CodeIndex
from consort_strudel.knowledge.vocabulary import Concept, concepts
from consort_strudel.similarity.code.reading import read_snippets

_WEIGHT_OF_FEEL = 0.9
"""Words of feel come after the technique that has the same code: `.lpf(400)` is a low-pass filter first."""


@cache
def further_exemplars() -> dict[str, tuple[str, ...]]:
    """Return further code by the name of the concept."""
    folder = files(__package__) / "exemplars"
    found = [tomllib.loads(file.read_text("utf-8")) for file in folder.iterdir() if file.name.endswith(".toml")]
    return {name: tuple(code.strip() for code in codes) for content in found for name, codes in content.items()}


def codes_of(concept: Concept) -> tuple[str, ...]:
    """Return all code that is known for a concept."""
    ways = (way.code for way in concept.other_ways)
    return (concept.code, *ways, concept.example, *further_exemplars().get(concept.name, ()))


async def read_vocabulary(engine: Engine, known: Iterable[Concept] | None = None) -> CodeIndex:
    """Return an index of the code of concepts, by their ids. It takes some seconds: keep it."""
    rows = [(concept, code) for concept in (concepts() if known is None else known) for code in codes_of(concept)]
    snippets = await read_snippets(engine, [code for _, code in rows])

    def indexed() -> CodeIndex:
        return CodeIndex(
            CodeExemplar(concept.id, tuple(parts_of(snippet)), _WEIGHT_OF_FEEL if concept.category == "feel" else 1.0)
            for (concept, _), snippet in zip(rows, snippets, strict=True)
            if snippet is not None
        )

    return await asyncio.to_thread(indexed)  # other requests are served meanwhile
