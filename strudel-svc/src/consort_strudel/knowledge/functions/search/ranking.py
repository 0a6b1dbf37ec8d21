"""Rank functions by how well their names, words, descriptions and parameters fit a request."""

from collections.abc import Iterable

from consort_strudel.knowledge.functions.entry import FunctionEntry
from consort_strudel.knowledge.functions.search.synonyms import SYNONYMS
from consort_strudel.text_search import SearchedText, TextRanking

_NAME, _WORDS, _DESCRIPTION, _PARAMETERS = 3.0, 2.5, 1.5, 0.5
_LESS_LIKELY = {"internals": 0.5, "other_engines": 0.4, "studio": 0.9, "devices": 0.7}
"""Categories that are seldom meant."""


class FunctionSearch:
    def __init__(self, entries: Iterable[FunctionEntry]) -> None:
        self._entries = tuple(entries)
        self._ranking = TextRanking([_texts(entry) for entry in self._entries], SYNONYMS)

    def best(self, request: str, count: int = 5) -> list[tuple[FunctionEntry, float]]:
        """Return the functions that fit best, with their scores, the best first."""
        found = [
            (entry, weighted)
            for entry, score in zip(self._entries, self._ranking.scores(request), strict=True)
            if (weighted := score * _LESS_LIKELY.get(entry.category, 1)) > 0
        ]
        return sorted(found, key=lambda each: -each[1])[:count]


def _texts(entry: FunctionEntry) -> list[SearchedText]:
    return [
        SearchedText(_NAME, entry.name),
        SearchedText(_WORDS, entry.words),
        SearchedText(_DESCRIPTION, entry.description),
        SearchedText(_PARAMETERS, " ".join(f"{each.name} {each.about}" for each in entry.parameters)),
    ]
