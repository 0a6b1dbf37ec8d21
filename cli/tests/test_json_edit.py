"""Test that changing one value of a JSON text keeps every other character."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_cli import json_edit

ENTRY = {"command": "/x", "args": ["mcp"]}
PATH = ["servers", "ours"]

COMMENTED = """\
// mine
{
    /* several
       lines */
    "inputs": [], // none yet
    "servers": {
        // the first
        "a": {"url": "https://x/*no*/y", "list": [1, 2,],}, // about a
        "b": {} // about b
        // the end
    },
}
"""


def test_comments_and_layout_stay() -> None:
    changed = json_edit.put(COMMENTED, PATH, ENTRY, allow_comments=True)
    assert changed == COMMENTED.replace(
        '        "b": {} // about b\n',
        """\
        "b": {}, // about b
        "ours": {
            "command": "/x",
            "args": [
                "mcp"
            ]
        }
""",
    )
    assert json_edit.read(changed, allow_comments=True)["servers"]["a"] == {"url": "https://x/*no*/y", "list": [1, 2]}
    assert json_edit.remove(changed, PATH, allow_comments=True) == COMMENTED


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("", '{\n  "servers": {\n    "ours": 1\n  }\n}\n'),
        ("{}", '{\n  "servers": {\n    "ours": 1\n  }\n}'),
        ('{"servers": {}}', '{"servers": {\n  "ours": 1\n}}'),
        ('{"servers": {"a": 1}}', '{"servers": {"a": 1, "ours": 1}}'),
        ('{"servers": {"ours": 2, "a": 1}}', '{"servers": {"ours": 1, "a": 1}}'),
        ('{\r\n\t"servers": {\r\n\t}\r\n}', '{\r\n\t"servers": {\r\n\t\t"ours": 1\r\n\t}\r\n}'),
        ('{\n "x": 1\n}\n', '{\n "x": 1,\n "servers": {\n  "ours": 1\n }\n}\n'),
        ('{"servers": {\n  "a": 1}}', '{"servers": {\n  "a": 1,\n  "ours": 1}}'),
        ('{"servers": {"ours": 3}, "servers": {"a": 1}}', '{"servers": {"ours": 3}, "servers": {"a": 1, "ours": 1}}'),
    ],
)
def test_layouts(text: str, changed: str) -> None:
    assert json_edit.put(text, PATH, 1) == changed
    assert json.loads(changed)["servers"]["ours"] == 1


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("// nothing\n", '// nothing\n{\n  "servers": {\n    "ours": 1\n  }\n}\n'),
        ('{\n  "servers": { // empty\n  }\n}', '{\n  "servers": { // empty\n    "ours": 1\n  }\n}'),
        (
            '{\n  "servers": {\n    "a": 1, // last\n  },\n}',
            '{\n  "servers": {\n    "a": 1, // last\n    "ours": 1\n  },\n}',
        ),
        ('{"servers": {"a": 1 /* x */,}}', '{"servers": {"a": 1, "ours": 1 /* x */,}}'),
    ],
)
def test_layouts_with_comments_and_trailing_commas(text: str, changed: str) -> None:
    assert json_edit.put(text, PATH, 1, allow_comments=True) == changed
    assert json_edit.read(changed, allow_comments=True)["servers"]["ours"] == 1


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ('{"servers": {"ours": 1}}', '{"servers": {}}'),
        ('{"servers": {"a": 1, "ours": {"b": [2]}}}', '{"servers": {"a": 1}}'),
        ('{"servers": {"ours": 1, "a": 1}}', '{"servers": {"a": 1}}'),
        ('{"servers": {\n  "a": 1,\n  "ours": 1,\n  "b": 1\n}}', '{"servers": {\n  "a": 1,\n  "b": 1\n}}'),
        ('{"servers": {\r\n  "a": 1,\r\n  "ours": 1\r\n}}', '{"servers": {\r\n  "a": 1\r\n}}'),
    ],
)
def test_removing(text: str, changed: str) -> None:
    assert json_edit.remove(text, PATH) == changed
    assert "ours" not in json.loads(changed)["servers"]


@pytest.mark.parametrize("text", ['{"a": 1,}', "// x\n{}", "{", "nonsense"])
def test_comments_and_trailing_commas_are_rejected_by_default(text: str) -> None:
    with pytest.raises(ValueError):
        json_edit.read(text)


def test_an_error_gives_the_position_in_the_original_text() -> None:
    with pytest.raises(ValueError, match="line 3 column 4"):
        json_edit.read('/* two\nlines */ {"a":\n 1 1}', allow_comments=True)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
configs = st.dictionaries(st.text(), values, max_size=3).flatmap(
    lambda others: st.dictionaries(st.text().filter(lambda name: name != "ours"), values, max_size=3).map(
        lambda servers: others | {"servers": servers}
    )
)


@given(config=configs, indent=st.sampled_from([None, 0, 1, 2, 4, "\t"]), value=values, escape=st.booleans())
def test_any_config_in_any_layout(config: dict[str, Any], indent: int | str | None, value: Any, escape: bool) -> None:
    text = json.dumps(config, indent=indent, ensure_ascii=escape)
    changed = json_edit.put(text, PATH, value)
    after = json.loads(changed)
    assert after == config | {"servers": config["servers"] | {"ours": value}}
    assert list(after) == list(config) and list(after["servers"]) == [*config["servers"], "ours"]
    assert json.loads(json_edit.put(changed, PATH, value)) == after
    assert json_edit.read(changed, allow_comments=True) == after
    back = json_edit.remove(changed, PATH)
    assert json.loads(back) == config
    if indent and config["servers"]:
        assert back == text
