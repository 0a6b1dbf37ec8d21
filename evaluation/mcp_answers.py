"""Read the results of MCP tool calls."""

import json
from typing import Any

import mcp_types as types


def answer_of(result: types.CallToolResult) -> Any:
    """Return the JSON of a successful call. Raise AssertionError if the call failed."""
    assert not result.is_error, result.content
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return json.loads(block.text)


def error_of(result: types.CallToolResult) -> dict[str, Any]:
    """Return the error of a failed call. Raise AssertionError if the call succeeded."""
    assert result.is_error, result.content
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    error: dict[str, Any] = json.loads(block.text)["error"]
    return error
