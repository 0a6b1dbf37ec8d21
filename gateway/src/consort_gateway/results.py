"""A service's answer as an MCP result: JSON as text, media as media, errors in the one shape.

No tool declares an output schema, so nothing goes into `structuredContent`: it would be the same JSON once more.
"""

import base64
import json
from typing import Any

import httpx2
import mcp_types as types

from consort_kit import API_VERSION
from consort_kit.client import BESIDE_MEDIA, error_of
from consort_kit.errors import ConsortError, TooLarge

MAX_MEDIA_BYTES = 700_000
"""In base64 just below 1 MiB, the most that clients of the older protocol take in one event."""


def result_of(tool_name: str, answer: httpx2.Response) -> types.CallToolResult:
    if answer.status_code >= 400:
        return failure(error_of(answer))
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind == "application/json":
        json.loads(answer.content)  # what is not JSON is a fault of ours, and must not pass for an answer
        return success(answer.text)
    if kind.startswith("text/"):
        return success(answer.text)
    beside = _beside(answer)
    if len(answer.content) > MAX_MEDIA_BYTES:
        if beside is not None:
            return types.CallToolResult(content=[beside], _meta=_meta())
        size = f"{len(answer.content):,} bytes"
        return failure(
            TooLarge(
                f"The answer has {size}, and at most {MAX_MEDIA_BYTES:,} go into one. Ask for a smaller or shorter one."
            )
        )
    data = base64.b64encode(answer.content).decode()
    block: types.ContentBlock
    if kind.startswith("image/"):
        block = types.ImageContent(type="image", data=data, mime_type=kind)
    elif kind.startswith("audio/") and kind != "audio/midi":
        block = types.AudioContent(type="audio", data=data, mime_type=kind)
    else:
        blob = types.BlobResourceContents(uri=f"consort://{tool_name}", mime_type=kind, blob=data)
        block = types.EmbeddedResource(type="resource", resource=blob)
    return types.CallToolResult(content=[block, beside] if beside else [block], _meta=_meta())


def _beside(answer: httpx2.Response) -> types.TextContent | None:
    """What a service says beside a picture or sound: a link to it, and ids."""
    text = answer.headers.get(BESIDE_MEDIA)
    return types.TextContent(type="text", text=text) if text else None


def success(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], _meta=_meta())


def failure(error: ConsortError) -> types.CallToolResult:
    text = error.response().model_dump_json()
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True, _meta=_meta())


def _meta() -> Any:
    return {"api_version": API_VERSION}
