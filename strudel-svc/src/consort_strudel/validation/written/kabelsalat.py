"""Programs of `K(...)`, in the language Kabelsalat, that are silent although they are legal."""

import re
from collections.abc import Iterator

from consort_strudel.engine import ScriptFacts
from consort_strudel.validation.finding import ScriptFinding, warning

_ARROW = re.compile(r"=>\s*")


def silent_programs(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield a warning for a program that Strudel does not call, and for one without an output."""
    for call in facts.calls:
        if call.name != "K" or not call.args:
            continue
        program = call.args[0]
        text = facts.script[program.start : program.end]
        arrow = _ARROW.search(text) if program.kind == "function" else None
        if arrow and not text.startswith("{", arrow.end()):
            yield warning(
                program.start,
                "K calls a function only if its body is in braces, so this one is silent.",
                f"K({text[arrow.end() :]})",
            )
        elif not any(other.name == "out" and program.start <= other.start < program.end for other in facts.calls):
            yield warning(program.start, "The program of K has no output, so it is silent.", "End it with .out()")
