"""Turn the response of a service into an MCP result.

JSON becomes text, pictures and sound become media, and errors become text with an `ErrorResponse`. No tool declares an
output schema, so there is no `structuredContent`, which would repeat the same JSON.
"""

import base64
import json
from typing import Any

import httpx2
import mcp_types as types

from consort_kit import API_VERSION
from consort_kit.errors import ConsortError, TooLarge
from consort_kit.http.service_client import error_of
from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from consort_music.midi.file_names import MIDI_MEDIA_TYPE

MAX_MEDIA_BYTES = 700_000
"""Base64 makes this about 0.93 MB. Clients of the older MCP protocol accept at most 1 MiB per event."""

MAX_TEXT_BYTES = 1_000_000
"""The largest text of a tool, counted as in an MCP message. A service replaces a larger one by a link to it."""


def result_of(tool_name: str, answer: httpx2.Response, picture: httpx2.Response | None = None) -> types.CallToolResult:
    """Return the result of a tool. `picture` is one that the service names beside a JSON answer."""
    if answer.status_code >= 400:
        return failure(error_of(answer))
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind == "application/json":
        json.loads(answer.content)  # raise if it is not JSON: that is a bug in the service
        return _with_picture(success(answer.text), picture)
    if kind.startswith("text/"):
        return success(answer.text)
    details = _details(answer)
    if len(answer.content) > MAX_MEDIA_BYTES:
        if details is not None:
            return types.CallToolResult(content=[details], _meta=_meta())
        size = f"{len(answer.content):,} bytes"
        return failure(
            TooLarge(
                f"The answer has {size}, and at most {MAX_MEDIA_BYTES:,} are allowed. Ask for a smaller or shorter one."
            )
        )
    data = base64.b64encode(answer.content).decode()
    block: types.ContentBlock
    if kind.startswith("image/"):
        block = types.ImageContent(type="image", data=data, mime_type=kind)
    elif kind.startswith("audio/") and kind != MIDI_MEDIA_TYPE:
        block = types.AudioContent(type="audio", data=data, mime_type=kind)
    else:
        blob = types.BlobResourceContents(uri=f"consort://{tool_name}", mime_type=kind, blob=data)
        block = types.EmbeddedResource(type="resource", resource=blob)
    return types.CallToolResult(content=[block, details] if details else [block], _meta=_meta())


def _details(answer: httpx2.Response) -> types.TextContent | None:
    """Return the details that a service sends with a picture or sound (a link and ids), or None if it sends none."""
    text = answer.headers.get(MEDIA_DETAILS_HEADER)
    return types.TextContent(type="text", text=text) if text else None


def _with_picture(result: types.CallToolResult, picture: httpx2.Response | None) -> types.CallToolResult:
    """Put a picture before the text, if it is small enough; the text has a link to it anyway."""
    if picture is None or picture.status_code != 200 or len(picture.content) > MAX_MEDIA_BYTES:
        return result
    data = base64.b64encode(picture.content).decode()
    if len(data) + sum(len(block.text) for block in result.content if block.type == "text") > MAX_TEXT_BYTES:
        return result
    kind = picture.headers.get("content-type", "image/png").partition(";")[0]
    result.content.insert(0, types.ImageContent(type="image", data=data, mime_type=kind))
    return result


def success(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], _meta=_meta())


def failure(error: ConsortError) -> types.CallToolResult:
    text = error.response().model_dump_json()
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True, _meta=_meta())


def _meta() -> Any:
    return {"api_version": API_VERSION}
