"""Change one value of a JSON text and keep every other character.

With `allow_comments` the text may have comments and trailing commas, as VS Code and Cursor allow. They are replaced by
spaces before Python's JSON decoder reads the text, so that positions in both texts are the same.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)
_DECODER = json.JSONDecoder()


class Member(NamedTuple):
    name: str
    start: int
    """Position of the name's first quotation mark."""
    value: int
    end: int


def read(text: str, *, allow_comments: bool = False) -> Any:
    """Return the value of the text, or {} if it is empty. Raise ValueError, with line and column, if it is not JSON."""
    code = _plain(text, allow_comments)
    if not code.strip():
        return {}
    try:
        return json.loads(code)
    except json.JSONDecodeError as error:  # count lines in the original text: `code` has fewer
        raise ValueError(str(json.JSONDecodeError(error.msg, text, error.pos))) from error


def put(text: str, path: list[str], value: Any, *, allow_comments: bool = False) -> str:
    """Return the text with `value` at this path. It replaces an existing value or is added after the other members.

    `read` must accept the text. Each name of the path but the last must be an object or absent.
    """
    if not _plain(text, allow_comments).strip():
        text = text + "{}\n"
    place = _object_at(text, path[:-1], allow_comments)
    if place is None:
        return put(text, path[:-1], {path[-1]: value}, allow_comments=allow_comments)
    members = list(_members(_plain(text, allow_comments), place))
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_of_line(text, place)
    unit = _indent_unit(text)
    if found := next((member for member in reversed(members) if member.name == path[-1]), None):
        is_on_one_line = not _has_newline(text[found.value : found.end])
        new = _in_line(value) if is_on_one_line else _written(value, unit, _indent_of_line(text, found.start), newline)
        return text[: found.value] + new + text[found.end :]
    name = json.dumps(path[-1], ensure_ascii=False)
    if members and not _has_newline(text[place : members[0].start]):  # the object is on one line: stay there
        end = members[-1].end
        return f"{text[:end]}, {name}: {_in_line(value)}{text[end:]}"
    inner = _indent_of_line(text, members[0].start) if members else outer + unit
    member = f"{newline}{inner}{name}: {_written(value, unit, inner, newline)}"
    code = _without_comments(text, allow_comments)
    at = members[-1].end if members else place + 1
    comma = "," if members else ""
    if members and (match := re.compile(r"\s*,").match(code, at)):  # use the trailing comma
        at, comma = match.end(), ""
    line_end = _end_of_empty_line(code, at)  # a comment after the last member stays on its line
    if line_end is None:
        member += "" if members else newline + outer
        line_end = at
    return text[:at] + comma + text[at:line_end] + member + text[line_end:]


def remove(text: str, path: list[str], *, allow_comments: bool = False) -> str:
    """Return the text without the value at this path, which must exist."""
    place = _object_at(text, path[:-1], allow_comments)
    assert place is not None
    members = list(_members(_plain(text, allow_comments), place))
    index = next(index for index, member in enumerate(members) if member.name == path[-1])
    code = _without_comments(text, allow_comments)
    start, end = members[index].start, members[index].end
    if match := re.compile(r"\s*,").match(code, end):
        end = match.end()
    elif index:  # the last member: remove the comma before it
        comma = code.index(",", members[index - 1].end)
        if not text[comma + 1 : start].strip(" "):
            return text[:comma] + text[end:]
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    line_start = start - len(_indent_of_line(text, start))
    line_end = _end_of_empty_line(text, end)
    if line_end is not None and _is_line_start(text, line_start):
        start, end = line_start, _skip_newline(text, line_end)
    else:  # on a line with others
        end = _skip(text, end, " \t")
    return text[:start] + text[end:]


def _plain(text: str, allow_comments: bool) -> str:
    """Replace comments and trailing commas by spaces, so that Python's JSON decoder can read the text."""
    if not allow_comments:
        return text
    code = _without_comments(text, allow_comments)
    return _TRAILING_COMMA.sub(lambda match: " " if match[0] == "," else match[0], code)


def _without_comments(text: str, allow_comments: bool) -> str:
    if not allow_comments:
        return text
    return _TOKEN.sub(lambda match: match[0] if match[0].startswith('"') else " " * len(match[0]), text)


def _object_at(text: str, path: list[str], allow_comments: bool) -> int | None:
    """Return the position of the opening brace of the object at this path, or None if there is no such object."""
    code = _plain(text, allow_comments)
    place = _skip_space(code, 0)
    for name in path:
        found = [member for member in _members(code, place) if member.name == name]
        if not found:
            return None
        place = found[-1].value
    return place


def _members(code: str, place: int) -> Iterator[Member]:
    """Yield the members of the object whose opening brace is at `place`."""
    at = _skip_space(code, place + 1)
    while code[at] != "}":
        name, end = _DECODER.raw_decode(code, at)
        value = _skip_space(code, _skip_space(code, end) + 1)
        yield Member(name, at, value, end := _DECODER.raw_decode(code, value)[1])
        at = _skip_space(code, end)
        if code[at] == ",":
            at = _skip_space(code, at + 1)


def _skip(text: str, at: int, characters: str) -> int:
    while at < len(text) and text[at] in characters:
        at += 1
    return at


def _skip_space(code: str, at: int) -> int:
    return _skip(code, at, " \t\r\n")


def _has_newline(text: str) -> bool:
    return "\n" in text or "\r" in text


def _is_line_start(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in "\r\n"


def _skip_newline(text: str, at: int) -> int:
    return at + (2 if text.startswith("\r\n", at) else 1)


def _end_of_empty_line(code: str, at: int) -> int | None:
    """Return the position of the line's end, or None if other text follows on the line."""
    end = _skip(code, at, " \t")
    return end if end < len(code) and code[end] in "\r\n" else None


def _indent_of_line(text: str, at: int) -> str:
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    return text[start : _skip(text, start, " \t")]


def _indent_unit(text: str) -> str:
    """Return the indentation of the first indented line, or two spaces if there is none."""
    found = re.search(r"^[ \t]+(?=\S)", text, re.MULTILINE)
    return found[0] if found else "  "


def _in_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _written(value: Any, unit: str, indent: str, newline: str) -> str:
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return (newline + indent).join(lines)
