"""Rank known code by what of it is in a snippet, and how much of the snippet it explains.

Every exemplar and the snippet are divided into parts. Parts are compared by the cosine of their features, which count
by their rarity among the exemplars (inverse document frequency). The score of an exemplar is the share of the snippet
that it explains, times the root of the share of it that is found in the snippet; its fit is the same for the parts that
it explains. Both are 1 for the same code, near 1 for
code that differs in values only, and about 0 for code with other functions. A subject (a concept) has several
exemplars: the best one counts.

No web framework and no database is imported here.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from consort_strudel.knowledge.identify.parts import CodePart
from consort_strudel.similarity.code.features import SparseVector

_EXPLAINED = 0.5
"""From this similarity on, a part of the snippet is explained by a part of an exemplar."""
_VALUE_WEIGHT = 0.4
"""The weight of notes and numbers, which say little about what code does."""
_SIZE_WEIGHT = 1.5
"""The weight of the size of a number: `.lpf(400)` is darker, `.lpf(6000)` brighter."""
_TELLING_VALUES = ("s:", "bank:", "scale:", "chord:", "vowel:", "sound ", "mode ", "name ", "call ", "sign ")
_UNKNOWN_VALUE = 0.5


@dataclass(frozen=True)
class CodeExemplar:
    subject: str
    """What the code is an example of: an id."""
    parts: tuple[CodePart, ...]
    weight: float = 1.0
    """What the score is multiplied with."""


@dataclass(frozen=True)
class CodeMatch:
    subject: str
    score: float
    """How well it explains the whole snippet, from 0 to 1."""
    fit: float
    """How well it fits the parts that it explains, from 0 to 1."""
    explained: frozenset[int]
    """The places of the snippet's parts that it explains."""


class CodeIndex:
    def __init__(self, exemplars: Iterable[CodeExemplar]) -> None:
        self._exemplars = tuple(exemplar for exemplar in exemplars if exemplar.parts)
        subjects: dict[str, set[str]] = defaultdict(set)
        for exemplar in self._exemplars:
            subjects[exemplar.subject].update(feature for part in exemplar.parts for feature in part.features)
        counts = Counter(feature for features in subjects.values() for feature in features)
        total = len(subjects)
        self._rarity = {feature: math.log(1 + total / count) for feature, count in counts.items()}
        self._rarest = math.log(1 + total)
        self._lengths: list[list[float]] = []
        self._places: dict[str, list[tuple[int, int, float]]] = defaultdict(list)
        for number, exemplar in enumerate(self._exemplars):
            vectors = [self._weighted(part.features) for part in exemplar.parts]
            self._lengths.append([_length(vector) for vector in vectors])
            for place, vector in enumerate(vectors):
                for feature, weight in vector.items():
                    self._places[feature].append((number, place, weight))

    def rank(self, parts: Sequence[CodePart], extra: Iterable[CodeExemplar] = ()) -> list[CodeMatch]:
        """Return the subjects that share something with the parts of a snippet, best first.

        `extra` are further exemplars, compared on the same scale.
        """
        vectors = [self._weighted(part.features) for part in parts]
        lengths = [_length(vector) for vector in vectors]
        found: dict[int, dict[tuple[int, int], float]] = defaultdict(lambda: defaultdict(float))
        for place, vector in enumerate(vectors):
            for feature, weight in vector.items():
                for number, other, other_weight in self._places.get(feature, ()):
                    found[number][place, other] += weight * other_weight
        best: dict[str, CodeMatch] = {}
        for number, products in found.items():
            _keep(best, _match(self._exemplars[number], products, lengths, self._lengths[number]))
        for exemplar in extra:
            others = [self._weighted(part.features) for part in exemplar.parts]
            products = {
                (place, other): product
                for place, vector in enumerate(vectors)
                for other, other_vector in enumerate(others)
                if (product := _product(vector, other_vector)) > 0
            }
            if products:
                _keep(best, _match(exemplar, products, lengths, [_length(each) for each in others]))
        return sorted(best.values(), key=lambda match: (-match.score, match.subject))

    def _weighted(self, features: SparseVector) -> SparseVector:
        return {feature: weight * self._importance(feature) for feature, weight in features.items()}

    def _importance(self, feature: str) -> float:
        if " ~ " in feature:
            return _SIZE_WEIGHT
        is_value = (": " in feature or " steps " in feature or feature.startswith("octave")) and (
            not feature.startswith(_TELLING_VALUES)
        )
        if feature not in self._rarity:
            return _UNKNOWN_VALUE if ": " in feature or is_value else self._rarest
        return _VALUE_WEIGHT if is_value else self._rarity[feature]


def _match(
    exemplar: CodeExemplar,
    products: Mapping[tuple[int, int], float],
    lengths: list[float],
    other_lengths: list[float],
) -> CodeMatch:
    """Return the match of an exemplar. `products` are the scalar products of the parts of both that share a feature."""
    similar: dict[int, float] = defaultdict(float)
    explained: dict[int, float] = defaultdict(float)
    for (place, other), product in products.items():
        norm = lengths[place] * other_lengths[other]
        cosine = product / norm if norm else 0.0
        similar[other] = max(similar[other], cosine)
        explained[place] = max(explained[place], cosine)
    total, whole = sum(other_lengths), sum(lengths)
    of_exemplar = sum(other_lengths[other] * cosine for other, cosine in similar.items()) / total if total else 0.0
    of_snippet = sum(lengths[place] * cosine for place, cosine in explained.items()) / whole if whole else 0.0
    found = math.sqrt(max(of_exemplar, 0.0)) * exemplar.weight
    told = [place for place, cosine in explained.items() if cosine >= _EXPLAINED]
    of_told = sum(lengths[place] * explained[place] for place in told) / (sum(lengths[place] for place in told) or 1.0)
    return CodeMatch(
        exemplar.subject, min(found * of_snippet, 1.0), min(found * (of_told or of_snippet), 1.0), frozenset(told)
    )


def _keep(best: dict[str, CodeMatch], match: CodeMatch) -> None:
    if match.subject not in best or match.score > best[match.subject].score:
        best[match.subject] = match


def _product(one: SparseVector, other: SparseVector) -> float:
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return sum(weight * large[feature] for feature, weight in small.items() if feature in large)


def _length(vector: SparseVector) -> float:
    return math.sqrt(sum(weight * weight for weight in vector.values()))
