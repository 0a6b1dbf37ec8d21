"""The conversations in the documentation: their calls are really made, and the answers shown are those that came.

A call is a block of JSON as in the guides of `skills/`. The block of text after it shows the answer, shortened.
"""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from consort_cli.bootstrap import ROOT
from consort_cli.scripted_calls import ScriptAnswers, ScriptedCall
from tests.support.skill_calls import calls_in

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "toolsets").glob("*.md"))]
_EXCHANGE = re.compile(r"^(```json\n.*?^```\n)(?:\n```text\n.*?^```\n)?", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
_LINE = 110
_LONGEST_TEXT, _LONGEST_LIST = 150, 3
_SHORT = 80
"""Characters of a list that is shown as a whole."""

MakeCall = Callable[[str, dict[str, Any]], Any]
"""Calls a tool and returns its answer; of a tool that draws, the object with `content`."""


def run_page(page: Path, call: MakeCall) -> list[tuple[ScriptedCall, Any]]:
    """Make the calls of a page, in order, and return each with its answer."""
    answers, made = ScriptAnswers(), []
    for each in calls_in(page):
        answer = call(each.tool, answers.fill(each.arguments))
        answers.keep(each, without_pictures(answer))
        made.append((each, answer))
    return made


def without_pictures(answer: Any) -> Any:
    if isinstance(answer, dict) and answer.keys() == {"content"}:
        return json.loads(next(block["text"] for block in answer["content"] if block["type"] == "text"))
    return answer


def with_answers(page: Path, made: list[tuple[ScriptedCall, Any]]) -> str:
    """Return the text of a page with these answers. Save the pictures that follow the calls that drew them."""
    text = page.read_text("utf-8")
    left = iter(made)

    def shown(found: re.Match[str]) -> str:
        _, answer = next(left)
        if without_pictures(answer) is not answer:
            picture = next(block["data"] for block in answer["content"] if block["type"] == "image")
            if (place := _PICTURE.search(text, found.end())) is not None:
                (page.parent / place[1]).write_bytes(base64.b64decode(picture))
        return f"{found[1]}\n```text\n{as_text(shortened(without_pictures(answer)))}\n```\n"

    return _EXCHANGE.sub(shown, text)


def shortened(value: Any) -> Any:
    """Return an answer without what a reader does not need: signatures of links, long lists and long texts."""
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in value.items()}
    if isinstance(value, list):
        left_out = len(value) - _LONGEST_LIST
        is_short = len(json.dumps(value, ensure_ascii=False)) <= _SHORT
        few = value if is_short or left_out <= 1 else [*value[:_LONGEST_LIST], f"… {left_out} more"]
        return [shortened(each) for each in few]
    if isinstance(value, str):
        if value.startswith("http"):
            return re.sub(r"http://127\.0\.0\.1:\d+(/links/\w[\w-]*/).*", r"http://127.0.0.1:8700\1…", value)
        if value.startswith("/"):
            return f"…/{Path(value).name}"
        return f"{value[:_LONGEST_TEXT]} …" if len(value) > _LONGEST_TEXT else value
    return value


def as_text(value: Any, indent: int = 0) -> str:
    """Return JSON that uses the width of a line: what fits into one is not broken."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= _LINE or not isinstance(value, dict | list) or not value:
        return line
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        rows = [f"{inner}{json.dumps(name)}: {as_text(each, indent + 1)}" for name, each in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{' ' * indent}}}"
    return "[\n" + ",\n".join(f"{inner}{as_text(each, indent + 1)}" for each in value) + f"\n{' ' * indent}]"
