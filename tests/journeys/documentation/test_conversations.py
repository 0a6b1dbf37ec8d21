"""The conversations in the documentation happen as they are written: each call succeeds and gives what is shown."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.documented_conversations import PAGES, run_page, shortened, without_pictures
from tests.support.servers.studio import Studio


def shown_answers(page: Path) -> list[Any]:
    return [json.loads(text) for text in re.findall(r"^```text\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)]


def names(value: Any, path: str = "") -> set[str]:
    """Return the names of all fields."""
    if isinstance(value, dict):
        return {f"{path}{name}" for name in value} | {
            each for name in value for each in names(value[name], f"{path}{name}.")
        }
    if isinstance(value, list):
        return {each for item in value for each in names(item, path)}
    return set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_conversation_happens_as_written(studio: Studio, page: Path) -> None:
    made = run_page(page, lambda tool, arguments: studio.call(tool, **arguments))
    shown = shown_answers(page)
    assert len(made) == len(shown) >= 3
    for (call, answer), text in zip(made, shown, strict=True):
        assert names(shortened(without_pictures(answer))) == names(text), call.tool
