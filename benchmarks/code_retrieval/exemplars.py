"""Find what a code stands for: the label of the most similar exemplar. The best of several exemplars counts."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from consort_strudel.engine import Engine
from consort_strudel.similarity.code.reading import read_snippets
from consort_strudel.similarity.embedder import Embedder

Rank = Callable[[str], Awaitable[list[str]]]
"""Return the labels for a code or text, best first, each once."""


class Labelled(NamedTuple):
    label: str
    code: str


class Question(NamedTuple):
    asked: str
    """Code or words."""
    right: frozenset[str]


class Recall(NamedTuple):
    at_1: float
    at_5: float
    items: int


async def recall(questions: Sequence[Question], rank: Rank) -> Recall:
    """Return the share of questions whose right answer comes first, and is among the first five."""
    found = [(await rank(question.asked), question.right) for question in questions]
    shares = [sum(not right.isdisjoint(labels[:most]) for labels, right in found) / len(found) for most in (1, 5)]
    return Recall(shares[0], shares[1], len(questions))


def best_labels(exemplars: Sequence[Labelled], scores: npt.NDArray[np.float64]) -> list[str]:
    """Return the labels by the best score of their exemplars."""
    return list(dict.fromkeys(exemplars[place].label for place in np.argsort(-scores, kind="stable")))


async def by_vectors(engine: Engine, embedder: Embedder, exemplars: Sequence[Labelled]) -> Rank:
    """Return a ranking by the vectors of the embedder."""
    snippets = await read_snippets(engine, [each.code for each in exemplars])
    kept = [(each, snippet) for each, snippet in zip(exemplars, snippets, strict=True) if snippet is not None]
    vectors = np.array([await embedder.vector_of_query(snippet) for _, snippet in kept])
    labelled = [each for each, _ in kept]

    async def rank(code: str) -> list[str]:
        (snippet,) = await read_snippets(engine, [code])
        if snippet is None:
            return []
        return best_labels(labelled, vectors @ np.array(await embedder.vector_of_query(snippet)))

    return rank
