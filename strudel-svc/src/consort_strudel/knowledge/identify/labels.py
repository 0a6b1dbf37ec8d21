"""Choose labels for code: the best for the whole, and one for each part that it does not explain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from consort_strudel.knowledge.identify.parts import CodePart
from consort_strudel.knowledge.identify.ranking import CodeExemplar, CodeIndex, CodeMatch

LEAST_FIT = 0.3
"""Below this, a part is said to be unknown."""
_LEAST_SHOWN = 0.1


@dataclass(frozen=True)
class CodeLabel:
    subject: str
    fit: float
    """How well it fits the parts that it is about, from 0 to 1."""
    parts: tuple[int, ...]
    """The places of the parts that it is about."""


@dataclass(frozen=True)
class CodeLabels:
    labels: list[CodeLabel]
    """First those that explain most of the snippet."""
    unknown: list[int]
    """The places of parts that no label explains."""


def label_parts(
    index: CodeIndex, parts: Sequence[CodePart], count: int, extra: Iterable[CodeExemplar] = ()
) -> CodeLabels:
    """Return at most `count` labels for the parts of a snippet."""
    whole = index.rank(parts, extra)
    order = {match.subject: place for place, match in enumerate(whole)}
    best = [match for match in whole if match.fit >= _LEAST_SHOWN]
    chosen = {match.subject: _label(match, parts) for match in best[:1]}
    explained = set(best[0].explained) if best else set()
    unknown = []
    for place, part in enumerate(parts):
        if place in explained or len(parts) == 1:
            continue
        own = next(iter(index.rank([part])), None)
        if own is None or own.fit < LEAST_FIT:
            unknown.append(place)
        elif own.subject not in chosen:
            chosen[own.subject] = CodeLabel(own.subject, own.fit, (place,))
    if len(parts) == 1 and (not best or best[0].fit < LEAST_FIT):
        unknown = [0]
    labels = list(chosen.values())[:count]
    labels += [_label(match, parts) for match in best if match.subject not in chosen][: count - len(labels)]
    return CodeLabels(sorted(labels, key=lambda label: order[label.subject]), unknown)


def _label(match: CodeMatch, parts: Sequence[CodePart]) -> CodeLabel:
    places = sorted(match.explained) if match.explained else range(len(parts))
    return CodeLabel(match.subject, match.fit, tuple(places))
