"""Messages of the engine that say nothing to a musician, explained: what is wrong, where, and what to write.

Each function returns the finding for a message that it knows, or None.
"""

import re
from collections.abc import Callable, Iterator

from consort_music.texts.plurals import counted
from consort_strudel.engine import ScriptFacts
from consort_strudel.validation.finding import ScriptFinding, error
from consort_strudel.words import words

_SECTIONS = frozenset(("arrange", "timecat", "timeCat", "stepcat", "s_cat"))
_EUCLID_IN_MINI = re.compile(r"\(\s*(-?\d+)\s*,\s*(-?\d+)")
_NO_VALUE = re.compile(r"Cannot read properties of (undefined|null) \(reading '([\w$]+)'\)")
_NOT_READY = re.compile(r"Cannot access '([\w$]+)' before initialization")


def euclid_in_mini(text: str) -> tuple[int, str] | None:
    """Return place and problem of numbers that no rhythm has, such as `bd(9,8)`, in a mini-notation."""
    for found in _EUCLID_IN_MINI.finditer(text):
        if abs(int(found[1])) > int(found[2]):
            return found.start(1), _too_many(int(found[1]), int(found[2]))
    return None


def _too_many(hits: int, steps: int) -> str:
    return f"{counted(abs(hits), 'hit')} cannot be in {counted(steps, 'step')}."


def _euclid(facts: ScriptFacts, message: str) -> ScriptFinding | None:
    if message != "Invalid array length":
        return None
    calls = [call for call in facts.calls if (call.name or "").startswith("euclid") and len(call.args) > 1]
    for call in calls:
        hits, steps = call.args[:2]
        fix = f"For example: .{call.name}(3, 8)"
        if hits.kind == "number" and steps.kind == "number":
            if abs(float(hits.value or 0)) > float(steps.value or 0):
                return error(hits.start, _too_many(int(hits.value or 0), int(steps.value or 0)), fix)
        elif not re.fullmatch(r"[\d\s<>\[\]*/!@~.,-]*", str(hits.value)):
            return error(hits.start, f"'{call.name}' needs numbers of hits and steps, not '{hits.value}'.", fix)
    if calls:
        return error(calls[0].name_start, f"'{calls[0].name}' cannot make a rhythm of these numbers.", "Use (3, 8).")
    return None


def _sections(facts: ScriptFacts, message: str) -> ScriptFinding | None:
    if "is not iterable" not in message:
        return None
    for call in facts.calls:
        wrong = [each for each in call.args if each.kind not in ("array", "name", "other")]
        if call.name in _SECTIONS and wrong:
            return error(
                wrong[0].start,
                f"'{call.name}' needs pairs of a number of cycles and a pattern, in square brackets.",
                f'For example: {call.name}([4, s("bd*4")], [2, s("hh*8")])',
            )
    return error(_named(facts, message), "A list in square brackets is needed here.", 'For example: [4, s("bd")]')


def _constant(facts: ScriptFacts, message: str) -> ScriptFinding | None:
    if "Assignment to constant variable" not in message or not facts.constant_assignments:
        return None
    first = facts.constant_assignments[0]
    return error(
        first.start, f"'{first.name}' is declared with const, so it cannot change.", f"Declare it: let {first.name} = …"
    )


def _number(facts: ScriptFacts, message: str) -> ScriptFinding | None:
    """Explain the error of the engine's fractions: a text where a time is needed."""
    if "Invalid argument" not in message:
        return None
    for call in facts.calls:
        if call.name in _TIMES and call.args and call.args[0].kind in ("string", "object", "function"):
            text = str(call.args[0].value) if call.args[0].kind == "string" else ""
            fix = f'.{call.name}("{text}")' if text and re.search(r"\d", text) else f".{call.name}(0.25)"
            return error(
                call.args[0].start,
                f"'{call.name}' needs a number or mini-notation in double quotes.",
                f"For example: {fix}",
            )
    return None


_TIMES = frozenset(
    words(
        "late early fast slow ply segment seg off echo linger swingBy swing hurry inside outside iter chunk every zoom "
        "compress loopAt chop striate ribbon"
    )
)
"""Functions whose first argument is a time or a factor."""


def _no_value(facts: ScriptFacts, message: str) -> ScriptFinding | None:
    if found := _NO_VALUE.search(message):
        calls = [call for call in facts.calls if call.name == found[2]]
        start = calls[-1].name_start if calls else _named(facts, message)
        return error(start, f"What is before '.{found[2]}' has no value.", "Check the name, and that it is not empty.")
    if found := _NOT_READY.search(message):
        uses = [place.start() for place in re.finditer(rf"(?<![\w$.]){re.escape(found[1])}(?![\w$])", facts.script)]
        return error(
            uses[0] if uses else 0, f"'{found[1]}' is used before it is declared.", f"Move const {found[1]} = … up."
        )
    return None


def _not_a_function(facts: ScriptFacts, message: str) -> ScriptFinding | None:
    found = re.search(r"(?:^|[.\s(])([\w$]+)(?:\(\.\.\.\))? is not a function", message)
    if found is None:
        return None
    calls = [call for call in facts.calls if call.name == found[1] and not call.is_property]
    if not calls:
        return None
    return error(
        calls[-1].name_start,
        f"'{found[1]}' is not a function here.",
        'Methods such as .fast belong to patterns: s("bd").fast(2)',
    )


def uncalled_methods(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield an error for each statement that ends with the name of a method: `s("bd").lpf`."""
    for statement in facts.statements:
        if statement.value.kind == "call" and statement.value.index is not None:
            call = facts.calls[statement.value.index]
            if call.is_property and call.receiver is not None and call.receiver.kind in ("call", "mini"):
                yield error(
                    call.name_start,
                    f"'{call.name}' has no brackets, so this is a function and plays nothing.",
                    f"Write .{call.name}(…).",
                )


def _without_brackets(facts: ScriptFacts, message: str) -> ScriptFinding | None:
    return next(uncalled_methods(facts), None) if "is not a function" in message else None


def _named(facts: ScriptFacts, message: str) -> int:
    named = set(re.findall(r"[\w$]+", message))
    for call in facts.calls:
        if call.name and len(call.name) > 2 and call.name in named:
            return call.name_start
    return facts.statements[-1].start if facts.statements else 0


EXPLANATIONS: tuple[Callable[[ScriptFacts, str], ScriptFinding | None], ...] = (
    _euclid,
    _sections,
    _constant,
    _number,
    _no_value,
    _without_brackets,
    _not_a_function,
)
