"""Calls of tools that are written down, and that use ids of earlier answers.

In the arguments, a text that is `<field>` stands for the newest value of that field in any answer so far, and
`<name.field>` for the one in the answer of the call with this name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_PLACEHOLDER = re.compile(r"<(?:(\w+)\.)?(\w+)>")


@dataclass(frozen=True)
class ScriptedCall:
    tool: str
    arguments: dict[str, Any]
    name: str | None = None


@dataclass
class ScriptAnswers:
    """The answers of the calls so far."""

    newest: dict[str, Any] = field(default_factory=dict)
    named: dict[str, dict[str, Any]] = field(default_factory=dict)

    def keep(self, call: ScriptedCall, answer: Any) -> None:
        values = dict(_fields(answer))
        self.newest |= values
        if call.name:
            self.named[call.name] = values

    def fill(self, value: Any) -> Any:
        """Return a copy with values instead of placeholders. Raise KeyError if there is no such value."""
        if isinstance(value, dict):
            return {name: self.fill(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.fill(each) for each in value]
        found = _PLACEHOLDER.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            return value
        name, wanted = found.groups()
        return (self.named[name] if name else self.newest)[wanted]


def _fields(answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an answer. Those of the outermost object and of a list's first item come last and count."""
    if isinstance(answer, list):
        for each in reversed(answer):
            yield from _fields(each)
    elif isinstance(answer, dict):
        for value in answer.values():
            if isinstance(value, dict | list):
                yield from _fields(value)
        yield from ((name, value) for name, value in answer.items() if isinstance(value, str | int))
