"""What the syntax tree of a script says. Positions are character offsets into the script."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

ArgumentKind = Literal["number", "boolean", "string", "mini", "call", "name", "function", "array", "object", "other"]


@dataclass(frozen=True)
class TextError:
    message: str
    offset: int


@dataclass(frozen=True)
class Argument:
    """An argument, or the receiver of a method. `index` is the place of its call or string in the facts."""

    kind: ArgumentKind
    start: int = 0
    end: int = 0
    value: float | str | bool | None = None
    name: str | None = None
    index: int | None = None
    key: str | None = None
    """Its name, if it belongs to an object."""
    items: tuple["Argument", ...] = ()
    """What an array or an object holds."""
    parameters: tuple[str, ...] = ()
    """The names of the parameters of a function."""


@dataclass(frozen=True)
class Variable:
    """A variable that is declared at the top of the script."""

    name: str
    start: int
    end: int
    statement: int
    value: Argument


@dataclass(frozen=True)
class ScriptCall:
    """A function call, a method call, or the reading of a property (`is_property`)."""

    name: str | None
    is_method: bool
    start: int
    end: int
    name_start: int
    statement: int
    parent: int | None
    """The call in whose arguments this one is."""
    argument: int | None
    depth: int
    receiver: Argument | None
    args: tuple[Argument, ...]
    is_property: bool = False


@dataclass(frozen=True)
class ScriptString:
    start: int
    end: int
    quote: str
    value: str
    is_mini: bool
    statement: int
    parent: int | None
    """The call in whose arguments it is."""
    argument: int | None
    leaves: tuple[tuple[int, int, str], ...] = ()
    """Start, end and text of each word of the mini-notation."""
    error: TextError | None = None


@dataclass(frozen=True)
class Statement:
    start: int
    end: int
    label: str | None
    """The name before the colon: `$`, `bass`, `_bass`."""
    kind: str
    value: Argument
    """What the statement's expression is."""

    @property
    def is_muted(self) -> bool:
        return self.label is not None and (self.label.startswith("_") or self.label.endswith("_"))


@dataclass(frozen=True)
class Comment:
    start: int
    end: int
    text: str
    is_block: bool


@dataclass(frozen=True)
class FreeName:
    """A name that the script uses and does not declare."""

    name: str
    start: int
    is_call: bool


@dataclass(frozen=True)
class ConstantAssignment:
    """An assignment to a name that is declared with `const`."""

    name: str
    start: int


@dataclass(frozen=True)
class ScriptFacts:
    script: str
    error: TextError | None = None
    statements: tuple[Statement, ...] = ()
    comments: tuple[Comment, ...] = ()
    calls: tuple[ScriptCall, ...] = ()
    strings: tuple[ScriptString, ...] = ()
    free_names: tuple[FreeName, ...] = ()
    variables: tuple[Variable, ...] = ()
    declared_names: frozenset[str] = field(default_factory=frozenset)
    declared_methods: frozenset[str] = field(default_factory=frozenset)
    """Methods that the script adds to patterns."""
    constant_assignments: tuple[ConstantAssignment, ...] = ()

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0] + [place + 1 for place, character in enumerate(self.script) if character == "\n"]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both from 1."""
        line = bisect_right(self._line_starts, max(offset, 0))
        return line, offset - self._line_starts[line - 1] + 1

    @cached_property
    def _statement_starts(self) -> list[int]:
        return [statement.start for statement in self.statements]

    def statement_at(self, offset: int) -> int | None:
        """Return the number of the statement that contains an offset, or None."""
        number = bisect_right(self._statement_starts, offset) - 1
        return number if number >= 0 and offset < self.statements[number].end else None

    def chain(self, call: int) -> list[int]:
        """Return the calls of a chain (`s("bd").gain(1)`), from the first one to this one."""
        found = [call]
        while (receiver := self.calls[found[-1]].receiver) and receiver.kind == "call" and receiver.index is not None:
            found.append(receiver.index)
        return found[::-1]

    def first_call(self, value: Argument) -> ScriptCall | None:
        """Return the first call of the chain that makes a value, or None if it is not made by calls."""
        if value.kind != "call" or value.index is None:
            return None
        return self.calls[self.chain(value.index)[0]]


def facts_of(script: str, result: Mapping[str, Any]) -> ScriptFacts:
    """Return the facts in the engine's answer."""
    if "error" in result:
        return ScriptFacts(script, TextError(**result["error"]))
    return ScriptFacts(
        script,
        statements=tuple(Statement(**row | {"value": _argument(row["value"])}) for row in result["statements"]),
        comments=tuple(Comment(**row) for row in result["comments"]),
        calls=tuple(_call(row) for row in result["calls"]),
        strings=tuple(_string(row) for row in result["strings"]),
        free_names=tuple(FreeName(**row) for row in result["free_names"]),
        variables=tuple(Variable(**row | {"value": _argument(row["value"])}) for row in result["variables"]),
        declared_names=frozenset(result["declared_names"]),
        declared_methods=frozenset(result["declared_methods"]),
        constant_assignments=tuple(ConstantAssignment(**row) for row in result["constant_assignments"]),
    )


def _call(row: dict[str, Any]) -> ScriptCall:
    receiver = row.pop("receiver")
    args = tuple(_argument(argument) for argument in row.pop("args"))
    return ScriptCall(receiver=_argument(receiver) if receiver else None, args=args, **row)


def _argument(row: dict[str, Any]) -> Argument:
    items = tuple(_argument(item) for item in row.get("items", ()))
    return Argument(**row | {"items": items, "parameters": tuple(row.get("parameters", ()))})


def _string(row: dict[str, Any]) -> ScriptString:
    leaves = tuple((leaf["start"], leaf["end"], leaf["text"]) for leaf in row.pop("leaves", ()))
    error = row.pop("error", None)
    return ScriptString(leaves=leaves, error=TextError(**error) if error else None, **row)
