"""Functions and methods that do not exist."""

from collections import Counter
from collections.abc import Iterator

from consort_strudel.engine import Argument, EngineNames, ScriptCall, ScriptFacts
from consort_strudel.music_words import note_number
from consort_strudel.validation.finding import ScriptFinding, error
from consort_strudel.validation.parameter_table import FUNCTION_ARGUMENTS
from consort_strudel.validation.spelling import nearest
from consort_strudel.validation.written.silent_patterns import makes_pattern
from consort_strudel.words import words

LANGUAGE_NAMES = frozenset(
    words(
        "Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RegExp Set String Symbol console "
        "globalThis isFinite isNaN parseFloat parseInt undefined window document setTimeout setInterval clearTimeout "
        "clearInterval performance fetch arguments await strudel"
    )
)
LANGUAGE_METHODS = frozenset(
    words(
        "abs at ceil charAt charCodeAt concat cos entries every exp fill filter find findIndex flat flatMap floor "
        "forEach from fromEntries includes indexOf join keys lastIndexOf length log map match max min padEnd padStart "
        "PI pop pow push random reduce repeat replace replaceAll reverse round shift sign sin slice some sort splice "
        "split sqrt startsWith endsWith stringify substring tan then toFixed toLowerCase toString toUpperCase trim "
        "trunc unshift values warn error info parse assign call bind apply catch finally isArray of now"
    )
)
_OTHER_LANGUAGES = frozenset(("K", "kabel", "hydra"))
"""Functions whose arguments are programs with names of their own."""
REMOVED = {
    "foldEvery": "every",
    "whenmod": "when",
    "juxby": "juxBy",
    "degradeby": "degradeBy",
    "sometimesby": "sometimesBy",
    "loopat": "loopAt",
    "speedup": "fast",
    "lowpass": "lpf",
    "highpass": "hpf",
    "bandpass": "bpf",
    "reverb": "room",
    "volume": "gain",
    "reverse": "rev",
    "echoes": "echo",
    "tempo": "setcpm",
    "bpm": "setcpm",
    "play": "sound",
    "sample": "s",
    "synth": "s",
    "notes": "note",
    "sequence": "seq",
    "filter": "lpf",
    "vol": "gain",
    "amp": "gain",
    "distortion": "distort",
    "overdrive": "distort",
    "drive": "distort",
}
"""Names of other systems, or that people expect, and what to write."""


def unknown_names(facts: ScriptFacts, names: EngineNames, sounds: frozenset[str]) -> Iterator[ScriptFinding]:
    """Yield an error for each unknown function, method or variable. A name that is a sound or a note needs quotes."""
    known = names.functions | names.values | LANGUAGE_NAMES | facts.declared_methods
    inside = [argument for call in facts.calls if call.name in _OTHER_LANGUAGES for argument in call.args]
    for free in facts.free_names:
        if any(argument.start <= free.start < argument.end for argument in inside):
            continue
        if free.name and free.name not in known:
            if not free.is_call and (free.name.lower() in sounds or note_number(free.name) is not None):
                yield _needs_quotes(free.name, free.start, facts)
            else:
                yield _unknown(free.name, free.start, "function" if free.is_call else "name", known - LANGUAGE_NAMES)
    patterns = _pattern_names(facts)
    for call in facts.calls:
        if any(argument.start <= call.start < argument.end for argument in inside):
            continue
        if call.is_method and call.name and not _is_known_method(call, facts, names, patterns):
            yield _unknown(call.name, call.name_start, "method", names.methods)


def _needs_quotes(name: str, start: int, facts: ScriptFacts) -> ScriptFinding:
    call = next((each for each in facts.calls if each.args and each.args[0].start <= start < each.args[0].end), None)
    text = facts.script[call.args[0].start : call.args[0].end] if call else name
    example = f'{call.name}("{text}")' if call and call.name and "\n" not in text else f'"{name}"'
    return error(start, f"'{name}' is not defined: sounds and notes are text.", f"Put it in double quotes: {example}")


def _pattern_names(facts: ScriptFacts) -> dict[str, list[Argument]]:
    """Return where names are patterns: parameters of functions, as in `every(4, x => x.rev())`, and constants."""
    found: dict[str, list[Argument]] = {}
    declared = Counter(variable.name for variable in facts.variables)
    everywhere = Argument("other", 0, len(facts.script))
    for variable in facts.variables:
        if declared[variable.name] == 1 and makes_pattern(variable.value, facts):
            found[variable.name] = [everywhere]
    for call in facts.calls:
        place = FUNCTION_ARGUMENTS.get(call.name or "")
        if place is not None and call.is_method and len(call.args) > place:
            argument = call.args[place]
            if argument.kind == "function" and len(argument.parameters) == 1:
                found.setdefault(argument.parameters[0], []).append(argument)
    return found


def _is_known_method(
    call: ScriptCall, facts: ScriptFacts, names: EngineNames, patterns: dict[str, list[Argument]]
) -> bool:
    if call.name in names.methods or call.name in facts.declared_methods:
        return True
    receiver = call.receiver
    assert receiver is not None
    if receiver.kind == "name" and any(
        function.start <= call.name_start < function.end for function in patterns.get(receiver.name or "", ())
    ):
        return False
    if receiver.kind in ("call", "mini") and not _is_of_language(call, facts):
        return False
    return call.name in LANGUAGE_METHODS or receiver.kind in ("name", "other", "object", "array", "function")


def _is_of_language(call: ScriptCall, facts: ScriptFacts) -> bool:
    """Say whether the receiver may be an array, a number or another value of the language, and not a pattern."""
    receiver = call.receiver
    while receiver is not None and receiver.kind == "call":
        if receiver.index is None:
            return True
        first = facts.calls[receiver.index]
        if not first.is_method:
            return first.name in facts.declared_names or first.name in LANGUAGE_NAMES or first.name is None
        if first.name in LANGUAGE_METHODS and first.receiver is not None and first.receiver.kind in ("array", "name"):
            return True
        receiver = first.receiver
    return receiver is None or receiver.kind in ("array", "name", "object", "other", "string", "function")


def _unknown(name: str, start: int, kind: str, known: frozenset[str]) -> ScriptFinding:
    meant = REMOVED.get(name)
    near = ([meant] if meant in known else []) or nearest(name, (other for other in known if not other.startswith("_")))
    what = f"'{name}' is not a {kind} of Strudel." if kind != "name" else f"'{name}' is not defined."
    return error(start, what, f"Did you mean '{near[0]}'?{_others(near[1:])}" if near else None)


def _others(names: list[str]) -> str:
    return f" Or {' or '.join(repr(name) for name in names)}?" if names else ""
