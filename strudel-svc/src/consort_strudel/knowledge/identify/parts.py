"""The parts of code that each do something: the calls of a chain, also of chains inside `stack` and the like.

`note("c e").s("saw").lpf(400)` has three parts. What is inside the arguments of a call belongs to its part.
"""

from dataclasses import dataclass

from consort_strudel.engine import ScriptCall
from consort_strudel.similarity.code.features import SparseVector, features_of
from consort_strudel.similarity.code.reading import Snippet
from consort_strudel.words import words

MOST_PARTS = 48
_CONTAINERS = frozenset(
    words("stack cat slowcat seq sequence fastcat arrange polymeter pm polyrhythm pr slowcatPrime randcat stepcat")
)
"""Functions whose arguments are patterns that do something by themselves."""


@dataclass(frozen=True)
class CodePart:
    code: str
    features: SparseVector


def parts_of(snippet: Snippet) -> list[CodePart]:
    """Return the parts of a snippet, in the order of the code."""
    found = [
        _part(snippet, call)
        for index, call in enumerate(snippet.facts.calls)
        if snippet.start <= call.name_start < snippet.end and call.name and _stands_alone(snippet, index)
    ][:MOST_PARTS]
    if found:
        return found
    features = features_of(snippet)
    return [CodePart(snippet.code.strip(), features)] if features else []


def _stands_alone(snippet: Snippet, index: int) -> bool:
    """Return whether a call is in no argument, or only in those of containers."""
    parent = snippet.facts.calls[index].parent
    while parent is not None and snippet.facts.calls[parent].name_start >= snippet.start:
        if snippet.facts.calls[parent].name not in _CONTAINERS:
            return False
        parent = snippet.facts.calls[parent].parent
    return True


def _part(snippet: Snippet, call: ScriptCall) -> CodePart:
    script = snippet.facts.script
    start = call.name_start
    if call.receiver is not None and call.receiver.kind in ("name", "string", "mini"):
        start = max(call.receiver.start, snippet.start)
    if call.name in _CONTAINERS:
        end = script.index("(", call.name_start) if "(" in script[call.name_start : call.end] else call.end
        return CodePart(f"{script[start:end]}(…)", features_of(Snippet("", snippet.facts, start, end)))
    dot = "." if call.is_method and start == call.name_start else ""
    return CodePart(f"{dot}{script[start : call.end]}", features_of(Snippet("", snippet.facts, start, call.end)))
