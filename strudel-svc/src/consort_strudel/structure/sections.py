"""The sections of a script: headings in comments, and the parts of `arrange`, `cat` and `pick`."""

import re
from collections.abc import Iterator

from consort_strudel.engine import Argument, ScriptFacts
from consort_strudel.structure.models import SectionPart, VoicePart
from consort_strudel.words import words

_WORDS = words(
    "intro verse chorus bridge breakdown break drop build buildup build-up outro main hook refrain interlude solo "
    "prechorus pre-chorus coda ending part section drums bass melody lead chords harmony pads pad fx effects "
    "percussion rhythm texture voices setup theme"
)
_HEADING = re.compile(r"^[\s=*#\-~_/.\[(]*([A-Za-z][\w \-/&']{0,40}?)\s*(\d*)[\s=*#\-~_/.\])]*(?::\s*(.{0,80}))?$")
_SEQUENCES = frozenset(words("arrange cat slowcat seq randcat pick pickRestart inhabit pickReset pickOut squeeze"))


def sections_of(facts: ScriptFacts, voices: list[VoicePart]) -> list[SectionPart]:
    return [*_from_comments(facts, voices), *_from_sequences(facts, voices)]


def _from_comments(facts: ScriptFacts, voices: list[VoicePart]) -> Iterator[SectionPart]:
    """Yield a section for each line that is only a heading, up to the next heading."""
    headings = []
    for comment in facts.comments:
        line, column = facts.line_column(comment.start)
        before = facts.script.split("\n")[line - 1][: column - 1]
        found = _HEADING.match(comment.text.strip())
        if before.strip() or (comment.is_block and "\n" in comment.text.strip()) or not found:
            continue
        name = f"{found[1]} {found[2]}".strip()
        if any(word in name.lower().split() for word in _WORDS) and len(name.split()) <= 4:
            headings.append((line, name.lower(), found[3]))
    last = facts.line_column(len(facts.script))[0]
    for place, (line, name, description) in enumerate(headings):
        end = headings[place + 1][0] - 1 if place + 1 < len(headings) else last
        inside = [voice.id for voice in voices if line <= voice.lines[0] <= end]
        yield SectionPart(name=name, lines=[line, end], voices=inside, description=description or None)


def _from_sequences(facts: ScriptFacts, voices: list[VoicePart]) -> Iterator[SectionPart]:
    """Yield a section for each named part of `arrange([4, intro], …)`, `cat(verse, chorus)`, `pick({intro: …})`."""
    variables = {variable.name: variable for variable in facts.variables}
    seen = set()
    for call in facts.calls:
        if call.name not in _SEQUENCES:
            continue
        for argument in call.args:
            for name, part, cycles in _parts(argument):
                if name is None or name in seen:
                    continue
                seen.add(name)
                start, end = part.start, part.end
                if part.kind == "name" and name in variables:
                    start, end = variables[name].start, variables[name].end
                inside = _inside(start, end, facts, voices)
                yield SectionPart(
                    name=name,
                    lines=[facts.line_column(start)[0], facts.line_column(max(end - 1, start))[0]],
                    voices=inside,
                    description=f"{cycles:g} cycles" if cycles else None,
                )


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
    return [
        voice.id
        for voice in voices
        if (voice.pattern in text and first <= voice.lines[0] <= last)
        or (voice.name and re.search(rf"\b{re.escape(voice.name)}\b", text))
    ]
