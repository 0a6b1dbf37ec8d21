"""Hidden characters in the input of a tool: removed from texts and reported, kept in code."""

import json
from typing import Any

import pytest
from fastapi import Response
from pydantic import BaseModel, Field
from starlette.testclient import TestClient

from consort_kit.http.app import create_app
from consort_kit.settings import Settings
from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_music.texts.visible_text import visible_text

HIDDEN = "\u200b\ufe05\U000e0041\u202e"
router = tool_router()


class HiddenTextVerse(ToolInput):
    words: str
    code: str = ""


class HiddenTextInput(ToolInput):
    title: str = ""
    tags: list[str] = Field(default_factory=list)
    data: dict[str, Any] = Field(default_factory=dict)
    verses: list[HiddenTextVerse] = Field(default_factory=list)
    code: str = ""


class HiddenTextEcho(ToolOutput):
    got: dict[str, Any]
    warnings: list[str] | None = None


class CodedWarning(BaseModel):
    code: str
    message: str


class CodedWarnings(ToolOutput):
    warnings: list[CodedWarning] = Field(default_factory=list)


@tool(router, title="Echo", toolset="tests", effect="read")
async def echo(body: HiddenTextInput) -> HiddenTextEcho:
    """Return the input."""
    return HiddenTextEcho(got=body.model_dump(exclude_defaults=True))


@tool(router, title="Coded", toolset="tests", effect="read")
async def coded(body: HiddenTextInput) -> CodedWarnings:
    """Warn with codes."""
    return CodedWarnings(warnings=[CodedWarning(code="FIRST", message="One.")])


@tool(router, title="Draw", toolset="tests", effect="read", media_types=("image/png",))
async def draw(body: HiddenTextInput) -> Response:
    """Return a picture, and read a name from a file."""
    visible_text(f"Piano{HIDDEN}")
    return Response(b"png", media_type="image/png", headers={MEDIA_DETAILS_HEADER: '{"url": "x"}'})


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = create_app("tests", "Tests", [router], settings=Settings(token="secret-token-of-tests"))
    return TestClient(app, headers={"Authorization": "Bearer secret-token-of-tests"})


def test_texts_are_cleaned_at_every_depth_and_the_answer_says_so(client: TestClient) -> None:
    sent = {
        "title": f"Dawn{HIDDEN}",
        "tags": ["calm", f"{HIDDEN}soft"],
        "data": {"a": [{f"b{HIDDEN}": f"x{HIDDEN}y"}], f"{HIDDEN}n": 1},
        "verses": [{"words": f"la{HIDDEN}", "code": f"s{HIDDEN}"}],
    }
    answer = client.post("/tools/echo", json=sent).json()
    assert answer["got"] == {
        "title": "Dawn",
        "tags": ["calm", "soft"],
        "data": {"a": [{"b": "xy"}], "n": 1},
        "verses": [{"words": "la", "code": f"s{HIDDEN}"}],
    }
    assert answer["warnings"] == ["Invisible characters were removed from 'title', 'tags', 'data', 'words'."]


def test_keys_that_differ_in_hidden_characters_only_are_rejected(client: TestClient) -> None:
    answer = client.post("/tools/echo", json={"data": {"a": {"Lead": 1, f"Le{HIDDEN}ad": 2}}})
    assert answer.status_code == 422
    assert "Two keys in 'data' differ only in invisible characters" in answer.json()["error"]["message"]


def test_code_is_never_changed(client: TestClient) -> None:
    answer = client.post("/tools/echo", json={"code": f"s('bd'){HIDDEN}", "title": "❤️"}).json()
    assert answer == {"got": {"code": f"s('bd'){HIDDEN}", "title": "❤️"}}


def test_the_warning_has_the_form_of_the_tools_other_warnings(client: TestClient) -> None:
    first, second = client.post("/tools/coded", json={"title": f"a{HIDDEN}"}).json()["warnings"]
    assert first["code"] == "FIRST"
    assert second == {"code": "HIDDEN_TEXT_REMOVED", "message": "Invisible characters were removed from 'title'."}


def test_a_picture_has_the_warning_in_its_details(client: TestClient) -> None:
    answer = client.post("/tools/draw", json={"title": f"a{HIDDEN}"})
    assert answer.content == b"png"
    warning = "Invisible characters were removed from 'title' and names and texts of the music."
    assert json.loads(answer.headers[MEDIA_DETAILS_HEADER]) == {"url": "x", "warnings": [warning]}
