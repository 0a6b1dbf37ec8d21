"""Wrong kinds of arguments, and values out of range."""

import re
from collections.abc import Iterator

from consort_strudel.engine import Argument, ScriptCall, ScriptFacts
from consort_strudel.music_words import note_number
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.parameter_table import (
    FUNCTION_ARGUMENTS,
    PARAMETERS,
    TEMPO_FUNCTIONS,
    VOWELS,
    Parameter,
)
from consort_strudel.validation.spelling import nearest

NUMBER = re.compile(r"^-?(\d+(\.\d*)?|\.\d+)(e-?\d+)?$")
_RESTS = frozenset(["~", "-", ".", "_", "?"])
SEVERAL_VALUES = re.compile(r"[\[\]<>~*!@,]|[\w#]\s+[\w#~\[<]|\(\d+\s*,\s*\d+|\d\s+[.-]\d")
"""What looks like mini-notation with more than one value."""
_HIGHEST_NOTE = 127
_LONGEST_EUCLID = 200
"""Characters between the bracket of `bd(3,8)` and its last number, at most."""
_NOTE_NAMES = "Notes are a to g, then # or b, then an octave: c3, eb4, f#2."


def argument_faults(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    only_tempo = {call.statement for call in facts.calls if call.name == "cps"}
    for call in facts.calls:
        if call.name is None or call.is_property:
            continue
        yield from _function_fault(call)
        if call.name in PARAMETERS:
            yield from _text_faults(call, facts)
            if call.statement not in only_tempo:  # a voice that only sets the tempo is silent on purpose
                yield from _range_faults(call, PARAMETERS[call.name], facts)
        elif call.name in TEMPO_FUNCTIONS:
            yield from _tempo_faults(call)
        elif call.name == "note":
            yield from _note_faults(call, facts)
        elif call.name == "vowel":
            yield from _vowel_faults(call, facts)


def words_of(argument: Argument, facts: ScriptFacts) -> list[tuple[int, str]]:
    """Return the words of a mini-notation, without rests and the numbers of its operators."""
    if argument.kind != "mini" or argument.index is None:
        return []
    string = facts.strings[argument.index]
    return [
        (start, text)
        for start, _, text in string.leaves
        if text not in _RESTS and not is_operand(facts.script, start, string.start)
    ]


def is_operand(script: str, start: int, string_start: int) -> bool:
    """Return whether the word at `start` belongs to an operator of its mini-notation: the 4 of `bd*4`."""
    place = start - 1
    while place > string_start and script[place] in " <[":
        place -= 1
    before = script[place]
    return before in "*/!@%?:" or (before in "(," and _is_in_euclid(script, start, string_start))


def _is_in_euclid(script: str, start: int, string_start: int) -> bool:
    opener = script.rfind("(", max(string_start, start - _LONGEST_EUCLID), start)
    return opener > 0 and re.fullmatch(r"[\w\])>.#]", script[opener - 1]) is not None


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


def _range_faults(call: ScriptCall, parameter: Parameter, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    for argument in call.args[:1]:
        values = [(argument.start, float(argument.value))] if argument.kind == "number" else []  # type: ignore[arg-type]
        if argument.kind == "mini" and parameter.name != "fast":
            values = [(start, float(text)) for start, text in words_of(argument, facts) if NUMBER.match(text)]
        is_silent = all(value == parameter.silent_at for _, value in values)  # some silent steps are a rhythm
        for start, value in values:
            yield from _range_fault(call.name or "", parameter, start, value, is_silent)


def _range_fault(name: str, parameter: Parameter, start: int, value: float, is_silent: bool) -> Iterator[ScriptFinding]:
    allowed = f"{parameter.least:g} to {parameter.most:g}" + (f" ({parameter.unit})" if parameter.unit else "")
    if parameter.silent_at is not None and value == parameter.silent_at:
        if not is_silent:
            return
        yield warning(start, f"{name}({value:g}) makes no sound.", f"Use {allowed}.")
    elif parameter.fails_below and value < parameter.least:
        yield error(start, f"The engine cannot use {name}({value:g}).", f"Use {allowed}.")
    elif not parameter.least <= value <= parameter.most:
        yield warning(start, f"{name}({value:g}) is outside the useful range.", f"Use {allowed}.")


def _text_faults(call: ScriptCall, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield an error for text, or another value, where a number is needed."""
    name = call.name or ""
    for argument in call.args[:1]:
        if argument.kind == "string" and (text := str(argument.value)) and not NUMBER.match(text):
            if _is_number_list(re.sub(r"[^\w.\s:-]+", " ", text)):
                yield error(argument.start, f"'{text[:40]}' is one text, not a number.", double_quotes(text))
            else:
                yield needs_number(argument.start, name, f"'{text}'")
        elif argument.kind in ("object", "boolean") or argument.name in ("NaN", "undefined", "null"):
            yield needs_number(argument.start, name, facts.script[argument.start : argument.end])
        for start, text in words_of(argument, facts):
            if not _is_number_list(text):
                yield needs_number(start, name, f"'{text}'")


def needs_number(start: int, name: str, given: str) -> ScriptFinding:
    """Return the error for a value that is not a number."""
    parameter = PARAMETERS.get(name)
    example = f"{parameter.usual:g}" if parameter else {"freq": "220"}.get(name, "0")
    return error(start, f"'{name}' needs a number, not {given}.", f"For example: .{name}({example})")


def double_quotes(text: str) -> str:
    """Return the suggestion for mini-notation in single quotes."""
    return f'Write it in double quotes: "{text[:60]}"'


def _is_number_list(text: str) -> bool:
    return all(NUMBER.match(part) or part in _RESTS for part in re.split(r"[:\s]+", text.strip()) if part)


def _tempo_faults(call: ScriptCall) -> Iterator[ScriptFinding]:
    for argument in call.args[:1]:
        if argument.kind in ("mini", "string", "boolean", "object", "array", "function") or argument.name == "NaN":
            text = f'"{argument.value}"' if argument.kind in ("mini", "string") else f"a value of kind {argument.kind}"
            yield error(
                argument.start,
                f"{call.name} needs a number, not {text}.",
                f"For example: {call.name}({TEMPO_FUNCTIONS[call.name or '']})",
            )
    if not call.args:
        yield error(
            call.name_start,
            f"{call.name} needs a number.",
            f"For example: {call.name}({TEMPO_FUNCTIONS[call.name or '']})",
        )


def _note_faults(call: ScriptCall, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    for argument in call.args[:1]:
        words = words_of(argument, facts)
        if argument.kind == "string":
            text = str(argument.value)
            if SEVERAL_VALUES.search(text):
                yield error(argument.start, f"'{text[:40]}' is one text, not notes.", double_quotes(text))
            else:
                words = [(argument.start, text)]
        for start, text in words:
            if NUMBER.match(text):
                continue
            number = note_number(text)
            if number is None:
                yield error(start, f"'{text}' is not a note.", not_a_note(text))
            elif number > _HIGHEST_NOTE:
                yield error(start, f"'{text}' is higher than any note.", "Octaves go up to 9.")


def not_a_note(text: str) -> str:
    """Return what to write instead of a word that is not a note."""
    letter = {"h": "b"}.get(text[:1].lower())
    return f"Did you mean '{letter}{text[1:]}'?" if letter else _NOTE_NAMES


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
