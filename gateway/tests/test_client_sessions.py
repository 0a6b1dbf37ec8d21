"""The gateway sends the id of the calling client to services in the header `Consort-Client`."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from consort_gateway.app import make_app
from consort_gateway.settings import GatewaySettings
from evaluation.mcp_answers import answer_of

SERVER = "from consort_gateway.settings import GatewaySettings as S; import consort_gateway.mcp.stdio as g"
HEADERS = {"Authorization": "Bearer secret-token-of-tests", "Accept": "application/json, text/event-stream"}
OLD = {**HEADERS, "MCP-Protocol-Version": "2025-11-25"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_midi", "arguments": {"limit": 1}}}


@asynccontextmanager
async def over_http(url: str, mode: str, **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": "Bearer secret-token-of-tests", **headers}, timeout=20) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(settings: GatewaySettings, mode: str) -> AsyncIterator[Client]:
    environment = {
        "CONSORT_DATA": str(settings.data),
        "CONSORT_TOKEN": "secret-token-of-tests",
        "CONSORT_SERVICE_URLS": json.dumps(settings.service_urls),
    }
    server = StdioServerParameters(
        command=sys.executable, args=["-c", f"{SERVER}; g.run_stdio(S(), None)"], env=environment
    )
    async with Client(stdio_client(server), mode=mode) as client:
        yield client


async def client_seen(client: Client) -> str | None:
    """Return the id that the service received."""
    seen: str | None = answer_of(await client.call_tool("list_midi", {"limit": 1})).get("client")
    return seen


async def ids_of_two(one: Any, other: Any) -> tuple[str | None, str | None]:
    """Return the ids of two clients. Each calls twice, in turns, and must have the same id both times."""
    async with one as first, other as second:
        seen = [await client_seen(each) for each in (first, second, first, second)]
    assert seen[:2] == seen[2:]
    return seen[0], seen[1]


def test_each_older_client_over_http_has_an_id(settings: GatewaySettings, serve: Callable[..., str]) -> None:
    url = serve(make_app(settings))
    one, other = asyncio.run(ids_of_two(over_http(url, "legacy"), over_http(url, "legacy")))
    assert one and other and one != other


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_each_process_on_stdio_has_an_id(settings: GatewaySettings, mode: str) -> None:
    one, other = asyncio.run(ids_of_two(over_stdio(settings, mode), over_stdio(settings, mode)))
    assert one and other and one != other


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_a_client_may_choose_its_id(settings: GatewaySettings, serve: Callable[..., str], mode: str) -> None:
    url = serve(make_app(settings))
    named = {"Consort-Client": "my.app-1"}
    assert asyncio.run(ids_of_two(over_http(url, mode, **named), over_http(url, mode, **named))) == (
        "my.app-1",
        "my.app-1",
    )


def test_a_stateless_client_has_no_id(settings: GatewaySettings, serve: Callable[..., str]) -> None:
    url = serve(make_app(settings))
    modern = "2026-07-28"
    assert asyncio.run(ids_of_two(over_http(url, modern), over_http(url, modern))) == (None, None)


def call_result(url: str, headers: dict[str, str]) -> dict[str, Any]:
    """Return the result of a call in the older protocol, without a handshake before it."""
    answer = httpx2.post(f"{url}/mcp", headers=headers, json=CALL)
    assert answer.status_code == 200 and "mcp-session-id" not in answer.headers
    (line,) = (line for line in answer.text.splitlines() if line.startswith("data: {"))
    result: dict[str, Any] = json.loads(json.loads(line[6:])["result"]["content"][0]["text"])
    return result


def test_an_id_is_issued_once_and_stays_valid_after_a_restart(
    settings: GatewaySettings, serve: Callable[..., str]
) -> None:
    first = serve(make_app(settings))
    begun = httpx2.post(f"{first}/mcp", headers=HEADERS, json=INITIALIZE)
    session = begun.headers["mcp-session-id"]
    after_restart = serve(make_app(settings))
    assert call_result(after_restart, {**OLD, "Mcp-Session-Id": session})["client"] == session
    assert "client" not in call_result(after_restart, OLD)
    ended = httpx2.delete(f"{first}/mcp", headers={**OLD, "Mcp-Session-Id": session})
    assert ended.status_code == 405, "no session is kept that could end"


def with_header(name: str, value: str) -> dict[bytes, bytes]:
    return {key.encode(): each.encode() for key, each in {**OLD, name: value}.items()}


@pytest.mark.parametrize("wrong", ["", "a b", "a" * 81, "a/b", "é", "a,b"])
def test_invalid_ids(settings: GatewaySettings, serve: Callable[..., str], wrong: str) -> None:
    url = serve(make_app(settings))
    named = httpx2.post(f"{url}/mcp", headers=with_header("Consort-Client", wrong), json=CALL)
    assert (named.status_code, named.json()["error"]["field"]) == (422, "Consort-Client")
    assert "for example" in named.json()["error"]["message"]
    session = httpx2.post(f"{url}/mcp", headers=with_header("Mcp-Session-Id", wrong), json=CALL)
    assert session.status_code == 404, "this makes a client begin a new session"
    assert "initialize" in session.json()["error"]["message"]


def test_a_failed_handshake_gets_no_id(settings: GatewaySettings, serve: Callable[..., str]) -> None:
    url = serve(make_app(settings))
    for body in (b"", b"[]", b"nonsense", b'{"method": "initialize"}', b"[" * 100_000):
        answer = httpx2.post(f"{url}/mcp", headers={**HEADERS, "Content-Type": "application/json"}, content=body)
        assert answer.status_code == 400 and "mcp-session-id" not in answer.headers
