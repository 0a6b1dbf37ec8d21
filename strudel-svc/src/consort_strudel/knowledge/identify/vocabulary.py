"""The code of all concepts as exemplars: their code, their other ways and their examples."""

import asyncio
from collections.abc import Iterable

from consort_strudel.engine import Engine
from consort_strudel.knowledge.identify.parts import parts_of
from consort_strudel.knowledge.identify.ranking import CodeExemplar, CodeIndex
from consort_strudel.knowledge.vocabulary import Concept, concepts
from consort_strudel.similarity.code.reading import read_snippets

_WEIGHT_OF_FEEL = 0.9
"""Words of feel come after the technique that has the same code: `.lpf(400)` is a low-pass filter first."""


async def read_vocabulary(engine: Engine, known: Iterable[Concept] | None = None) -> CodeIndex:
    """Return an index of the code of concepts, by their ids. It takes a few seconds: keep it."""
    rows = [
        (concept, code)
        for concept in (concepts() if known is None else known)
        for code in (concept.code, *(way.code for way in concept.other_ways), concept.example)
    ]
    snippets = await read_snippets(engine, [code for _, code in rows])

    def indexed() -> CodeIndex:
        return CodeIndex(
            CodeExemplar(concept.id, tuple(parts_of(snippet)), _WEIGHT_OF_FEEL if concept.category == "feel" else 1.0)
            for (concept, _), snippet in zip(rows, snippets, strict=True)
            if snippet is not None
        )

    return await asyncio.to_thread(indexed)  # other requests are served meanwhile
