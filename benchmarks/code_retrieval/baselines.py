"""What our vectors are compared with: plain MiniLM and BM25, both over code as text."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np

from benchmarks.code_retrieval.exemplars import Labelled, Rank, best_labels
from consort_strudel.similarity.embedder import Embedder

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[^\s\w]")
_SATURATION, _LENGTH_SHARE = 1.2, 0.75


async def by_sentences(embedder: Embedder, exemplars: Sequence[Labelled]) -> Rank:
    """Return a ranking by the sentence vectors of the texts as they are."""
    vectors = np.array([await embedder.meaning_of(each.code) for each in exemplars])

    async def rank(text: str) -> list[str]:
        return best_labels(exemplars, vectors @ np.array(await embedder.meaning_of(text)))

    return rank


def by_bm25(exemplars: Sequence[Labelled]) -> Rank:
    """Return a ranking by the tokens that two texts share (Robertson and Zaragoza 2009)."""
    counts = [_tokens(each.code) for each in exemplars]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / len(lengths)
    norms = [_SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length / mean) for length in lengths]
    frequency = Counter(token for count in counts for token in count)
    rarity = {token: log(1 + (len(counts) - found + 0.5) / (found + 0.5)) for token, found in frequency.items()}

    async def rank(text: str) -> list[str]:
        wanted = _tokens(text).keys() & rarity.keys()
        scores = [
            sum(rarity[token] * count[token] * (_SATURATION + 1) / (count[token] + norm) for token in wanted)
            for count, norm in zip(counts, norms, strict=True)
        ]
        return best_labels(exemplars, np.array(scores))

    return rank


def _tokens(text: str) -> Counter[str]:
    return Counter(token.lower() for token in _TOKEN.findall(text))
