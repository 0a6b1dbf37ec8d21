"""Where the sections and voices are that a patch can name. Their lines are always whole statements.

A voice may be only a part of a statement: an argument of `stack`, or a part of `pick`. Such a part is replaced alone,
and code that is inserted after it goes after the whole statement.
"""

import re
from collections.abc import Sequence

from consort_strudel.engine import ScriptFacts, Statement
from consort_strudel.projects.patches.outline import LineRange, Span
from consort_strudel.structure import SongStructure
from consort_strudel.structure.models import SectionPart
from consort_strudel.structure.voices import VoicePlace, voice_places

_BEFORE_A_WHOLE = re.compile(r"(?:[\w$]+\s*:|(?:const|let|var)\s+[\w$]+\s*=)?\s*")
"""What may stand before a voice that is its whole statement: a label or a declaration."""


def section_places(facts: ScriptFacts, song: SongStructure) -> dict[str, tuple[LineRange, ...]]:
    """Return the places of what a patch can name, by lower-case name. A section's name wins over a voice's."""
    parts, places = song.structure, voice_places(facts)
    by_id = {voice.id: place for voice, place in zip(parts.voices, places, strict=True)}
    found: dict[str, tuple[LineRange, ...]] = {}
    for section in parts.sections:
        name = section.name.strip().lower()
        found[name] = (*found.get(name, ()), _section(section, by_id, facts))
    if parts.setup.lines:
        first = min((place.start for place in places), default=len(facts.script))
        end = max(statement.end for statement in facts.statements if statement.end <= first)
        found.setdefault("setup", (_lines(Span(0, end), facts),))
    if places:
        whole = [statement for place in places for statement in _statements(place, facts)]
        span = Span(min(each.start for each in whole), max(each.end for each in whole))
        found.setdefault("voices", (_lines(span, facts),))
    for voice in parts.voices:
        for label in (voice.id, voice.name or voice.id):
            found.setdefault(label.lower(), (_voice(by_id[voice.id], facts),))
    for statement in facts.statements:
        label = (statement.label or "").strip("_").lower()
        if label.strip("$"):
            found.setdefault(label, (_lines(Span(statement.start, statement.end), facts),))
    return found


def _section(section: SectionPart, by_id: dict[str, VoicePlace], facts: ScriptFacts) -> LineRange:
    """Return the place of a section: its lines, or only its voices if its statements have more than the section."""
    first, last = section.lines
    touched = [
        (statement, begin, end)
        for statement in facts.statements
        for begin, end in [_line_numbers(Span(statement.start, statement.end), facts)]
        if begin <= last and end >= first
    ]
    first, last = min([first, *(begin for _, begin, _ in touched)]), max([last, *(end for _, _, end in touched)])
    is_torn = [first, last] != section.lines
    has_heading = facts.script.split("\n")[section.lines[0] - 1].lstrip().startswith(("//", "/*"))
    voices = [
        by_id[name] for name in section.voices if section.lines[0] <= _line(by_id[name], facts) <= section.lines[1]
    ]
    has_others = not has_heading and any(
        statement.start <= place.start < statement.end
        for place in by_id.values()
        if place not in voices
        for statement, _, _ in touched
    )
    if not voices or not (is_torn or has_others):
        return LineRange(first, last)
    return LineRange(first, last, Span(min(each.start for each in voices), max(each.end for each in voices)))


def _voice(place: VoicePlace, facts: ScriptFacts) -> LineRange:
    statements = _statements(place, facts)
    if not statements:
        return _lines(Span(place.start, place.end), facts)
    statement = statements[0]
    lines = _lines(Span(statement.start, statement.end), facts)
    before = facts.script[statement.start : place.start]
    behind = facts.script[place.end : statement.end]
    if _BEFORE_A_WHOLE.fullmatch(before) and not behind.strip("; \n"):
        return lines
    return LineRange(lines.first, lines.last, Span(place.start, place.end))


def _lines(span: Span, facts: ScriptFacts) -> LineRange:
    """Return the lines of whole statements. If other statements share them, the characters say what to replace."""
    first, last = _line_numbers(span, facts)
    others = [
        Span(each.start, each.end) for each in facts.statements if each.end <= span.start or each.start >= span.end
    ]
    is_shared = any(begin <= last and end >= first for begin, end in (_line_numbers(other, facts) for other in others))
    return LineRange(first, last, span if is_shared else None)


def _line_numbers(span: Span, facts: ScriptFacts) -> tuple[int, int]:
    return facts.line_column(span.start)[0], facts.line_column(max(span.end - 1, span.start))[0]


def _statements(place: VoicePlace, facts: ScriptFacts) -> Sequence[Statement]:
    return [each for each in facts.statements if each.start <= place.start < each.end]


def _line(place: VoicePlace, facts: ScriptFacts) -> int:
    return facts.line_column(place.start)[0]
