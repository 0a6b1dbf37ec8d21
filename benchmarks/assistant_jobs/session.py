"""An MCP client that counts calls, errors and the bytes of the results."""

import json
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp import Client


class JobFailed(Exception):
    """Raised if a job does not get what it expects. The message says what that is."""


@dataclass
class Session:
    client: Client
    calls: int = 0
    errors: int = 0
    text_bytes: int = 0
    picture_bytes: int = 0

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its result. Raise JobFailed if the call fails."""
        answer = await self._send(tool, arguments)
        if answer.is_error:
            raise JobFailed(f"{tool} {arguments}: {text_of(answer)}")
        return json.loads(text_of(answer))

    async def call_that_fails(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its error. Raise JobFailed if the call succeeds."""
        answer = await self._send(tool, arguments)
        if not answer.is_error:
            raise JobFailed(f"{tool} {arguments} was accepted: {text_of(answer)[:300]}")
        error: dict[str, Any] = json.loads(text_of(answer))["error"]
        return error

    async def picture(self, tool: str, **arguments: Any) -> str:
        """Call a tool that draws, and return the text beside its picture. Raise JobFailed if there is no picture."""
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
