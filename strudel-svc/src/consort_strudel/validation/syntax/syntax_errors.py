"""What cannot be parsed: the script as JavaScript, and its mini-notation."""

import re
from collections.abc import Iterable

from consort_strudel.engine import EngineNames, ScriptFacts
from consort_strudel.validation.engine_messages import euclid_in_mini
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.syntax.brackets import unclosed_string, unmatched_in_mini, unmatched_in_script
from consort_strudel.validation.syntax.missing_brackets import CLOSERS, missing_bracket

_WEIGHT_WITHOUT_ZERO = re.compile(r"@(\.\d+)")
_CURLY_QUOTES = re.compile("[\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb]")
_WITHOUT_QUOTES = re.compile(r"\b(note|s|sound|n|chord|scale|bank|vowel|freq|seq|cat)\(\s*(\w[^\"'`()\n]*)$")


def syntax_error(facts: ScriptFacts, names: EngineNames) -> ScriptFinding:
    """Return the error of a script that cannot be parsed, with the most probable cause."""
    assert facts.error is not None
    offset = facts.error.offset
    if _CURLY_QUOTES.match(facts.script, offset):
        what = f"'{facts.script[offset]}' is not a quote that the engine knows."
        return error(offset, what, 'Use straight quotes: "bd".')
    line_start = facts.script.rfind("\n", 0, offset) + 1
    if found := _WITHOUT_QUOTES.search(facts.script, line_start, offset):
        end = facts.script.find(")", offset)
        text = facts.script[found.start(2) : end if end >= 0 else offset].split("\n")[0]
        return error(found.start(2), f"The text of '{found[1]}' needs quotes.", f'Write {found[1]}("{text}").')
    string = unclosed_string(facts.script)
    if string:
        return error(string.offset, string.message, f"Add '{string.missing}'.")
    if found_bracket := _bracket_error(facts, names):
        return found_bracket
    return error(offset, f"The script is not valid JavaScript: {facts.error.message.rstrip('.')}.")


def _bracket_error(facts: ScriptFacts, names: EngineNames) -> ScriptFinding | None:
    """Return the error of a bracket without a partner, or None if there is none."""
    missing = missing_bracket(facts.script, names.functions | names.methods | names.values, names.controls)
    if missing is None:
        unmatched = unmatched_in_script(facts.script)
        if unmatched is None:
            return None
        return error(unmatched.offset, unmatched.message, f"Remove it, or add '{unmatched.missing}' before it.")
    partner = facts.script[missing.partner]
    if missing.after:
        line, column = facts.line_column(missing.partner)
        what = f"'(' is missing after '{missing.after}': '{partner}' at line {line}, column {column} closes nothing."
        return error(missing.offset, what, f"Write {missing.after}(")
    line, column = facts.line_column(missing.offset)
    closer = CLOSERS[partner]
    what = f"'{partner}' has no closing '{closer}'. It is probably missing at line {line}, column {column}."
    return error(missing.partner, what, f"Add '{closer}'.")


def mini_errors(facts: ScriptFacts) -> Iterable[ScriptFinding]:
    """Yield an error for each mini-notation that cannot be parsed, and a warning for one that is misread."""
    for string in facts.strings:
        if string.is_mini and string.error is None and (weight := _WEIGHT_WITHOUT_ZERO.search(string.value)):
            what = f"Mini-notation: '{weight[0]}' is read as a step, not as a length."
            yield warning(string.start + 1 + weight.start(), what, f"Write @0{weight[1]}")
        if string.error is None or re.match(r"^\w+:(//|[\w-]+/)", string.value):
            continue
        if unmatched := unmatched_in_mini(string.value):
            yield error(
                string.start + 1 + unmatched.offset,
                f"Mini-notation: {unmatched.message}",
                f"Add or remove '{unmatched.missing}'.",
            )
            continue
        if rhythm := euclid_in_mini(string.value):
            yield error(string.start + 1 + rhythm[0], f"Mini-notation: {rhythm[1]}", "For example: bd(3,8)")
            continue
        found = string.error.message.removesuffix(".").removesuffix(" found").rpartition(" but ")[2]
        what = f"{found} is not expected here" if string.error.message.startswith("Expected ") else string.error.message
        yield error(
            min(string.error.offset, string.end - 1),
            f"Mini-notation: {what}.",
            "Words, numbers and ~ with [ ] < > { } * / ! @ ? : , ( ) between; other text belongs into single quotes.",
        )
