"""One MCP client that counts what an assistant pays for: calls, errors, and the bytes of the answers."""

import json
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp import Client


class JobFailed(Exception):
    """Says what a job expected and did not get."""


@dataclass
class Session:
    client: Client
    calls: int = 0
    errors: int = 0
    text_bytes: int = 0
    picture_bytes: int = 0

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Return the answer of a call that must succeed."""
        answer = await self._send(tool, arguments)
        if answer.is_error:
            raise JobFailed(f"{tool} {arguments}: {text_of(answer)}")
        return json.loads(text_of(answer))

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the error of a call that must fail."""
        answer = await self._send(tool, arguments)
        if not answer.is_error:
            raise JobFailed(f"{tool} {arguments} was accepted: {text_of(answer)[:300]}")
        error: dict[str, Any] = json.loads(text_of(answer))["error"]
        return error

    async def picture(self, tool: str, **arguments: Any) -> str:
        """Return the text beside the picture of a call that must draw one."""
        answer = await self._send(tool, arguments)
        if answer.is_error or not any(isinstance(block, types.ImageContent) for block in answer.content):
            raise JobFailed(f"{tool} {arguments} drew nothing")
        return text_of(answer)

    async def _send(self, tool: str, arguments: dict[str, Any]) -> types.CallToolResult:
        answer = await self.client.call_tool(tool, arguments)
        pictures = [block.data for block in answer.content if isinstance(block, types.ImageContent)]
        size = len(answer.model_dump_json(by_alias=True, exclude_none=True).encode())
        self.calls += 1
        self.errors += bool(answer.is_error)
        self.picture_bytes += sum(map(len, pictures))
        self.text_bytes += size - sum(map(len, pictures))
        return answer


def text_of(answer: types.CallToolResult) -> str:
    return next((block.text for block in answer.content if isinstance(block, types.TextContent)), "")


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise JobFailed(what)
