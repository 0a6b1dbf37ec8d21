"""Test that invalid messages are rejected with the codes of MCP and JSON-RPC, without internal details."""

import asyncio

import httpx2
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from consort_kit.errors import ErrorResponse
from tests.support.servers.studio import Studio

MODERN = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
LEGACY = {"MCP-Protocol-Version": "2025-11-25"}


@pytest.mark.parametrize("era", [MODERN, LEGACY, {}], ids=["modern", "legacy", "unnamed"])
@pytest.mark.parametrize("body", ['{"jsonrpc":"2.0","id":1,"method":5}', '{"id":1}', "[]", "5", "null", '"canary"'])
def test_not_a_json_rpc_message(studio: Studio, era: dict[str, str], body: str) -> None:
    headers = {
        **studio.headers,
        **era,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    answer = httpx2.post(f"{studio.url}/mcp", headers=headers, content=body)
    assert answer.status_code == 400
    assert answer.json()["id"] is None and answer.json()["error"]["code"] == types.INVALID_REQUEST
    assert "pydantic" not in answer.text and "canary" not in answer.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_page_of_tools_that_does_not_exist(studio: Studio, mode: str) -> None:
    async def main() -> None:
        async with (
            httpx2.AsyncClient(headers=studio.headers) as http,
            Client(streamable_http_client(f"{studio.url}/mcp", http_client=http), mode=mode) as client,
        ):
            assert (await client.list_tools()).next_cursor is None
            with pytest.raises(MCPError) as rejected:
                await client.list_tools(cursor="2")
            assert rejected.value.error.code == types.INVALID_PARAMS
            assert ErrorResponse.model_validate(rejected.value.error.data).error.field == "cursor"

    asyncio.run(main())
