"""Read snippets: whole statements, or ends of chains such as `.lpf(600)`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from consort_kit.errors import InvalidInput
from consort_strudel.engine import Engine, ScriptCall, ScriptFacts, ScriptString

_NEUTRAL = 'note("c")'
"""What an end of a chain is put behind."""
_LABEL = re.compile(r"^([A-Za-z_$][\w$]*): ", re.MULTILINE)
_TOGETHER = 40
"""How many snippets are parsed at once."""


@dataclass(frozen=True)
class Snippet:
    """A snippet, and what the parser says about it. Places are those of `facts.script`."""

    code: str
    facts: ScriptFacts
    start: int
    end: int

    @property
    def calls(self) -> list[ScriptCall]:
        return [call for call in self.facts.calls if self.start <= call.name_start < self.end]

    @property
    def strings(self) -> list[ScriptString]:
        return [string for string in self.facts.strings if self.start <= string.start < self.end]

    @property
    def free_names(self) -> list[str]:
        return [name.name for name in self.facts.free_names if self.start <= name.start < self.end and not name.is_call]

    @property
    def labels(self) -> list[str]:
        """The names of voices at the beginning of lines: `$`, `bass`, `_bass`."""
        return _LABEL.findall(self.code)


def is_fragment(code: str) -> bool:
    """Return whether code is the end of a chain."""
    return code.lstrip().startswith(".") and not code.lstrip().startswith(("..", *(f".{digit}" for digit in range(10))))


async def read_snippet(engine: Engine, code: str, field: str) -> Snippet:
    """Return a snippet. Raise SYNTAX_ERROR with the place if it cannot be parsed."""
    if not code.strip():
        raise InvalidInput(f"'{field}' is empty. Give Strudel code such as s(\"bd*4\") or .lpf(600).", field=field)
    whole, start = _whole(code)
    facts = await engine.parse(whole)
    if facts.error:
        line, column = ScriptFacts(code).line_column(max(facts.error.offset - start, 0))
        raise InvalidInput(
            f"'{field}' cannot be parsed: line {line}, column {column}: {facts.error.message.rstrip('.')}. Give Strudel"
            ' code such as s("bd*4") or .lpf(600); mini-notation needs quotes around it.',
            code="SYNTAX_ERROR",
            field=field,
            suggestions=["validate_script"],
        )
    return Snippet(code, facts, start, len(whole))


async def read_snippets(engine: Engine, codes: Sequence[str]) -> list[Snippet | None]:
    """Return many snippets, parsed together. None stands for one that cannot be parsed."""
    found: list[Snippet | None] = []
    for first in range(0, len(codes), _TOGETHER):
        found += await _read_together(engine, codes[first : first + _TOGETHER])
    return found


async def _read_together(engine: Engine, codes: Sequence[str]) -> list[Snippet | None]:
    script, places = "", []
    for code in codes:
        whole, start = _whole(code)
        script += "{\n"  # a block: names may be declared again
        places.append((len(script) + start, len(script) + len(whole)))
        script += whole + "\n}\n"
    facts = await engine.parse(script)
    if not facts.error:
        return [Snippet(code, facts, *place) for code, place in zip(codes, places, strict=True)]
    if len(codes) == 1:
        return [None]
    half = len(codes) // 2
    return [*await _read_together(engine, codes[:half]), *await _read_together(engine, codes[half:])]


def _whole(code: str) -> tuple[str, int]:
    """Return code that can be parsed, and where the snippet begins in it."""
    if is_fragment(code):
        return _NEUTRAL + code.lstrip(), len(_NEUTRAL)
    return code, 0
