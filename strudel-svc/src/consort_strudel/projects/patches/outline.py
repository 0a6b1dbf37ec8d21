"""Where the statements, comments and sections of a script are: what patches need to know about its structure."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from consort_kit.errors import InvalidInput


@dataclass(frozen=True)
class Span:
    """A range of characters, without `end`."""

    start: int
    end: int


@dataclass(frozen=True)
class LineRange:
    """Lines from 1, both included."""

    first: int
    last: int
    part: Span | None = None
    """What to replace, if these lines have more than that: a part of a statement, or one of several on a line."""


@dataclass(frozen=True)
class ScriptOutline:
    statements: tuple[Span, ...] = ()
    """At the top level, in order."""
    comments: tuple[Span, ...] = ()
    sections: Mapping[str, tuple[LineRange, ...]] = field(default_factory=dict)
    """By lower-case name: `setup`, `voices`, sections, labels and voice ids. Their lines are whole statements.

    Two sections may have the same name.
    """
    error: str | None = None
    """Why the script cannot be parsed."""


OutlineOf = Callable[[str], Awaitable[ScriptOutline]]


async def outline_of(script: str, read: OutlineOf) -> ScriptOutline:
    """Return the outline. Raise SCRIPT_NOT_PARSED if the script has a syntax error."""
    outline = await read(script)
    if outline.error:
        raise InvalidInput(
            f"This patch needs the statements of the script, but it cannot be parsed: {outline.error} Correct that"
            " first, by replace_line or replace_pattern.",
            code="SCRIPT_NOT_PARSED",
            suggestions=["replace_line", "replace_pattern"],
        )
    return outline
