"""Where code goes that is inserted beside a match: before or after the whole statement that contains it.

A match in a comment outside all statements counts as a match of the comment. Code is inserted on separate lines,
so a line that has two statements is split between them.
"""

from collections.abc import Iterable

from consort_strudel.projects.patches.outline import ScriptOutline, Span


def units_of(matches: Iterable[Span], script: str, outline: ScriptOutline) -> list[Span]:
    """Return the units that contain the matches, each once, in order.

    A unit is a statement, several if a match reaches over several, a comment, or else the line.
    """
    return list(dict.fromkeys(_unit_of(match, script, outline) for match in matches))


def _unit_of(match: Span, script: str, outline: ScriptOutline) -> Span:
    for kind in (outline.statements, outline.comments):
        touched = [span for span in kind if span.start < match.end and match.start < span.end]
        if touched:
            return Span(touched[0].start, touched[-1].end)
    return Span(_line_start(script, match.start), _line_end(script, match.end))


def offset_before(unit: Span, script: str, outline: ScriptOutline) -> int:
    """Return the offset at which code before a unit begins: the start of its line, unless something else is there."""
    begin = _line_start(script, unit.start)
    shares_line = any(span.start < unit.start and span.end > begin for span in outline.statements)
    in_comment = any(span.start < begin < span.end for span in outline.comments if span.end <= unit.start)
    return unit.start if shares_line or in_comment else begin


def offset_after(unit: Span, script: str, outline: ScriptOutline) -> int:
    """Return the offset at which code after a unit begins: the end of its last line, or the next statement there.

    A comment that begins on that line stays with the unit.
    """
    end = _line_end(script, unit.end)
    following = next((span.start for span in outline.statements if span.start >= unit.end), None)
    if following is not None and following < end:
        return following
    for comment in outline.comments:
        if comment.start < end < comment.end:
            end = _line_end(script, comment.end)
    return min(end, following) if following is not None else end


def _line_start(script: str, offset: int) -> int:
    return script.rfind("\n", 0, offset) + 1


def _line_end(script: str, offset: int) -> int:
    end = script.find("\n", offset)
    return len(script) if end < 0 else end
