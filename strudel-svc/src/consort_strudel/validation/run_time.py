"""What the engine itself says when it evaluates a script and asks for its events."""

import re
from collections.abc import Iterator

from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.validation.finding import ScriptFinding, error, warning

_STYLE = " background-color: black;color:white;border-radius:15px"
_FAILED = re.compile(r"^\[(\w+)\] (?:error: )?(.*)$", re.DOTALL)
_NOT_A_FUNCTION = re.compile(r"(?:^|[.\s])([\w$]+) is not a function")
_NOT_DEFINED = re.compile(r"^([\w$]+) is not defined")


def evaluation_error(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield the error that stops the script."""
    if evaluation.error:
        yield error(_place(facts, evaluation.error), _plain(evaluation.error))


def query_errors(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield the errors that Strudel only logs: the pattern is silent where they happen."""
    seen = set()
    for message in evaluation.messages:
        text = message.removesuffix(_STYLE)
        found = _FAILED.match(text)
        if found and "error" in text.lower() and found[2] not in seen:
            seen.add(found[2])
            yield error(_place(facts, found[2]), _plain(found[2]))


def silence(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield a warning for a script that plays nothing, and for each of its patterns that plays nothing."""
    if evaluation.error or not facts.statements:
        return
    if not evaluation.event_count:
        yield warning(facts.statements[0].start, "The script plays nothing in its first cycles.")
        return
    played = {start for event in evaluation.events for start, _ in event.locations}
    for index, statement in enumerate(facts.statements):
        if statement.label is None or statement.is_muted:
            continue
        words = [start for string in facts.strings if string.statement == index for start, _, _ in string.leaves]
        if words and not played.intersection(words):
            yield warning(statement.start, f"The pattern '{statement.label}' plays nothing in the first cycles.", None)


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
    return re.sub(r"^\[\w+\]\s*", "", message).removesuffix(_STYLE).strip()[:300]
