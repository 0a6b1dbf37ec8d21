"""Wrong kinds of arguments, and values out of range."""

import re
from collections.abc import Iterator

from consort_strudel.engine import Argument, ScriptCall, ScriptFacts
from consort_strudel.music_words import note_number
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.parameter_table import (
    FUNCTION_ARGUMENTS,
    PARAMETERS,
    VOWELS,
    Parameter,
)
from consort_strudel.validation.spelling import nearest

NUMBER = re.compile(r"^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$")
_RESTS = frozenset(["~", "-", ".", "_", "?"])
_HIGHEST_NOTE = 127
_NOTE_NAMES = "Notes are a to g, then # or b, then an octave: c3, eb4, f#2."


def argument_faults(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    for call in facts.calls:
        if call.name is None or call.is_property:
            continue
        yield from _function_fault(call)
        if call.name in PARAMETERS:
            yield from _number_faults(call, PARAMETERS[call.name], facts)
        if call.name == "note":
            yield from _note_faults(call, facts)
        elif call.name == "vowel":
            yield from _vowel_faults(call, facts)


def words_of(argument: Argument, facts: ScriptFacts) -> list[tuple[int, str]]:
    """Return the words of a mini-notation, without rests and the numbers of its operators."""
    if argument.kind != "mini" or argument.index is None:
        return []
    return [
        (start, text)
        for start, _, text in facts.strings[argument.index].leaves
        if text not in _RESTS and not _is_operand(facts.script, start)
    ]


def _is_operand(script: str, start: int) -> bool:
    before = script[:start].rstrip(" <[")[-1:]
    return before in "*/!@%?:" or (before in "(," and _is_in_euclid(script, start))


def _is_in_euclid(script: str, start: int) -> bool:
    line = script[:start]
    opener = line.rfind("(")
    return opener > 0 and re.fullmatch(r"[\w\])>.#]", line[opener - 1]) is not None and '"' not in line[opener:]


def _function_fault(call: ScriptCall) -> Iterator[ScriptFinding]:
    place = FUNCTION_ARGUMENTS.get(call.name or "")
    if place is None or len(call.args) <= place:
        if place is not None and call.args:
            yield error(
                call.name_start,
                f"'{call.name}' needs a function as argument {place + 1}.",
                f"For example: .{call.name}({'4, ' * place}x => x.rev())",
            )
        return
    given = call.args[place]
    if given.kind in ("number", "string", "mini", "boolean"):
        yield error(
            given.start,
            f"Argument {place + 1} of '{call.name}' must be a function, not {_shown(given)}.",
            f"For example: .{call.name}({'4, ' * place}x => x.rev())",
        )


def _shown(argument: Argument) -> str:
    if argument.kind == "boolean":
        return str(argument.value).lower()
    return f"'{argument.value}'" if isinstance(argument.value, str) else f"{argument.value:g}"


def _number_faults(call: ScriptCall, parameter: Parameter, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    yield from _text_faults(call, facts)
    if any(other.name == "cps" and other.statement == call.statement for other in facts.calls):
        return  # a voice that only sets the tempo is silent on purpose
    for argument in call.args[:1]:
        values = [(argument.start, float(argument.value))] if argument.kind == "number" else []  # type: ignore[arg-type]
        if argument.kind == "mini" and parameter.name not in ("fast", "slow"):
            values = [(start, float(text)) for start, text in words_of(argument, facts) if NUMBER.match(text)]
        for start, value in values:
            yield from _range_fault(call.name or "", parameter, start, value)


def _range_fault(name: str, parameter: Parameter, start: int, value: float) -> Iterator[ScriptFinding]:
    if parameter.silent_at is not None and value == parameter.silent_at:
        yield warning(start, f"{name}({value:g}) makes no sound.", f"Use {_range(parameter)}.")
    elif not parameter.least <= value <= parameter.most:
        found = error if parameter.unusable else warning
        yield found(start, f"{name}({value:g}) is outside the useful range.", f"Use {_range(parameter)}.")


def _range(parameter: Parameter) -> str:
    return f"{parameter.least:g} to {parameter.most:g}" + (f" ({parameter.unit})" if parameter.unit else "")


def _text_faults(call: ScriptCall, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield an error for text where a number is needed."""
    for argument in call.args[:1]:
        if argument.kind == "string" and not _is_number_list(str(argument.value)):
            yield error(
                argument.start,
                f"'{call.name}' needs a number, not {_shown(argument)}.",
                f"For example: .{call.name}({_example(call.name or '')})",
            )
        for start, text in words_of(argument, facts):
            if not _is_number_list(text) and note_number(text) is None:
                yield error(
                    start,
                    f"'{call.name}' needs a number, not '{text}'.",
                    f"For example: .{call.name}({_example(call.name or '')})",
                )


def _is_number_list(text: str) -> bool:
    return all(NUMBER.match(part) or part in _RESTS for part in re.split(r"[:\s]+", text.strip()) if part)


def _example(name: str) -> str:
    parameter = PARAMETERS.get(name)
    if parameter is None:
        return "0.5"
    return f"{min(max((parameter.least + min(parameter.most, 1000)) / 2, parameter.least), parameter.most):.3g}"


def _note_faults(call: ScriptCall, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    for argument in call.args[:1]:
        for start, text in words_of(argument, facts):
            if NUMBER.match(text):
                continue
            number = note_number(text)
            if number is None:
                letter = {"h": "b"}.get(text[:1].lower())
                hint = f"Did you mean '{letter}{text[1:]}'?" if letter else _NOTE_NAMES
                yield error(start, f"'{text}' is not a note.", hint)
            elif number > _HIGHEST_NOTE:
                yield error(start, f"'{text}' is higher than any note.", "Octaves go up to 9.")


def _vowel_faults(call: ScriptCall, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    for argument in call.args[:1]:
        words = words_of(argument, facts)
        if argument.kind == "string":
            words = [(argument.start, str(argument.value))]
        for start, text in words:
            if text not in VOWELS:
                near = nearest(text, VOWELS)
                yield error(
                    start,
                    f"'{text}' is not a vowel that the engine knows.",
                    f"Use one of {', '.join(sorted(VOWELS))}." + (f" Did you mean '{near[0]}'?" if near else ""),
                )
