"""Quotes: "double" and `backtick` strings are mini-notation, 'single' ones are plain text."""

import re
from collections.abc import Iterator

from consort_strudel.engine import ScriptFacts, ScriptString
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.parameter_table import PARAMETERS
from consort_strudel.validation.written.arguments import SEVERAL_VALUES, double_quotes
from consort_strudel.words import words

_PLAIN_TEXT = frozenset(
    words(
        "samples aliasBank soundAlias loadCsound loadOrc midi osc mqtt log p q setDefault worklet bbexpr "
        "byteBeatExpression registerSound markcss fetch color bytebeat K kabel scale addVoicings registerVoicings "
        "onKey label midimaps mini m minify"
    )
)
"""Functions whose strings are no patterns, or that accept spaces."""
_NEED_NUMBERS_OR_NOTES = frozenset((*PARAMETERS, "note"))
"""Functions for which text with several values is an error, which is reported with their arguments."""
_ADDRESS = re.compile(r"^(github|https?|shabda|bubo|file):", re.IGNORECASE)


def quote_traps(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    receivers = {call.receiver.index for call in facts.calls if call.receiver and call.receiver.kind == "string"}
    for index, string in enumerate(facts.strings):
        name = _function_of(string, facts)
        if string.is_mini and _ADDRESS.match(string.value):
            fix = f"'{string.value}'"
            yield error(
                string.start,
                "An address in double quotes is read as mini-notation, which cannot be loaded.",
                f"Write it in single quotes: {name or 'samples'}({fix})",
            )
        elif name in _PLAIN_TEXT or name in _NEED_NUMBERS_OR_NOTES:
            continue
        elif (string.parent is not None or index in receivers) and _is_mini_in_single_quotes(string):
            yield warning(
                string.start,
                f"A string in single quotes is not mini-notation: '{string.value[:40]}' is one value.",
                double_quotes(string.value),
            )


def with_mini_quotes(facts: ScriptFacts) -> str:
    """Return a script in which strings in single quotes that are meant as patterns are in double ones."""
    script = facts.script
    for string in facts.strings:
        if string.quote == "'" and _may_be_mini(string, _function_of(string, facts)):
            script = f'{script[: string.start]}"{script[string.start + 1 : string.end - 1]}"{script[string.end :]}'
    return script


def _may_be_mini(string: ScriptString, function: str | None) -> bool:
    if string.parent is None or _ADDRESS.match(string.value) or '"' in string.value:
        return False
    return function not in _PLAIN_TEXT or (function == "scale" and " " not in string.value)


def _function_of(string: ScriptString, facts: ScriptFacts) -> str | None:
    return facts.calls[string.parent].name if string.parent is not None else None


def _is_mini_in_single_quotes(string: ScriptString) -> bool:
    return not string.is_mini and string.quote == "'" and SEVERAL_VALUES.search(string.value) is not None
