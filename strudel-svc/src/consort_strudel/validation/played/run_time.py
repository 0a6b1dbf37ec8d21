"""What the engine itself says when it evaluates a script and asks for its events."""

import re
from collections.abc import Iterator, Sequence

from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.validation.engine_messages import EXPLANATIONS
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.written.arguments import NUMBER

_LARGE_FACTOR = 500
_ARITHMETIC = ("add", "sub", "mul", "div", "mod", "pow")
_LOST = "Can't do arithmetic on control pattern"
_FAILED = re.compile(r"^\[(\w+)\] (?:error: )?(.*)$", re.DOTALL)
_NOT_A_FUNCTION = re.compile(r"(?:^|[.\s])([\w$]+) is not a function")
_NOT_DEFINED = re.compile(r"^([\w$]+) is not defined")


def evaluation_error(
    facts: ScriptFacts, evaluation: Evaluation, doubts: Sequence[ScriptFinding] = ()
) -> Iterator[ScriptFinding]:
    """Yield the error that stops the script. `doubts` are warnings that may explain it."""
    if evaluation.error:
        yield _explained(facts, evaluation.error, doubts, evaluation.is_late)


def query_errors(
    facts: ScriptFacts, evaluation: Evaluation, doubts: Sequence[ScriptFinding] = ()
) -> Iterator[ScriptFinding]:
    """Yield the errors that Strudel only logs: the pattern is silent where they happen."""
    seen = set()
    for message in evaluation.messages:
        found = _FAILED.match(message)
        if found and "error" in message.lower() and found[2] not in seen:
            seen.add(found[2])
            yield _explained(facts, found[2], doubts)


def lost_arithmetic(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield a warning where a number is added to controls: `note("c3").add(12)` plays c3."""
    if not any(_LOST in message for message in evaluation.messages):
        return
    for index, call in enumerate(facts.calls):
        if call.name not in _ARITHMETIC or call.receiver is None or not call.args or call.args[0].kind == "call":
            continue
        before = [facts.calls[each].name for each in facts.chain(index)[:-1]]
        control = next((name for name in before if name in ("note", "n", "s", "sound", "freq")), None)
        if control or call.receiver.kind == "name":
            control = control or "note"
            value = facts.script[call.args[0].start : call.args[0].end]
            yield warning(
                call.name_start,
                f"'{call.name}' does nothing here: it cannot calculate with '{control}' and a plain number.",
                f"Write .{call.name}({control}({value})), or .{call.name}({value}) inside the brackets of {control}.",
            )
            return


def _explained(
    facts: ScriptFacts, message: str, doubts: Sequence[ScriptFinding], is_late: bool = False
) -> ScriptFinding:
    """Return the error in plain words, where it probably is, with a fix."""
    if is_late:
        return error(_largest_factor(facts), _plain(message), "Use smaller factors, and fewer or shorter patterns.")
    for explain in EXPLANATIONS:
        if found := explain(facts, message):
            return found
    if doubts:  # a string in the wrong quotes is the most probable cause
        first = doubts[0]
        return error(first.start, f"{first.message} The engine cannot use it here.", first.suggestion)
    return error(_place(facts, message), _plain(message))


def _largest_factor(facts: ScriptFacts) -> int:
    """Return the place of the largest number after `*`, or in a call that makes patterns faster; or the first voice."""
    found = [
        (float(text), start)
        for string in facts.strings
        for start, _, text in string.leaves
        if facts.script[start - 1] in "*!" and NUMBER.match(text)
    ]
    found += [
        (float(call.args[0].value or 0), call.args[0].start)
        for call in facts.calls
        if call.name in ("fast", "ply", "segment", "seg", "chop", "striate", "hurry", "echo", "stut")
        and call.args
        and call.args[0].kind == "number"
    ]
    largest, start = max(found, default=(0.0, 0))
    if largest > _LARGE_FACTOR:
        return start
    return facts.statements[0].start if facts.statements else 0


def _place(facts: ScriptFacts, message: str) -> int:
    """Return where an error probably is: the last call of the name in its message, or the last pattern."""
    for pattern in (_NOT_A_FUNCTION, _NOT_DEFINED):
        if found := pattern.search(message):
            places = [call.name_start for call in facts.calls if call.name == found[1]]
            if places:
                return places[-1]
    for string in facts.strings:
        if string.value and len(string.value) > 1 and f"{string.value}" in message.split('"'):
            return string.start
    words = set(re.findall(r"[\w#:.-]+", message))
    for string in facts.strings:
        for start, _, word in string.leaves:
            if len(word) > 1 and word in words and not word.replace(".", "").isdigit():
                return start
    for call in facts.calls:
        if call.name and len(call.name) > 2 and call.name in words:
            return call.name_start
    return facts.statements[-1].start if facts.statements else 0


_IN_PLAIN_WORDS = {
    "unexpected ast format without body expression": 'The last statement must be a pattern, such as s("bd").',
    "Maximum call stack size exceeded": "A function calls itself without end.",
}


def _plain(message: str) -> str:
    if message in _IN_PLAIN_WORDS:
        return _IN_PLAIN_WORDS[message]
    text = re.sub(r"^\[\w+\]\s*", "", message).strip()[:300]
    return text if text.endswith((".", "?", "!")) else f"{text}."
