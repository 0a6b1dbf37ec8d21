"""The sections of a script: headings in comments, and the parts of `arrange`, `cat` and `pick`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from consort_strudel.engine import Argument, ScriptFacts
from consort_strudel.structure.headings import Heading, parse_heading
from consort_strudel.structure.models import SectionPart, VoicePart
from consort_strudel.words import words

_SEQUENCES = frozenset(words("arrange cat slowcat seq randcat pick pickRestart inhabit pickReset pickOut squeeze"))


class _HeadingPlace(NamedTuple):
    line: int
    heading: Heading
    statement: int | None
    """The statement that it is inside of, as in `stack(⏎ // Drums⏎ s("bd"))`."""


def lines_of(script: str) -> list[str]:
    """Return the lines of a script. A line end at the end does not begin another line."""
    return script.removesuffix("\n").split("\n") if script else []


def sections_of(facts: ScriptFacts, voices: list[VoicePart]) -> list[SectionPart]:
    return [*_from_comments(facts, voices), *_from_sequences(facts, voices)]


def _from_comments(facts: ScriptFacts, voices: list[VoicePart]) -> Iterator[SectionPart]:
    """Yield a section for each heading, up to the next one outside statements or in the same statement.

    A heading without code before the next one (`// Intro`, then `// Drums`) reaches to the next part of the song.
    """
    places = _headings(facts)
    for place in places:
        following = [
            other for other in places if other.line > place.line and other.statement in (None, place.statement)
        ]
        if place.statement is None:
            following = [other for other in following if other.statement is None]
        next_line = following[0].line if following else None
        if next_line is not None and not _has_code(facts, place.line, next_line) and place.heading.is_part:
            next_line = next((other.line for other in following if other.heading.is_part), None)
        last = len(lines_of(facts.script))
        if place.statement is not None:
            last = facts.line_column(facts.statements[place.statement].end - 1)[0]
        end = min(last, next_line - 1) if next_line is not None else last
        if not _has_code(facts, place.line, end + 1):
            continue
        inside = [voice.id for voice in voices if place.line <= voice.lines[0] <= end]
        yield SectionPart(
            name=place.heading.name, lines=[place.line, end], voices=inside, description=place.heading.description
        )


def _headings(facts: ScriptFacts) -> list[_HeadingPlace]:
    """Return the comments that are headings and have lines of their own."""
    lines = lines_of(facts.script)
    found = []
    for comment in facts.comments:
        line, column = facts.line_column(comment.start)
        last, end = facts.line_column(comment.end)
        if lines[line - 1][: column - 1].strip() or lines[min(last, len(lines)) - 1][end - 1 :].strip():
            continue
        heading = parse_heading(comment.text)
        if heading is not None:
            inside = (
                number
                for number, statement in enumerate(facts.statements)
                if statement.start < comment.start < statement.end
            )
            found.append(_HeadingPlace(line, heading, next(inside, None)))
    return found


def _has_code(facts: ScriptFacts, first: int, end: int) -> bool:
    """Return whether a call, a string or a statement begins in these lines, without `end`."""
    starts = (each.start for kind in (facts.statements, facts.calls, facts.strings) for each in kind)
    return any(first <= facts.line_column(start)[0] < end for start in starts)


def _from_sequences(facts: ScriptFacts, voices: list[VoicePart]) -> list[SectionPart]:
    """Return a section for each part of `arrange([4, intro], …)`, and each named one of `cat(verse, chorus)` and picks.

    Parts with the same name in several sequences are one section. A part without a name, as `[8, stack(drums, bass)]`,
    is `part 2` if it is the second.
    """
    variables = {variable.name: variable for variable in facts.variables}
    found: dict[str, SectionPart] = {}
    for call in facts.calls:
        if call.name not in _SEQUENCES:
            continue
        for number, argument in enumerate(call.args, 1):
            for given, part, cycles in _parts(argument):
                name = given or (f"part {number}" if cycles and part.kind == "call" else None)
                if name is None:
                    continue
                start, end = part.start, part.end
                if part.kind == "name" and part.name in variables:
                    start, end = variables[part.name].start, variables[part.name].end
                inside = _inside(start, end, facts, voices)
                if name in found:
                    found[name].voices = list(dict.fromkeys((*found[name].voices, *inside)))
                    continue
                found[name] = SectionPart(
                    name=name,
                    lines=[facts.line_column(start)[0], facts.line_column(max(end - 1, start))[0]],
                    voices=inside,
                    description=f"{cycles:g} {'cycle' if cycles == 1 else 'cycles'}" if cycles else None,
                )
    return list(found.values())


def _parts(argument: Argument) -> Iterator[tuple[str | None, Argument, float | None]]:
    if argument.kind == "array" and len(argument.items) == 2 and argument.items[0].kind == "number":
        cycles, part = argument.items
        yield part.name, part, float(cycles.value or 0)
    elif argument.kind == "object":
        for item in argument.items:
            yield item.key, item, None
    elif argument.kind == "name":
        yield argument.name, argument, None


def _inside(start: int, end: int, facts: ScriptFacts, voices: list[VoicePart]) -> list[str]:
    """Return the voices that are written in a range, or are named there."""
    text = facts.script[start:end]
    first, last = facts.line_column(start)[0], facts.line_column(max(end - 1, start))[0]
    named = {variable.name for variable in facts.variables if re.search(rf"\b{re.escape(variable.name)}\b", text)}
    return [
        voice.id
        for voice in voices
        if voice.name in named or (voice.pattern in text and first <= voice.lines[0] <= last)
    ]
