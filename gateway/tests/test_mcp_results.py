"""A service's response becomes MCP content: JSON, text, pictures, sound, files and errors."""

import base64
import json
from typing import Any

import httpx2
import mcp_types as types
import pytest

from consort_gateway.mcp.results import failure, result_of
from consort_kit import API_VERSION
from consort_kit.errors import ConsortError, NotFound, TimedOut


def result(content: bytes, kind: str, status: int = 200) -> types.CallToolResult:
    answer = httpx2.Response(status, headers={"Content-Type": kind}, content=content)
    made = result_of("a_tool", answer)
    assert made.meta is not None and made.meta["api_version"] == API_VERSION
    return made


def test_json_becomes_one_text_block() -> None:
    content = '{"title":"♪ Für Elise","notes":[1,2.5,null]}'.encode()
    made = result(content, "application/json; charset=utf-8")
    assert made.content == [types.TextContent(type="text", text=content.decode())]
    assert made.structured_content is None and not made.is_error


def test_a_picture_beside_json_comes_first() -> None:
    answer = httpx2.Response(200, headers={"Content-Type": "application/json"}, content=b'{"page_count":1}')
    picture = httpx2.Response(200, headers={"Content-Type": "image/png"}, content=b"PNG")
    assert [block.type for block in result_of("a_tool", answer, picture).content] == ["image", "text"]
    missing = httpx2.Response(404, headers={"Content-Type": "application/json"}, content=b"{}")
    assert [block.type for block in result_of("a_tool", answer, missing).content] == ["text"]


def test_text_becomes_a_text_block() -> None:
    made = result(b"X:1\nK:C\n", "text/vnd.abc; charset=utf-8")
    assert made.content == [types.TextContent(type="text", text="X:1\nK:C\n")]
    assert made.structured_content is None


@pytest.mark.parametrize(
    ("kind", "block"),
    [
        ("image/png", types.ImageContent),
        ("image/svg+xml", types.ImageContent),
        ("audio/wav", types.AudioContent),
        ("audio/mpeg", types.AudioContent),
    ],
)
def test_pictures_and_sound_become_media_blocks(
    kind: str, block: type[types.ImageContent | types.AudioContent]
) -> None:
    content = bytes(range(256)) * 20
    (made,) = result(content, kind).content
    assert isinstance(made, block) and made.mime_type == kind
    assert base64.b64decode(made.data) == content


@pytest.mark.parametrize("kind", ["audio/midi", "application/vnd.recordare.musicxml", "application/octet-stream"])
def test_a_file_is_an_embedded_resource(kind: str) -> None:
    (made,) = result(b"MThd\x00\xff", kind).content
    assert isinstance(made, types.EmbeddedResource)
    assert isinstance(made.resource, types.BlobResourceContents)
    assert base64.b64decode(made.resource.blob) == b"MThd\x00\xff"
    assert (made.resource.mime_type, made.resource.uri) == (kind, "consort://a_tool")


def shape_of(made: types.CallToolResult) -> dict[str, Any]:
    assert made.is_error and made.structured_content is None and made.meta is not None
    (block,) = made.content
    assert isinstance(block, types.TextContent)
    shape: dict[str, Any] = json.loads(block.text)
    assert "error" not in made.meta and shape["success"] is False
    return shape


def test_an_error_is_passed_on_completely() -> None:
    error = NotFound("gone", code="FILE_NOT_FOUND", field="path", suggestions=["é"], details={"a": [1]})
    error.partial_result = {"kept": 1}
    answered = result(error.response().model_dump_json().encode(), "application/json", 404)
    assert shape_of(answered) == shape_of(failure(error)) == error.response().model_dump(mode="json")


def test_an_error_in_another_shape_is_not_repeated() -> None:
    shape = shape_of(result(b"<h1>nginx at 10.0.0.7</h1>", "text/html", 502))
    assert shape["error"]["code"] == "INTERNAL_ERROR" and "nginx" not in json.dumps(shape)
    assert "502" in shape["error"]["message"]


def test_errors_of_the_gateway() -> None:
    assert shape_of(failure(TimedOut("late")))["error"]["code"] == "TIMEOUT"
    assert shape_of(failure(ConsortError("x")))["error"]["code"] == "INTERNAL_ERROR"
