"""Rank entries by how well their texts fit a request (BM25F: one score over weighted fields)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from consort_strudel.text_search.stemming import terms
from consort_strudel.text_search.synonyms import SynonymGroups

_SATURATION = 1.2
_SYNONYM_WEIGHT = 0.4


@dataclass(frozen=True)
class SearchedText:
    """A text of an entry, and how much its words count."""

    weight: float
    text: str


class TextRanking:
    def __init__(
        self, entries: Iterable[Sequence[SearchedText]], synonyms: SynonymGroups, length_share: float = 0.6
    ) -> None:
        """`length_share` says how much long texts are held back: 0 is not at all."""
        self._synonyms = synonyms
        self._counts = [_weighted_terms(texts) for texts in entries]
        lengths = [sum(count.values()) for count in self._counts]
        mean = sum(lengths) / len(lengths)
        self._norms = [1 - length_share + length_share * length / mean for length in lengths]
        frequency = Counter(term for count in self._counts for term in count)
        total = len(self._counts)
        self._rarity = {term: log(1 + (total - count + 0.5) / (count + 0.5)) for term, count in frequency.items()}

    def scores(self, request: str) -> list[float]:
        """Return the score of each entry, in their order. 0 means that no word fits."""
        wanted = self._with_synonyms(terms(request))
        return [self._score(wanted, counts, norm) for counts, norm in zip(self._counts, self._norms, strict=True)]

    def _score(self, wanted: dict[str, float], counts: dict[str, float], norm: float) -> float:
        score = 0.0
        for term, weight in wanted.items():
            if count := counts.get(term, 0.0) / norm:
                score += weight * self._rarity[term] * count / (count + _SATURATION)
        return score

    def _with_synonyms(self, stems: list[str]) -> dict[str, float]:
        wanted = dict.fromkeys(stems, 1.0)
        for stem in stems:
            for other in self._synonyms.of(stem):
                wanted.setdefault(other, _SYNONYM_WEIGHT)
        return wanted


def _weighted_terms(texts: Sequence[SearchedText]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for text in texts:
        for term in terms(text.text):
            counts[term] = counts.get(term, 0.0) + text.weight
    return counts
