"""An answer that is too large for an MCP client is replaced by a link and a summary; the HTTP API sends all of it."""

import json
import os
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.testclient import TestClient

from consort_kit.http.app import create_app
from consort_kit.http.large_answers import KEPT_S
from consort_kit.settings import Settings
from consort_kit.tools.answer_headers import ANSWER_LIMIT_HEADER
from consort_kit.tools.answer_summary import MOST_CHARACTERS, summary_of
from consort_kit.tools.models import ToolInput
from consort_kit.tools.tool_decorator import tool, tool_router

TOKEN = "secret-token-of-tests"
LIMIT = 20_000


class ListInput(ToolInput):
    notes: int
    kind: str = "json"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    router = tool_router()

    @tool(router, title="List", toolset="tests", effect="read")
    async def list_notes(body: ListInput) -> Response:
        """Return many notes."""
        if body.kind == "text":
            return PlainTextResponse("C4 quarter ♪\n" * body.notes)
        if body.kind == "picture":
            return Response(b"\x89PNG" * body.notes, media_type="image/png")
        return JSONResponse({"title": "Tune", "notes": ['"C4" quarter ♪'] * body.notes})

    app = create_app("audio", "For tests.", [router], settings=Settings(data=tmp_path, token=TOKEN))
    return TestClient(app, headers={"Authorization": f"Bearer {TOKEN}"})


def list_notes(client: TestClient, notes: int, kind: str = "json", limit: int | None = LIMIT) -> httpx2.Response:
    headers = {} if limit is None else {ANSWER_LIMIT_HEADER: str(limit)}
    answer: Any = client.post("/tools/list_notes", json={"notes": notes, "kind": kind}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer  # type: ignore[no-any-return]


def fetch(client: TestClient, link: str) -> Any:
    """Follow a signed link as the gateway does, which checks it."""
    path = urlsplit(link).path
    assert path.startswith("/links/audio/answers/")
    return client.get(path.removeprefix("/links/audio"))


def test_a_large_answer_becomes_a_link_and_a_summary(client: TestClient) -> None:
    whole = list_notes(client, 5000, limit=None)
    short = list_notes(client, 5000)
    assert len(whole.content) > LIMIT > len(short.content)
    answer = short.json()
    assert f"{len(whole.content):,} bytes" in answer["too_large"] and "Ask for less" in answer["too_large"]
    assert answer["summary"] == {"title": "Tune", "notes": ['"C4" quarter ♪'] * 20 + ["… 4,980 more"]}
    stored = fetch(client, answer["download_url"])
    assert stored.content == whole.content and stored.headers["content-type"].startswith("application/json")


def test_a_large_text_becomes_a_link_and_its_beginning(client: TestClient) -> None:
    answer = list_notes(client, 5000, "text").json()
    assert answer["summary"].startswith("C4 quarter ♪\n") and answer["summary"].endswith("characters)")
    assert fetch(client, answer["download_url"]).text == "C4 quarter ♪\n" * 5000


@pytest.mark.parametrize(("notes", "kind"), [(10, "json"), (10, "text"), (100_000, "picture")])
def test_other_answers_stay(client: TestClient, notes: int, kind: str) -> None:
    """Small answers, and pictures, which the gateway limits itself."""
    assert list_notes(client, notes, kind).content == list_notes(client, notes, kind, limit=None).content


def test_quotes_count_twice_because_they_are_escaped_in_a_message(client: TestClient) -> None:
    size = len(list_notes(client, 900, limit=None).content)
    assert "too_large" in list_notes(client, 900, limit=size + 1000).json()


def test_stored_answers_are_removed_after_a_day(client: TestClient, tmp_path: Path) -> None:
    links = [list_notes(client, 5000).json()["download_url"] for _ in range(2)]
    files = list((tmp_path / "cache" / "answers").iterdir())
    assert len(files) == 2 and all(path.stat().st_mode & 0o077 == 0 for path in files)
    long_ago = time.time() - KEPT_S - 1
    for path in files:
        os.utime(path, (long_ago, long_ago))
    gone = fetch(client, links[0])
    assert gone.status_code == 404 and "kept for a day" in gone.json()["error"]["message"]
    list_notes(client, 5000)
    assert not any(path.exists() for path in files)


def test_a_read_only_data_folder(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    answer = list_notes(client, 5000).json()
    assert fetch(client, answer["download_url"]).content == list_notes(client, 5000, limit=None).content


@pytest.mark.parametrize("answer_id", ["answer_x", f"answer_{'0' * 26}", "..%2f..%2ftoken", "answer_*"])
def test_an_unknown_answer(client: TestClient, answer_id: str) -> None:
    assert client.get(f"/answers/{answer_id}").status_code in (404, 422)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=20), inner, max_size=30),
    max_leaves=300,
)


@given(json_values)
def test_a_summary_is_short_and_keeps_small_values(value: Any) -> None:
    short = summary_of(value)
    text = json.dumps(short, ensure_ascii=False)
    assert len(text) <= MOST_CHARACTERS
    if isinstance(value, (int, bool, type(None))):
        assert short == value


@pytest.mark.parametrize("value", [[["x" * 999] * 99] * 99, {str(n): "y" * 99 for n in range(9999)}, "z" * 10**6])
def test_a_summary_of_much_is_short(value: Any) -> None:
    assert len(json.dumps(summary_of(value))) <= MOST_CHARACTERS
