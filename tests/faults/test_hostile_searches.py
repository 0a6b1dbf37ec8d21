"""Attack every text field of the searches of Strudel's library: regular expressions, SQL, wildcards."""

import json
import time
from typing import Any

import pytest

from tests.faults.conftest import leaks
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.errors_and_faults.injected_faults import HOSTILE_TEXTS
from tests.support.servers.studio import Studio

_TAGS = ("genre", "feeling", "technique", "instrument", "complexity", "element")
_CLIP_QUERY = ("text", *_TAGS, "name_pattern", "description_pattern", "code_pattern", "key", "requires_packs")
FIELDS = [
    *(("search_clips", f"query.{name}") for name in _CLIP_QUERY),
    *(("find_similar_clips", f"filters.{name}") for name in _CLIP_QUERY[1:]),
    *(("query_packs", f"query.{name}") for name in ("text", "name_pattern", "tags", "type", "character")),
    ("query_packs", "query"),
    ("query_vocab", "concept"),
    ("query_vocab", "category"),
    ("find_similar_clips", "code_snippet"),
    ("identify_pattern", "code_snippet"),
]
BOMBS = {
    "nested repetition": "(a+)+(a+)+(a+)+$",
    "references back": r"^(.+)(.+)(.+)(.+)\1\3\2\4\2\1$",
    "counted repetition": "((((a{0,200}){0,200}){0,200}){0,200})",
    "many choices": "(" + "|".join(f"a{{{n}}}" for n in range(60)) + ")*b",
    "lookahead": "(?=(a+))a*b(?!x)",
    "unclosed": "([{(*",
    "classes": "[[:alpha:]][^[:space:]]{250}",
    "directive": "***:(?x",
}
ATTACKS = BOMBS | HOSTILE_TEXTS
NO_JSON = ("NUL", "half a surrogate pair")
"""Texts that are rejected before the fields are read."""
MOST_SECONDS = 30
"""Postgres stops a search after 2 s, but the machine may be busy."""
SIGNS_OF_SQL = ("psycopg", "syntax error at or near", "clip_tags", "clip_vectors", "traceback")


@pytest.fixture(scope="module")
def searched_studio(attacked_studio: Studio) -> Studio:
    """Return the studio with a clip of the user, whose long text makes patterns slow."""
    clip = {"name": "kept clip", "code": 's("bd*4")', "description": f"{3**1200:b}"[:1900], "tags": {"genre": ["kept"]}}
    attacked_studio.call("save_clip", clip_data=clip)
    return attacked_studio


def call_with(tool: str, field: str, text: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {"code_snippet": 's("bd*4")'} if tool == "find_similar_clips" else {}
    outer, _, inner = field.partition(".")
    value = [text] if inner == "requires_packs" else text
    return {**arguments, outer: {inner: value} if inner else value}


def assert_bounded(studio: Studio, tool: str, field: str, kinds: list[str]) -> None:
    for kind in kinds:
        begin = time.monotonic()
        ok, result = studio.try_call(tool, **call_with(tool, field, ATTACKS[kind]))
        assert time.monotonic() - begin < MOST_SECONDS, kind
        answer = json.dumps(result)
        assert not leaks(studio, answer), kind
        if not ok:
            error = check_error_shape(result)
            assert error["code"] not in ("INTERNAL_ERROR", "SERVICE_DOWN"), (kind, error)
            outer = field.partition(".")[0]
            assert str(error["field"]).startswith(outer) or kind in NO_JSON, (kind, error)
            message = error["message"].lower().replace(ATTACKS[kind].lower(), "")
            assert not [sign for sign in SIGNS_OF_SQL if sign in message], (kind, error)
    assert studio.call("query_packs", query={"name_pattern": "^uzu-drumkit$"})["total_count"] == 1
    assert studio.call("search_clips", query={"name_pattern": "^kept clip$"})["total_count"] == 1


@pytest.mark.parametrize(("tool", "field"), FIELDS)
def test_hostile_search(searched_studio: Studio, tool: str, field: str) -> None:
    """Try every fifth text, beginning at a different one for each field."""
    assert_bounded(searched_studio, tool, field, list(ATTACKS)[FIELDS.index((tool, field)) % 5 :: 5])


@pytest.mark.long
@pytest.mark.parametrize(("tool", "field"), FIELDS)
def test_every_hostile_search(searched_studio: Studio, tool: str, field: str) -> None:
    assert_bounded(searched_studio, tool, field, list(ATTACKS))


@pytest.mark.parametrize("sign", ["%", "%%", "*", "?", "' --"])
def test_wildcards_are_no_wildcards(attacked_studio: Studio, sign: str) -> None:
    """Signs that match everything in SQL or in a shell match nothing here, where words are meant."""
    assert attacked_studio.call("query_packs", query=sign)["total_count"] == 0
    assert attacked_studio.call("query_vocab", concept=sign)["total_count"] == 0
    assert attacked_studio.call("search_clips", query={"key": sign})["total_count"] == 0
    assert attacked_studio.call("search_clips", query={"requires_packs": [sign]})["total_count"] == 0


def test_an_underscore_is_itself(attacked_studio: Studio) -> None:
    names = [pack["name"] for pack in attacked_studio.call("query_packs", query={"name_pattern": "_"})["packs"]]
    assert names == ["capoeira_strudel"]
    assert attacked_studio.call("query_packs", query={"name_pattern": "%"})["total_count"] == 0
