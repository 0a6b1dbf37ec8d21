"""An assistant's way through the studio: calls over a real MCP client, counted, with the bytes that came back."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client

from tests.support.servers.mcp_clients import over_http, over_stdio
from tests.support.servers.studio import Studio

TRANSPORTS = ("stdio", "http")


class Journey:
    """One client of the studio. Its methods wait for the answer; the client runs in another thread."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client
        self.tools: list[str] = []
        """The tools called so far, in order."""
        self.text_bytes = 0
        """Bytes of all answers, without pictures."""
        self.picture_bytes = 0

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its answer. The call must succeed."""
        answer, text = self._send(tool, arguments)
        assert not answer.is_error, (tool, text)
        return json.loads(text)

    def picture(self, tool: str, **arguments: Any) -> tuple[str, Any]:
        """Call a tool that draws. Return the MIME type of its picture, and its answer."""
        answer, text = self._send(tool, arguments)
        assert not answer.is_error, (tool, text)
        (picture,) = (block for block in answer.content if isinstance(block, types.ImageContent))
        return picture.mime_type, json.loads(text)

    def failed_call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its error. The call must fail."""
        answer, text = self._send(tool, arguments)
        assert answer.is_error, (tool, text)
        error: dict[str, Any] = json.loads(text)["error"]
        return error

    def download(self, url: str) -> bytes:
        """Follow a link of an answer, as a user's browser does."""
        answer = httpx2.get(url, trust_env=False, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.content

    def _send(self, tool: str, arguments: dict[str, Any]) -> tuple[types.CallToolResult, str]:
        answer = self._portal.call(self._client.call_tool, tool, arguments)
        self.tools.append(tool)
        pictures = sum(len(block.data) for block in answer.content if isinstance(block, types.ImageContent))
        self.picture_bytes += pictures
        self.text_bytes += len(answer.model_dump_json(by_alias=True, exclude_none=True).encode()) - pictures
        return answer, next(block.text for block in answer.content if isinstance(block, types.TextContent))


@contextmanager
def journey(studio: Studio, transport: str, **more_settings: str) -> Iterator[Journey]:
    """Connect to a running studio over stdio, where `more_settings` are those of `consort mcp`, or over HTTP."""
    assert transport == "stdio" or not more_settings, "the gateway of the studio already runs"
    with start_blocking_portal() as portal:
        opened = over_http(studio) if transport == "http" else over_stdio(studio, **more_settings)
        connection = portal.wrap_async_context_manager(opened)
        client = connection.__enter__()
        try:
            yield Journey(portal, client)
        finally:  # a failed test must not look like a failed connection
            connection.__exit__(None, None, None)
