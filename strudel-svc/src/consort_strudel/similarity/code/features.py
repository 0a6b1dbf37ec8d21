"""Everything that a snippet consists of, with weights.

A feature is a text, such as `call lpf`, `lpf number` or `s euclid`. Repetition counts by its logarithm.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable

from consort_strudel.engine import Argument, ScriptCall, ScriptString
from consort_strudel.music_words import note_number
from consort_strudel.similarity.code.mini_shape import signs_of
from consort_strudel.similarity.code.music_shape import shape_features
from consort_strudel.similarity.code.reading import Snippet
from consort_strudel.similarity.code.same_functions import is_function, one_name, weight_of
from consort_strudel.structure.instrument_names import drum_of

SparseVector = dict[str, float]
"""The weight of each feature."""
NoteFeature = Callable[[str, float], None]
"""Note a feature with its weight."""

_CALL, _SHAPE, _NEXT, _INSIDE, _SIZE = 2.0, 0.2, 0.25, 0.3, 0.1
_SIGN, _SIGN_OF, _WORD, _SEQUENCE, _SOUND = 0.25, 0.2, 0.15, 0.2, 0.3
_FUNCTIONS_OF_SIGNS = {"maybe": "degradeBy", "choose": "chooseCycles", "euclid": "euclid"}
"""Signs of mini-notation that do what a function does."""
_SIGN_AS_CALL = 0.5
_LABEL = 0.8
_MOST_LEAVES = 64


def features_of(snippet: Snippet) -> SparseVector:
    """Return the features of a snippet."""
    counts: defaultdict[str, float] = defaultdict(float)
    weights: dict[str, float] = {}

    def found(feature: str, weight: float) -> None:
        counts[feature] += 1
        weights[feature] = max(weight, weights.get(feature, 0.0))

    for call in snippet.calls:
        if call.name is None:
            continue
        name = one_name(call.name)
        weight = weight_of(name)
        found(f"call {name}", _CALL * weight)
        if (before := _name_before(snippet, call)) is not None:
            found(f"{before} > {name}", _NEXT * weight)
        if call.parent is not None and (outer := snippet.facts.calls[call.parent].name):
            found(f"{one_name(outer)} has {name}", _INSIDE * weight)
        for argument in call.args:
            _argument_features(name, argument, weight, found)
    for name in snippet.free_names:
        _name_feature(name, found)
    for string in snippet.strings:
        _string_features(snippet, string, found)
    for label in snippet.labels:
        found("label", _LABEL)
        if label.startswith("_") or label.endswith("_"):
            found("muted label", _LABEL)
    return {feature: weights[feature] * (1 + math.log(count)) for feature, count in counts.items()}


def _name_before(snippet: Snippet, call: ScriptCall) -> str | None:
    receiver = call.receiver
    if receiver is None or receiver.kind != "call" or receiver.index is None:
        return None
    before = snippet.facts.calls[receiver.index]
    return one_name(before.name) if before.name and before.name_start >= snippet.start else None


def _name_feature(name: str, found: NoteFeature) -> None:
    """Count a function that is named without a call, as `rev` in `every(2, rev)`."""
    if is_function(name):
        found(f"call {one_name(name)}", _CALL * weight_of(one_name(name)))


def _argument_features(name: str, argument: Argument, weight: float, found: NoteFeature) -> None:
    found(f"{name} {argument.kind}", _SHAPE * weight)
    if argument.kind == "name" and argument.name:
        found(f"{name} {one_name(argument.name)}", _INSIDE * weight)
        _name_feature(argument.name, found)
    elif argument.kind == "number" and isinstance(argument.value, int | float):
        found(f"{name} ~ {_size(argument.value)}", _SIZE * weight)
    for item in argument.items:
        found(f"{name} with {item.kind}", _SIZE * weight)


def _string_features(snippet: Snippet, string: ScriptString, found: NoteFeature) -> None:
    outer = snippet.facts.calls[string.parent].name if string.parent is not None else None
    name = one_name(outer) if outer else "text"
    if not string.is_mini:
        found(f"{name} text {string.value[:60].lower()}", _WORD)
        return
    for sign in signs_of(string.value):
        found(f"sign {sign}", _SIGN)
        found(f"{name} {sign}", _SIGN_OF)
        if sign in _FUNCTIONS_OF_SIGNS:
            found(f"call {_FUNCTIONS_OF_SIGNS[sign]}", _SIGN_AS_CALL)
    for feature, weight in shape_features(name, string.value):
        found(feature, weight)
    leaves = [text.lower() for _, _, text in string.leaves[:_MOST_LEAVES]]
    for leaf in leaves:
        _leaf_features(name, leaf, found)
    found(f"{name} steps {_size(len(leaves))}", _SIZE)
    for first, second in itertools.pairwise(leaves):
        found(f"{name}: {first} {second}", _SEQUENCE)


def _leaf_features(name: str, leaf: str, found: NoteFeature) -> None:
    found(f"{name}: {leaf}", _WORD)
    if name == "s" and leaf not in ("~", "-", "_") and not leaf.replace(".", "").isdigit():
        sound = leaf.split(":")[0]
        found(f"sound {drum_of(sound) or sound}", _SOUND)
    elif name in ("note", "n") and (number := note_number(leaf)) is not None:
        found(f"octave {number // 12}", _WORD)
    elif name == "scale" and ":" in leaf:
        found(f"mode {leaf.partition(':')[2]}", _SOUND)


def _size(number: float) -> str:
    """Return the size of a number, in steps of a factor of two."""
    if not math.isfinite(number) or number == 0:
        return "0"
    return f"{'-' if number < 0 else ''}{round(math.log2(abs(number)))}"
