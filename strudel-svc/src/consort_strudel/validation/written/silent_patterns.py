"""Patterns that are not heard: replaced, not played, or silent."""

import re
from collections.abc import Iterator

from consort_strudel.engine import Argument, Evaluation, ScriptFacts, Statement
from consort_strudel.validation.engine_messages import uncalled_methods
from consort_strudel.validation.finding import ScriptFinding, warning
from consort_strudel.words import words

_STARTERS = frozenset(
    words("s sound note n chord freq stack cat seq sequence slowcat fastcat arrange polymeter polyrhythm timecat mini")
)
"""Functions that make a pattern."""
_REGISTERS = re.compile(r"^([pq]|[pd][1-9])$")
"""Methods that make an unlabelled pattern a voice."""
_SIGNALS = frozenset(words("sine cosine saw isaw tri square perlin rand rand2 sine2 saw2 tri2 square2 cosine2 time"))


def unheard_patterns(
    facts: ScriptFacts, evaluation: Evaluation, later: Evaluation | None = None
) -> Iterator[ScriptFinding]:
    """Yield a warning for a script that plays nothing, and for each of its patterns that is not heard.

    `later` are events of later cycles, which are asked for only if something is silent (see `silent_statements`).
    """
    if not facts.statements:
        yield warning(0, "The script plays nothing: it has only comments.", 'For example: $: s("bd*4")')
        return
    if evaluation.error:
        return
    yield from _not_played(facts)
    uncalled = [warning(each.start, each.message, each.suggestion) for each in uncalled_methods(facts)]
    yield from uncalled
    if not evaluation.event_count and not (later and later.event_count):
        nothing = warning(facts.statements[0].start, "The script plays nothing in its first cycles.")
        yield from list(_signals(facts)) or uncalled or [nothing]
        return
    yield from _replaced(facts)
    for number in silent_statements(facts, evaluation, later):
        statement = facts.statements[number]
        yield warning(statement.start, f"The pattern '{statement.label}' plays nothing in the first cycles.")


def _not_played(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield a warning for each pattern without a label that another one replaces."""
    registered = {call.statement for call in facts.calls if call.is_method and _REGISTERS.match(call.name or "")}
    has_voices = bool(registered) or any(statement.label is not None for statement in facts.statements)
    last = len(facts.statements) - 1
    for number, statement in enumerate(facts.statements):
        if statement.label is not None or number in registered or not _is_expression(statement, facts):
            continue
        if has_voices:
            yield warning(
                statement.start, "This pattern is not played, because others have a label.", "Write $: before it."
            )
        elif number != last:
            yield warning(
                statement.start, "Only the last pattern is played, not this one.", "Write $: before each pattern."
            )


def _is_expression(statement: Statement, facts: ScriptFacts) -> bool:
    return statement.kind == "ExpressionStatement" and makes_pattern(statement.value, facts)


def makes_pattern(value: Argument, facts: ScriptFacts) -> bool:
    """Return whether a value is surely a pattern: mini-notation, or a chain that begins with `s` or the like."""
    first = facts.first_call(value)
    if first is None:
        return value.kind == "mini"
    if first.is_method:
        return first.receiver is not None and first.receiver.kind == "mini"
    return first.name in _STARTERS and first.name not in facts.declared_names


def _signals(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield a warning for each signal that is played as notes: it has no beginnings."""
    for call in facts.calls:
        if call.name in ("note", "n", "freq", "s", "sound") and call.args and call.args[0].kind == "name":
            name = call.args[0].name or ""
            source = next((each.value.name for each in facts.variables if each.name == name), name)
            if source in _SIGNALS:
                yield warning(
                    call.args[0].start,
                    f"'{source}' changes all the time and has no beginnings, so nothing plays.",
                    f"Divide it into steps: {call.name}({name}.range(48, 72).segment(8))",
                )


def _replaced(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield a warning for each label that is used again later."""
    later: dict[str, Statement] = {}
    for statement in reversed(facts.statements):
        label = statement.label
        if label is None or "$" in label or statement.is_muted:
            continue
        if label in later:
            line, _ = facts.line_column(later[label].start)
            yield warning(
                statement.start,
                f"The pattern '{label}' is replaced by line {line}.",
                "Give each pattern a different label, or write $: before both.",
            )
        else:
            later[label] = statement


def silent_statements(facts: ScriptFacts, evaluation: Evaluation, later: Evaluation | None = None) -> list[int]:
    """Return the numbers of the labelled patterns whose words do not play, also not later."""
    if evaluation.event_count != len(evaluation.events):
        return []
    events = (*evaluation.events, *(later.events if later else ()))
    played = {start for event in events for start, _ in event.locations}
    labels = [statement.label for statement in facts.statements]
    has_words, plays = set(), set()
    for string in facts.strings:
        for start, _, _ in string.leaves:
            has_words.add(string.statement)
            if start in played:
                plays.add(string.statement)
    found = []
    for number in sorted(has_words - plays):
        statement = facts.statements[number]
        label = statement.label
        if label is None or statement.is_muted or ("$" not in label and label in labels[number + 1 :]):
            continue
        found.append(number)
    return found
