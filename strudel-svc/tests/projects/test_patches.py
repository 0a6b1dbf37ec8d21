"""Patches of scripts, without a database."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from consort_kit.errors import ConsortError
from consort_strudel.projects.models.canvas import UpdateSong
from consort_strudel.projects.models.patches import Action, PatchInstruction
from consort_strudel.projects.patches.apply import PatchedScript, apply_patches
from consort_strudel.projects.patches.outline import ScriptOutline, Span
from tests.support.strudel_projects import SimpleReading

SONG = """setcpm(120/4)

// Drums
kick: s("bd*4")
  .gain(.9)
hats: s("hh*8") // closed

// Bass
bass: note("c2")
"""


def patched(script: str, *instructions: dict[str, Any]) -> PatchedScript:
    request = UpdateSong(project_name="x", patch_instructions=list(instructions))
    return asyncio.run(apply_patches(script, request.patch_instructions, SimpleReading().outline))


def error_of(script: str, *instructions: dict[str, Any]) -> ConsortError:
    with pytest.raises(ConsortError) as raised:
        patched(script, *instructions)
    return raised.value


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ({"action": "replace_line", "line_number": 2, "new_content": "B"}, "a\nB\nc\n"),
        ({"action": "replace_line", "line_number": 2, "new_content": "B\nb2\n"}, "a\nB\nb2\nc\n"),
        ({"action": "insert_after_line", "line_number": 3, "new_content": "d"}, "a\nb\nc\nd\n"),
        ({"action": "insert_before_line", "line_number": 1, "new_content": "0"}, "0\na\nb\nc\n"),
        ({"action": "delete_line", "line_number": 1}, "b\nc\n"),
        ({"action": "append", "new_content": "d\ne"}, "a\nb\nc\nd\ne\n"),
        ({"action": "prepend", "new_content": "\n0\n"}, "0\na\nb\nc\n"),
    ],
)
def test_lines_and_ends(instruction: dict[str, Any], expected: str) -> None:
    assert patched("a\nb\nc\n", instruction).script == expected


def test_an_empty_script_and_one_without_a_last_line_end() -> None:
    assert patched("", {"action": "append", "new_content": "a"}).script == "a\n"
    assert patched("a", {"action": "append", "new_content": "b"}).script == "a\nb"
    assert patched("a\n", {"action": "delete_line", "line_number": 1}).script == ""


def test_line_numbers_of_a_list_are_those_before_the_call() -> None:
    result = patched(
        "a\nb\nc\nd\n",
        {"action": "insert_after_line", "line_number": 1, "new_content": "first"},
        {"action": "insert_after_line", "line_number": 1, "new_content": "second"},
        {"action": "delete_line", "line_number": 2},
        {"action": "replace_pattern", "pattern": "^c$", "new_content": "cc"},
        {"action": "replace_line", "line_number": 4, "new_content": "D"},
        {"action": "insert_before_line", "line_number": 3, "new_content": "before c"},
    )
    assert result.script == "a\nfirst\nsecond\nbefore c\ncc\nD\n"


@given(st.data())
def test_random_line_edits(data: st.DataObject) -> None:
    """Each line keeps what is inserted before and after it, in order, wherever the other edits are."""
    count = data.draw(st.integers(1, 6))
    before: dict[int, list[str]] = {number: [] for number in range(1, count + 1)}
    after: dict[int, list[str]] = {number: [] for number in range(1, count + 1)}
    lines = {number: [f"line {number}"] for number in range(1, count + 1)}
    instructions = []
    for step in range(data.draw(st.integers(1, 12))):
        number = data.draw(st.integers(1, count))
        action = data.draw(st.sampled_from(["insert_before_line", "insert_after_line", "replace_line"]))
        if action == "replace_line" and lines[number] != [f"line {number}"]:
            continue
        new = [f"new {step}"] * data.draw(st.integers(1, 2))
        instructions.append({"action": action, "line_number": number, "new_content": "\n".join(new)})
        if action == "replace_line":
            lines[number] = new
        else:
            (before if action == "insert_before_line" else after)[number] += new
    deleted = data.draw(st.sets(st.integers(1, count)))
    for number in deleted:
        if lines[number] == [f"line {number}"]:
            instructions.append({"action": "delete_line", "line_number": number})
            lines[number] = []
    if instructions:
        script = "".join(f"line {number}\n" for number in range(1, count + 1))
        expected = [line for number in lines for line in (*before[number], *lines[number], *after[number])]
        assert patched(script, *instructions).script == "".join(f"{line}\n" for line in expected)


def test_a_line_is_changed_once() -> None:
    error = error_of(
        "a\nb\n",
        {"action": "delete_line", "line_number": 2},
        {"action": "replace_line", "line_number": 2, "new_content": "B"},
    )
    assert (error.body.code, error.body.field) == ("LINE_CHANGED", "patch_instructions.1")
    assert error.body.message.startswith("Instruction 2 of 2: ")


@pytest.mark.parametrize("line", [0, -1, 3, 10**9])
def test_a_line_outside_the_script(line: int) -> None:
    error = error_of("a\nb\n", {"action": "replace_line", "line_number": line, "new_content": "x"})
    assert error.body.code == "LINE_OUT_OF_RANGE" and error.body.details == {"line_count": 2}


@pytest.mark.parametrize(
    ("occurrence", "expected"),
    [("first", 'X bd\ns("bd") bd\n'), ("last", 's("bd") bd\nX bd\n'), ("all", "X bd\nX bd\n")],
)
def test_occurrences_of_a_pattern(occurrence: str, expected: str) -> None:
    instruction = {"action": "replace_pattern", "pattern": r"s\(.*?\)", "new_content": "X", "occurrence": occurrence}
    assert patched('s("bd") bd\ns("bd") bd\n', instruction).script == expected


def test_the_replacement_is_literal_and_case_matters() -> None:
    instruction = {"action": "replace_pattern", "pattern": r"(b)(d)", "new_content": r"\1$2\g<0>", "occurrence": "all"}
    assert patched("bd BD é bd", instruction).script == r"\1$2\g<0> BD é \1$2\g<0>"


def test_a_pattern_may_reach_over_lines() -> None:
    instruction = {"action": "replace_pattern", "pattern": r"b\nc\n", "new_content": "", "occurrence": "all"}
    assert patched("a\nb\nc\nd\nb\nc\n", instruction).script == "a\nd\n"


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("nothing like it", "PATTERN_NOT_FOUND"),
        ("(", "INVALID_PATTERN"),
        ("(?=a)", "INVALID_PATTERN"),
        (r"(a)\1", "INVALID_PATTERN"),
        ("z*", "INVALID_PATTERN"),
        ("((a{1,30}){1,30}b){1,30}", "INVALID_PATTERN"),
    ],
)
def test_patterns_that_cannot_be_used(pattern: str, code: str) -> None:
    error = error_of("aaa\n", {"action": "replace_pattern", "pattern": pattern, "new_content": "x"})
    assert error.body.code == code and error.body.field == "patch_instructions"


def test_the_error_of_a_pattern_shows_what_was_given() -> None:
    error = error_of("aaa\n", {"action": "replace_pattern", "pattern": "(unclosed", "new_content": "x"})
    assert "RE2: missing ). It is (unclosed. " in error.body.message


def test_code_goes_after_the_whole_statement() -> None:
    """The chain stays whole, and the line ends around the new code are not doubled."""
    new = '\nsnare: s("~ sd")\n'
    result = patched(SONG, {"action": "insert_after_pattern", "pattern": r's\("bd\*4"\)', "new_content": new})
    assert result.script == SONG.replace("  .gain(.9)\n", '  .gain(.9)\nsnare: s("~ sd")\n')
    assert "line 4" in result.preview and "snare" in result.preview


def test_code_goes_before_the_whole_statement() -> None:
    result = patched(SONG, {"action": "insert_before_pattern", "pattern": r"gain\(", "new_content": "x()"})
    assert result.script == SONG.replace("kick:", "x()\nkick:")


def test_a_comment_behind_a_statement_stays_with_it() -> None:
    after = patched(SONG, {"action": "insert_after_pattern", "pattern": "hh", "new_content": "x()"})
    assert after.script == SONG.replace("// closed\n", "// closed\nx()\n")


@pytest.mark.parametrize(
    ("script", "statements", "comment", "action", "expected"),
    [
        ("a() /* 1\n2 */\nb()", [(0, 3), (14, 17)], (4, 13), "insert_after_pattern", "a() /* 1\n2 */\nx()\nb()"),
        ("a() /* 1\n2 */ b()", [(0, 3), (14, 17)], (4, 13), "insert_after_pattern", "a() /* 1\n2 */\nx()\nb()"),
        ("/* 1\n2 */ a()", [(10, 13)], (0, 9), "insert_before_pattern", "/* 1\n2 */\nx()\na()"),
        ("a(); b()", [(0, 4), (5, 8)], (0, 0), "insert_after_pattern", "a();\nx()\nb()"),
        ("b(); a()", [(0, 4), (5, 8)], (0, 0), "insert_before_pattern", "b();\nx()\na()"),
        ("  a()\n  .b()\n", [(2, 12)], (0, 0), "insert_before_pattern", "x()\n  a()\n  .b()\n"),
    ],
)
def test_statements_that_share_lines(
    script: str, statements: list[tuple[int, int]], comment: tuple[int, int], action: Action, expected: str
) -> None:
    async def outline(_: str) -> ScriptOutline:
        return ScriptOutline(tuple(Span(*each) for each in statements), (Span(*comment),))

    instruction = PatchInstruction(action=action, pattern="a", new_content="x()")
    assert asyncio.run(apply_patches(script, [instruction], outline)).script == expected


def test_all_matches_of_one_statement_count_once() -> None:
    instruction = {"action": "insert_after_pattern", "pattern": "s", "new_content": "x()", "occurrence": "all"}
    script = 'kick: s("bd sd")\nhats: s("hh")\n'
    assert patched(script, instruction).script == 'kick: s("bd sd")\nx()\nhats: s("hh")\nx()\n'


def test_a_match_in_a_comment() -> None:
    result = patched(SONG, {"action": "insert_after_pattern", "pattern": "Bass", "new_content": "sub: x()"})
    assert result.script == SONG.replace("// Bass\n", "// Bass\nsub: x()\n")


def test_inserting_needs_a_script_that_can_be_parsed() -> None:
    error = error_of("a((\nb\n", {"action": "insert_after_pattern", "pattern": "b", "new_content": "c"})
    assert error.body.code == "SCRIPT_NOT_PARSED" and "line 1, column 1" in error.body.message


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ({"action": "insert_after_section", "section": "Drums", "new_content": "x()"}, ("\n// Bass", "x()\n\n// Bass")),
        ({"action": "insert_after_section", "section": "setup", "new_content": "x()"}, ("/4)\n", "/4)\nx()\n")),
        (
            {"action": "replace_section", "section": "bass", "new_content": "x()"},
            ('// Bass\nbass: note("c2")', "// Bass\nx()"),
        ),
        (
            {"action": "replace_section", "section": "bass", "new_content": "// Low\nx()"},
            ('// Bass\nbass: note("c2")', "// Low\nx()"),
        ),
    ],
)
def test_sections(instruction: dict[str, Any], expected: tuple[str, str]) -> None:
    assert patched(SONG, instruction).script == SONG.replace(*expected)


def test_code_after_the_setup_of_a_script_without_one() -> None:
    instruction = {"action": "insert_after_section", "section": "setup", "new_content": "setcpm(30)"}
    assert patched("a()\n", instruction).script == "setcpm(30)\na()\n"


def test_an_unknown_section_names_those_that_exist() -> None:
    error = error_of(SONG, {"action": "replace_section", "section": "outro", "new_content": "x()"})
    assert error.body.code == "SECTION_NOT_FOUND" and set(error.body.suggestions) == {"setup", "drums", "bass"}


def test_a_section_whose_name_is_there_twice() -> None:
    error = error_of("// A\na()\n// A\nb()\n", {"action": "replace_section", "section": "a", "new_content": "x()"})
    assert error.body.code == "SECTION_NOT_UNIQUE" and "1-2, 3-4" in error.body.message


@pytest.mark.parametrize(
    "instruction",
    [
        {"action": "replace_line", "new_content": "x"},
        {"action": "replace_line", "line_number": 1},
        {"action": "delete_line", "line_number": 1, "new_content": "x"},
        {"action": "replace_pattern", "line_number": 1, "new_content": "x"},
        {"action": "append", "new_content": "x", "section": "setup"},
        {"action": "append"},
        {"action": "replace_section", "new_content": "x"},
    ],
)
def test_fields_must_fit_the_action(instruction: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as raised:
        UpdateSong(project_name="x", patch_instructions=instruction)
    assert [error["type"] for error in raised.value.errors()] == ["INVALID_PATCH"]


def test_instructions_may_be_json_in_a_text() -> None:
    append = {"action": "append", "new_content": "x"}
    for patches in (append, [append]):
        request = UpdateSong.model_validate({"project_name": "x", "patch_instructions": json.dumps(patches)})
        assert [each.action for each in request.patch_instructions] == ["append"]
    with pytest.raises(ValidationError, match="an object or a list of objects, not text"):
        UpdateSong.model_validate({"project_name": "x", "patch_instructions": "append x"})


def test_an_unknown_action_suggests_the_nearest() -> None:
    with pytest.raises(ValidationError) as raised:
        UpdateSong.model_validate({"project_name": "x", "patch_instructions": {"action": "insert_line"}})
    context = raised.value.errors()[0]["ctx"]
    assert context["suggestions"][0] in ("insert_after_line", "insert_before_line") and len(context["suggestions"]) <= 3


def test_a_field_for_a_voice_says_how_to_name_one() -> None:
    with pytest.raises(ValidationError, match="Name a voice in 'section'"):
        PatchInstruction.model_validate({"action": "append", "voice_name": "lead", "new_content": "note(60)"})


def test_replacing_the_setup_of_a_script_without_one() -> None:
    instruction = {"action": "replace_section", "section": "setup", "new_content": "setcpm(30)"}
    assert patched("a()\n", instruction).script == "setcpm(30)\na()\n"


def test_windows_line_ends_become_unix_ones() -> None:
    assert patched("a\n", {"action": "append", "new_content": "b\r\nc"}).script == "a\nb\nc\n"
