"""Apply patch instructions to a script, all or none."""

from dataclasses import dataclass

from consort_kit.errors import ConsortError, InvalidInput
from consort_music.texts.plurals import counted
from consort_strudel.projects.models.patches import PatchInstruction
from consort_strudel.projects.patches.find_pattern import find_pattern
from consort_strudel.projects.patches.insert_places import offset_after, offset_before, units_of
from consort_strudel.projects.patches.line_buffer import LineBuffer, block_of_lines
from consort_strudel.projects.patches.outline import LineRange, OutlineOf, ScriptOutline, Span, outline_of

_SHOWN = 50


@dataclass(frozen=True)
class PatchedScript:
    script: str
    preview: str
    """What each instruction did, one sentence each."""


async def apply_patches(script: str, instructions: list[PatchInstruction], read_outline: OutlineOf) -> PatchedScript:
    """Return the changed script. An error names the instruction by its place in the list."""
    buffer = LineBuffer(script)
    done = []
    for place, instruction in enumerate(instructions):
        try:
            done.append(await _apply(buffer, instruction, read_outline))
        except ConsortError as error:
            if len(instructions) > 1:
                error.body.message = f"Instruction {place + 1} of {len(instructions)}: {error.body.message}"
                error.body.field = f"patch_instructions.{place}"
            else:
                error.body.field = "patch_instructions"
            raise
    return PatchedScript(buffer.text, " ".join(done))


async def _apply(buffer: LineBuffer, instruction: PatchInstruction, read_outline: OutlineOf) -> str:
    """Carry out one instruction and return a sentence about it."""
    match instruction.action.rpartition("_")[2]:
        case "line":
            return _edit_line(buffer, instruction)
        case "pattern" if instruction.action == "replace_pattern":
            return await _replace_pattern(buffer, instruction)
        case "pattern":
            return await _insert_at_pattern(buffer, instruction, read_outline)
        case "section":
            return await _edit_section(buffer, instruction, read_outline)
        case _:
            lines = block_of_lines(instruction.new_content or "")
            if instruction.action == "append":
                buffer.append(lines)
                return f"Added {_lines(lines)} at the end: {_shown(lines)}."
            buffer.insert(0, lines)
            return f"Added {_lines(lines)} at the start: {_shown(lines)}."


def _edit_line(buffer: LineBuffer, instruction: PatchInstruction) -> str:
    number = instruction.line_number
    assert number is not None
    if instruction.action == "delete_line":
        old = buffer.text_of(buffer.find(number))
        buffer.replace_number(number, [])
        return f"Deleted line {number}: {_shown([old])}."
    if instruction.action == "replace_line":
        old = buffer.text_of(buffer.find(number))
        lines = (instruction.new_content or "").removesuffix("\n").split("\n")
        buffer.replace_number(number, lines)
        return f"Replaced line {number}: {_shown([old])} by {_shown(lines)}."
    lines = block_of_lines(instruction.new_content or "")
    if instruction.action == "insert_after_line":
        buffer.insert_after_number(number, lines)
        return f"Inserted {_lines(lines)} after line {number}: {_shown(lines)}."
    buffer.insert(buffer.find(number), lines)
    return f"Inserted {_lines(lines)} before line {number}: {_shown(lines)}."


async def _replace_pattern(buffer: LineBuffer, instruction: PatchInstruction) -> str:
    script, content = buffer.text, instruction.new_content or ""
    matches = await find_pattern(instruction.pattern or "", script, instruction.occurrence)
    line = buffer.line_at(matches[0].start) + 1
    buffer.replace_ranges([(match.start, match.end) for match in matches], content)
    old = script[matches[0].start : matches[0].end]
    more = f" and {counted(len(matches) - 1, 'more place')}" if len(matches) > 1 else ""
    return f"Replaced {_shown([old])} in line {line}{more} by {_shown([content])}."


async def _insert_at_pattern(buffer: LineBuffer, instruction: PatchInstruction, read_outline: OutlineOf) -> str:
    script, lines = buffer.text, block_of_lines(instruction.new_content or "")
    matches = await find_pattern(instruction.pattern or "", script, instruction.occurrence)
    outline = await outline_of(script, read_outline)
    units = units_of(matches, script, outline)
    is_after = instruction.action == "insert_after_pattern"
    line = buffer.line_at(units[0].start) + 1
    offset_of = offset_after if is_after else offset_before
    buffer.insert_at([offset_of(unit, script, outline) for unit in units], lines, after=is_after)
    more = f" and at {counted(len(units) - 1, 'more place')}" if len(units) > 1 else ""
    where = "after" if is_after else "before"
    return f"Inserted {_lines(lines)} {where} the statement in line {line}{more}: {_shown(lines)}."


async def _edit_section(buffer: LineBuffer, instruction: PatchInstruction, read_outline: OutlineOf) -> str:
    name, lines = instruction.section or "", block_of_lines(instruction.new_content or "")
    outline = await outline_of(buffer.text, read_outline)
    found = outline.sections.get(name.strip().lower(), ())
    is_insert = instruction.action == "insert_after_section"
    if not found and name.strip().lower() == "setup":
        buffer.insert(0, lines)
        return f"Inserted {_lines(lines)} at the start, as there is no setup: {_shown(lines)}."
    section = _the_section(name, found, outline)
    first, last = section.first - 1, section.last - 1
    while last > first and not buffer.text_of(last).strip():
        last -= 1  # blank lines separate it from the next section
    if is_insert:
        if section.part:
            unit = units_of([section.part], buffer.text, outline)[0]
            buffer.insert_at([offset_after(unit, buffer.text, outline)], lines, after=True)
        else:
            buffer.insert(last + 1, lines)
        return f"Inserted {_lines(lines)} after {name} (line {last + 1}): {_shown(lines)}."
    if section.part:
        return _replace_part(buffer, name, section.part, instruction.new_content or "", outline)
    if _is_comment(buffer.text_of(first)) and not _is_comment(lines[0]) and first < last:
        first += 1  # the comment is the heading that names the section
    buffer.replace_lines(first, last, lines)
    replaced = f"line {first + 1}" if first == last else f"lines {first + 1} to {last + 1}"
    return f"Replaced {name} ({replaced}) by {_lines(lines)}: {_shown(lines)}."


def _replace_part(buffer: LineBuffer, name: str, part: Span, content: str, outline: ScriptOutline) -> str:
    """Replace a part of a statement, or one of several statements on a line: the next one then begins a line.

    A comma at the end of the new code is dropped if there is one, or a bracket, behind it.
    """
    script, line, end = buffer.text, buffer.line_at(part.start) + 1, part.end
    text = content.strip()
    if script[end:].lstrip()[:1] in (",", ")", "}", "]"):
        text = text.removesuffix(",")
    following = next((each.start for each in outline.statements if each.start >= end), None)
    is_whole = any(each.end == end for each in outline.statements)
    if is_whole and following is not None and not script[end:following].strip() and "\n" not in script[end:following]:
        text, end = f"{text}\n", following
    buffer.replace_ranges([(part.start, end)], text)
    return f"Replaced {name} (in line {line}) by {_shown([content])}."


def _the_section(name: str, found: tuple[LineRange, ...], outline: ScriptOutline) -> LineRange:
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"{each.first}-{each.last}" for each in found)
        raise InvalidInput(
            f"'section' {name[:_SHOWN]!r} is the name of {len(found)} sections, in lines {places}. Use line numbers.",
            code="SECTION_NOT_UNIQUE",
            suggestions=["insert_after_line"],
        )
    known = list(outline.sections)
    raise InvalidInput(
        f"There is no section {name[:_SHOWN]!r}. Known: {', '.join(known[:20]) or 'none'}."
        " analyze_song_structure shows them.",
        code="SECTION_NOT_FOUND",
        suggestions=known[:20] or ["analyze_song_structure"],
    )


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("//", "/*"))


def _lines(lines: list[str]) -> str:
    return counted(len(lines), "line")


def _shown(lines: list[str]) -> str:
    """Return code, shortened to one short line, in backquotes."""
    text = next((line.strip() for part in lines for line in part.split("\n") if line.strip()), "")
    is_cut = len(text) > _SHOWN or sum(part.count("\n") + 1 for part in lines) > 1
    return f"`{text[:_SHOWN]}{' …' if is_cut else ''}`"
