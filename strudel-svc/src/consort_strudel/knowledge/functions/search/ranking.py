"""Rank functions by how well their texts fit a request (BM25F: one score over weighted fields)."""

from collections import Counter
from collections.abc import Iterable
from math import log

from consort_strudel.knowledge.functions.entry import FunctionEntry
from consort_strudel.knowledge.functions.search.stemming import terms
from consort_strudel.knowledge.functions.search.synonyms import synonyms

_NAME, _WORDS, _DESCRIPTION, _PARAMETERS = 3.0, 2.5, 1.5, 0.5
_SATURATION = 1.2
_LENGTH_SHARE = 0.6
_SYNONYM_WEIGHT = 0.4
_LESS_LIKELY = {"internals": 0.5, "other_engines": 0.4, "studio": 0.9, "devices": 0.7}
"""Categories that are seldom meant."""


class FunctionSearch:
    def __init__(self, entries: Iterable[FunctionEntry]) -> None:
        self._entries = tuple(entries)
        self._counts = [_weighted_terms(entry) for entry in self._entries]
        lengths = [sum(count.values()) for count in self._counts]
        mean = sum(lengths) / len(lengths)
        self._norms = [1 - _LENGTH_SHARE + _LENGTH_SHARE * length / mean for length in lengths]
        frequency = Counter(term for count in self._counts for term in count)
        total = len(self._entries)
        self._rarity = {term: log(1 + (total - count + 0.5) / (count + 0.5)) for term, count in frequency.items()}

    def knows(self, request: str) -> bool:
        """Return whether a word of the request is in any text."""
        return any(term in self._rarity for term in terms(request))

    def best(self, request: str, count: int = 5) -> list[tuple[FunctionEntry, float]]:
        """Return the functions that fit best, with their scores, the best first."""
        wanted = _with_synonyms(terms(request))
        found = [
            (score, -place)
            for place, (counts, norm) in enumerate(zip(self._counts, self._norms, strict=True))
            if (score := self._score(wanted, counts, norm) * _LESS_LIKELY.get(self._entries[place].category, 1)) > 0
        ]
        return [(self._entries[-place], score) for score, place in sorted(found, reverse=True)[:count]]

    def _score(self, wanted: dict[str, float], counts: Counter[str], norm: float) -> float:
        score = 0.0
        for term, weight in wanted.items():
            if count := counts.get(term, 0) / norm:
                score += weight * self._rarity[term] * count / (count + _SATURATION)
        return score


def _weighted_terms(entry: FunctionEntry) -> Counter[str]:
    counts: Counter[str] = Counter()
    fields = (
        (_NAME, entry.name),
        (_WORDS, entry.words),
        (_DESCRIPTION, entry.description),
        (_PARAMETERS, " ".join(f"{each.name} {each.about}" for each in entry.parameters)),
    )
    for weight, text in fields:
        for term in terms(text):
            counts[term] += weight  # type: ignore[assignment]
    return counts


def _with_synonyms(stems: list[str]) -> dict[str, float]:
    wanted = dict.fromkeys(stems, 1.0)
    for stem in stems:
        for other in synonyms(stem):
            wanted.setdefault(other, _SYNONYM_WEIGHT)
    return wanted
