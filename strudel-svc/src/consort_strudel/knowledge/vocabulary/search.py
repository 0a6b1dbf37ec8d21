"""Find concepts by name, synonym in five languages, category, or free text.

A query is compared with the names and synonyms of each concept, best first:

1. it is one of them (`swing`, `más oscuro`);
2. it contains one of them ("make it darker and add some swing" finds both), or is the beginning of one;
3. its words occur in them, also with a typing error, or in the description and the code.

If nothing is found, the concepts with the most similar spelling (shared pairs of letters, Dice) are the nearest ones.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from consort_kit.errors import InvalidInput
from consort_strudel.knowledge.vocabulary.concept import Category, Concept
from consort_strudel.knowledge.vocabulary.load import concepts
from consort_strudel.linear_patterns import compile_pattern
from consort_strudel.validation.spelling import edits
from consort_strudel.words import words

_WHOLE, _IN_QUERY, _BEGINNING, _IN_NAME, _WORD, _TYPO, _IN_TEXT = 100.0, 60.0, 40.0, 12.0, 9.0, 6.0, 2.0
_NAME_FIRST = 5.0
_LEAST = 2.0
_SHARE_OF_BEST = 0.08
_NEAREST = 5
_LEAST_SIMILAR = 0.25
_PATTERN_SIGNS = re.compile(r"[|^$\[\]*+?\\]")
_SEPARATORS = re.compile(r"[^\w#]+")
_SMALL_WORDS = frozenset(
    words(
        "a an and the it its this that to of in on for with make made add some more less very bit little please sound "
        "sounds my me i want how do does is be should give as like so und mehr ein eine mach es bitte der die das un "
        "una más mas que lo el la y un une plus le les et fais"
    )
)


@dataclass(frozen=True)
class _Entry:
    concept: Concept
    phrases: tuple[str, ...]
    """The name and all synonyms, normalized."""
    words: frozenset[str]
    text: frozenset[str]
    """The words of description and code."""


@dataclass(frozen=True)
class Found:
    concepts: list[Concept]
    is_nearest: bool = False
    """Whether nothing matched, so that these are only spelled alike."""


def find_concepts(query: str, category: Category | None = None) -> Found:
    """Return the concepts that a query means, best first; all of a category if the query is empty."""
    entries = [entry for entry in _entries() if category in (None, entry.concept.category)]
    if by_id := [entry.concept for entry in entries if entry.concept.id == query.strip().lower()]:
        return Found(by_id)  # an id that identify_pattern returned
    wanted = _normal(query)
    if not wanted:  # nothing is asked for, or only punctuation
        return Found([] if query.strip() else [entry.concept for entry in entries])
    if _PATTERN_SIGNS.search(query) and (by_pattern := _matching(query, entries)):
        return Found(by_pattern)
    scored = [(_score(wanted, entry), entry.concept) for entry in entries]
    best = max((score for score, _ in scored), default=0.0)
    enough = max(_LEAST, best * _SHARE_OF_BEST)
    found = sorted((each for each in scored if each[0] >= enough), key=lambda each: -each[0])
    if found:
        return Found([concept for _, concept in found])
    return Found(_nearest(wanted, entries), is_nearest=True)


@cache
def _entries() -> tuple[_Entry, ...]:
    entries = []
    for concept in concepts():
        synonyms = [term for terms in concept.terms.values() for term in terms]
        names = [concept.name, *concept.name.split("/")] if "/" in concept.name else [concept.name]
        phrases = tuple(dict.fromkeys(_normal(phrase) for phrase in [*names, *synonyms]))
        entries.append(
            _Entry(
                concept,
                phrases,
                frozenset(word for phrase in phrases for word in phrase.split()),
                frozenset(_normal(f"{concept.description} {concept.code}").split()),
            )
        )
    return tuple(entries)


def _normal(text: str) -> str:
    """Return a text in lower case, without accents and punctuation: `Más oscuro!` becomes `mas oscuro`."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in letters if not ("\u0300" <= letter <= "\u036f"))
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", plain)).strip()


def _score(query: str, entry: _Entry) -> float:
    best = 0.0
    for place, phrase in enumerate(entry.phrases):
        best = max(best, _phrase_score(query, phrase) + (_NAME_FIRST if place == 0 else 0))
    asked = [word for word in query.split() if word not in _SMALL_WORDS]
    name = entry.phrases[0].split()
    total = sum(_word_score(word, name, entry) for word in asked)
    if query == entry.concept.category:
        total += _WORD
    return total + (best if best > _NAME_FIRST else 0.0)


def _phrase_score(query: str, phrase: str) -> float:
    if query == phrase:
        return _WHOLE
    if _contains(query, phrase) and phrase not in _SMALL_WORDS:
        return _IN_QUERY + min(len(phrase), 20) / 2
    if len(query) > 1 and phrase.startswith(query):
        return _BEGINNING - min(len(phrase) - len(query), 20)
    return 0.0


def _contains(query: str, phrase: str) -> bool:
    """Return whether a phrase occurs in the query as whole words; Japanese has no spaces, so anywhere."""
    if phrase.isascii():
        return f" {phrase} " in f" {query} "
    return len(phrase) > 1 and phrase in query


def _word_score(word: str, name: list[str], entry: _Entry) -> float:
    if word in name:
        return _IN_NAME
    if word in entry.words:
        return _WORD
    if len(word) > 3 and any(_is_alike(word, other) for other in entry.words):
        return _TYPO
    return _IN_TEXT if word in entry.text else 0.0


def _is_alike(word: str, other: str) -> bool:
    """Return whether two words differ by an ending or by a typing error."""
    if len(other) > 3 and (word.startswith(other) or other.startswith(word)):
        return abs(len(word) - len(other)) <= 3
    most = 1 if len(word) < 7 else 2
    return abs(len(word) - len(other)) <= most and word[0] == other[0] and edits(word, other, most) <= most


def _matching(pattern: str, entries: list[_Entry]) -> list[Concept]:
    """Return the concepts whose name or synonym matches a regular expression (RE2), those by name first."""
    try:
        compiled = compile_pattern(pattern, "concept", any_case=True)
    except InvalidInput:
        return []  # then it is plain text
    if compiled.search(""):
        return []
    by_name = [entry.concept for entry in entries if compiled.search(entry.concept.name)]
    by_term = [
        entry.concept
        for entry in entries
        if any(compiled.search(term) for terms in entry.concept.terms.values() for term in terms)
    ]
    return list({concept.name: concept for concept in [*by_name, *by_term]}.values())


def _nearest(query: str, entries: list[_Entry]) -> list[Concept]:
    pairs = _pairs(query)
    similar = [(max(_dice(pairs, _pairs(phrase)) for phrase in entry.phrases), entry.concept) for entry in entries]
    ranked = sorted(similar, key=lambda each: -each[0])[:_NEAREST]
    return [concept for score, concept in ranked if score >= _LEAST_SIMILAR]


def _pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)}


def _dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0
