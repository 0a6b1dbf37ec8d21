"""Quotes: "double" and `backtick` strings are mini-notation, 'single' ones are plain text."""

import re
from collections.abc import Iterator

from consort_strudel.engine import ScriptFacts, ScriptString
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.words import words

_LOOKS_LIKE_MINI = re.compile(r"[\[\]<>~*!@,]|[\w#]\s+[\w#~\[<]|\(\d+\s*,\s*\d+")
_PLAIN_TEXT = frozenset(
    words(
        "samples aliasBank soundAlias loadCsound loadOrc midi osc mqtt log p q setDefault worklet bbexpr "
        "byteBeatExpression registerSound markcss fetch color bytebeat K kabel scale addVoicings registerVoicings "
        "onKey label midimaps"
    )
)
"""Functions whose strings are no patterns, or that accept spaces."""
_ADDRESS = re.compile(r"^(github|https?|shabda|bubo|file):", re.IGNORECASE)


def quote_traps(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    for string in facts.strings:
        name = _function_of(string, facts)
        if string.is_mini and _ADDRESS.match(string.value):
            fix = f"'{string.value}'"
            yield error(
                string.start,
                "An address in double quotes is read as mini-notation, which cannot be loaded.",
                f"Write it in single quotes: {name or 'samples'}({fix})",
            )
        elif name not in _PLAIN_TEXT and _is_argument(string, facts) and _is_mini_in_single_quotes(string):
            yield warning(
                string.start,
                f"A string in single quotes is not mini-notation: '{string.value[:40]}' is one value.",
                f'Write it in double quotes: "{string.value[:60]}"',
            )


def _function_of(string: ScriptString, facts: ScriptFacts) -> str | None:
    return facts.calls[string.parent].name if string.parent is not None else None


def _is_argument(string: ScriptString, facts: ScriptFacts) -> bool:
    return string.parent is not None or any(
        call.receiver is not None and call.receiver.kind == "string" and call.receiver.value == string.value
        for call in facts.calls
    )


def _is_mini_in_single_quotes(string: ScriptString) -> bool:
    return not string.is_mini and string.quote == "'" and _LOOKS_LIKE_MINI.search(string.value) is not None
