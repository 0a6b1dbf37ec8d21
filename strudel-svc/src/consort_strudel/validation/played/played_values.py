"""Values of the events that play, which the sound engine cannot use or does not play.

The syntax tree shows only what is written as a literal; here variables and functions have their values.
"""

from collections.abc import Iterator
from typing import Any

from consort_strudel.engine import Evaluation, PlayedEvent, ScriptFacts
from consort_strudel.music_words import note_number, number_of
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.parameter_table import PARAMETERS
from consort_strudel.validation.written.arguments import needs_number, not_a_note
from consort_strudel.words import words

_FUNCTION = "?"
"""How the engine shows a function."""
_CONTROLS = {name: parameter.name for name, parameter in PARAMETERS.items() if name != "partials"}
"""Controls that are one number, with the name that is used most."""
_SOUND_CALLS = frozenset(("s", "sound"))
_OTHER_OUTPUTS = frozenset(("midi", "osc", "mqtt", "csound", "csoundm", "serial", "hydra", "onTrigger", "log"))


def value_faults(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield what is wrong with the values of events, each kind of fault once at its place."""
    seen: set[tuple[int, str]] = set()
    elsewhere = {call.statement for call in facts.calls if call.name in _OTHER_OUTPUTS}
    for event in evaluation.events:
        if elsewhere and (not event.locations or facts.statement_at(event.locations[0][0]) in elsewhere):
            continue
        for finding in _faults(event, facts):
            if (finding.start, finding.message) not in seen:
                seen.add((finding.start, finding.message))
                yield finding


def _faults(event: PlayedEvent, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    value = event.value
    if value == _FUNCTION:
        yield _function_instead_of_pattern(event, facts)
    elif not isinstance(value, dict):
        yield from _bare_value(event, facts)
    else:
        yield from _note_fault(event, facts)
        yield from _sound_fault(event, facts)
        for name, given in value.items():
            if name in _CONTROLS and not _is_usable(given):
                start = _place(
                    event, given, facts, {alias for alias, row in _CONTROLS.items() if row == _CONTROLS[name]}
                )
                yield needs_number(start, _written_name(start, name, facts), _shown(given))
        for name in ("n", "freq"):
            if name in value and not _is_usable(value[name]) and "note" not in value:
                yield needs_number(_place(event, value[name], facts, {name}), name, _shown(value[name]))
        begin, end = number_of(value.get("begin", 0)), number_of(value.get("end", 1))
        if begin is not None and end is not None and begin >= end:
            yield warning(
                _place(event, value.get("begin"), facts, {"begin", "end"}),
                f"begin({begin:g}) is not before end({end:g}), so this makes no sound.",
                "Use a begin below the end, and .speed(-1) to play backwards.",
            )


def _function_instead_of_pattern(event: PlayedEvent, facts: ScriptFacts) -> ScriptFinding:
    """Return the error for a function that waits for an argument: `sometimes(fast)`."""
    for call in facts.calls:
        for argument in call.args:
            if argument.kind == "name" and argument.name not in facts.declared_names and argument.name in _NEED_VALUES:
                name = argument.name
                return error(
                    argument.start,
                    f"'{name}' needs a value, so the pattern becomes a function that cannot play.",
                    f"For example: {call.name}({'4, ' if argument is not call.args[0] else ''}x => x.{name}(2))",
                )
    start = facts.statements[-1].start if facts.statements else 0
    return error(start, "A function plays here instead of a pattern.", "Call it: name(…)")


_NEED_VALUES = frozenset(PARAMETERS) | frozenset(
    words("early late add sub mul div echo struct mask euclid range transpose scaleTranspose linger off every jux")
)
"""Functions that need a value before they can change a pattern."""


def _bare_value(event: PlayedEvent, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    start = event.locations[0][0] if event.locations else (facts.statements[-1].start if facts.statements else 0)
    shown = _short(event.value)
    for string in facts.strings:
        if string.start <= start < string.end:
            start, shown = string.start, _short(string.value)
            break
    is_note = isinstance(event.value, int | float) or note_number(str(event.value)) is not None
    name = "note" if is_note else "s"
    yield warning(
        start,
        f"'{shown}' is only a value, without s or note, so it is not heard.",
        f'Write {name}("{shown}"), or .{name}() after it.',
    )


def _note_fault(event: PlayedEvent, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    note = event.value.get("note")
    if "note" not in event.value or number_of(note) is not None:
        return
    if isinstance(note, str) and (note_number(note) is not None or note == ""):
        return
    start = _place(event, note, facts, {"note"})
    if isinstance(note, str) and note != _FUNCTION:
        yield error(start, f"'{_short(note)}' is not a note.", not_a_note(note))
    elif note is None:
        yield error(start, "'note' has no value.", 'For example: note("c3 e3 g3")')
    else:
        yield error(start, f"'note' needs notes, not {_shown(note)}.", 'For example: note("c3 e3 g3")')


def _sound_fault(event: PlayedEvent, facts: ScriptFacts) -> Iterator[ScriptFinding]:
    if "s" not in event.value or isinstance(sound := event.value["s"], str | int | float):
        if event.value.get("s") != _FUNCTION:
            return
        sound = _FUNCTION
    start = _place(event, sound, facts, _SOUND_CALLS)
    if sound is None:
        yield error(start, "'s' has no sound, so nothing is heard.", 'For example: s("bd")')
    else:
        yield error(start, f"'s' needs the name of a sound, not {_shown(sound)}.", 'For example: s("bd")')


def _is_usable(given: Any) -> bool:
    if isinstance(given, list):
        return all(_is_usable(item) for item in given)
    return given is None or isinstance(given, bool) or number_of(given) is not None


def _place(event: PlayedEvent, given: Any, facts: ScriptFacts, names: frozenset[str] | set[str]) -> int:
    """Return where a value is written: the word of the event, or the argument of a call of one of the names."""
    for start, end in event.locations:
        if isinstance(given, str) and facts.script[start:end] == given:
            return start
    statements = {facts.statement_at(start) for start, _ in event.locations}
    calls = [call for call in facts.calls if call.name in names]
    own = [call for call in calls if call.statement in statements] or calls
    if not own:
        return event.locations[0][0] if event.locations else 0
    return own[-1].args[0].start if own[-1].args else own[-1].name_start


def _written_name(start: int, name: str, facts: ScriptFacts) -> str:
    """Return the name by which the script calls a control: `lpf` for `cutoff`."""
    for call in facts.calls:
        if call.args and call.args[0].start <= start < call.args[0].end and call.name in _CONTROLS:
            return call.name or name
    return _CONTROLS[name]


def _shown(given: Any) -> str:
    if given == _FUNCTION:
        return "a function"
    if isinstance(given, dict):
        return "an object"
    if isinstance(given, list):
        return "a list"
    return "nothing" if given is None else f"'{_short(given)}'"


def _short(text: Any) -> str:
    return str(text)[:40]
