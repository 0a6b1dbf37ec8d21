"""All errors and warnings are full sentences with a capital letter and a full stop."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from consort_cli.bootstrap import ROOT
from consort_kit import errors
from consort_kit.errors import ConsortError

RAISED = {name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, ConsortError)}
MESSAGE_AT = {
    **dict.fromkeys(RAISED | {"NotReached", "BodyTooLarge"}, 0),
    **dict.fromkeys(["field_error", "MusicError"], 1),
}
"""By the name of the function: the position of the message among the arguments."""
FIXED_WARNINGS = ("No tempo specified, defaulting to 120", "No time signature specified, defaulting to 4/4")
"""Warnings of MIDI text, whose wording is fixed."""
PACKAGES = ["libs/kit", "libs/music", "gateway", "cli", "compose-svc", "midi-store-svc", "playback-agent"]

SENTENCE = re.compile(r"""(?s)([A-Z'"`{<]|\w+[_=]).*[.?!…}]""")
"""A sentence may begin with the name of a field."""


def messages(source: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each literal message in a file, with `{…}` for inserted values."""
    for node in ast.walk(ast.parse(source.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        is_warning = name == "append" and ast.unparse(node.func).lower().endswith("warnings.append")
        place = 0 if is_warning else MESSAGE_AT.get(name or "")
        if place is None or len(node.args) <= place:
            continue
        match node.args[place]:
            case ast.Constant(value=str(text)):
                yield node.lineno, text
            case ast.JoinedStr(values=parts):
                yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "{…}" for p in parts)


@pytest.mark.parametrize("package", PACKAGES)
def test_messages_are_sentences(package: str) -> None:
    found = [(path, *each) for path in sorted((ROOT / package / "src").rglob("*.py")) for each in messages(path)]
    assert found
    assert [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, line, text in found
        if not is_sentence(text) and text not in FIXED_WARNINGS
    ] == []


def is_sentence(text: str) -> bool:
    return SENTENCE.fullmatch(text) is not None


def test_sentences_are_recognised() -> None:
    assert is_sentence("'limit' must be a number.") and is_sentence("{…} is gone. Make another.")
    assert not is_sentence("there is no song.") and not is_sentence("There is no song")
