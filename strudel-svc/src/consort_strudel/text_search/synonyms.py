"""Groups of words that mean nearly the same."""

from collections.abc import Iterable

from consort_strudel.text_search.stemming import terms


class SynonymGroups:
    def __init__(self, groups: Iterable[str]) -> None:
        """Each group is a text of words."""
        self._others: dict[str, set[str]] = {}
        for group in groups:
            stems = terms(group)
            for stem in stems:
                self._others.setdefault(stem, set()).update(set(stems) - {stem})

    def of(self, stem: str) -> frozenset[str]:
        """Return stems that mean nearly the same."""
        return frozenset(self._others.get(stem, ()))
