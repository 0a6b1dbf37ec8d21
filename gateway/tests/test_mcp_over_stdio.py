"""MCP over stdin and stdout, as an assistant on this machine uses it."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from consort_gateway.settings import GatewaySettings
from evaluation.mcp_answers import answer_of, error_of
from tests.support.servers.fake_midi_store import FakeMidiStore

SERVER = """
from consort_gateway.settings import GatewaySettings
from consort_gateway.mcp.stdio import run_stdio
from consort_kit.logs import set_up_logs
set_up_logs("mcp", "WARNING")
run_stdio(GatewaySettings(), None)
"""


@pytest.fixture
def environment(settings: GatewaySettings) -> dict[str, str]:
    return {
        "CONSORT_DATA": str(settings.data),
        "CONSORT_TOKEN": "secret-token-of-tests",
        "CONSORT_SERVICE_URLS": json.dumps(settings.service_urls),
    }


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_a_complete_conversation(
    mode: str, environment: dict[str, str], midi_store: FakeMidiStore, tmp_path: Path, settings: GatewaySettings
) -> None:
    midi_store.answers["broken"] = ("application/json", b"nonsense")

    async def converse(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        listing = tools["list_midi"]
        assert listing.title and listing.annotations is not None and listing.annotations.read_only_hint is True

        result = await client.call_tool("list_midi", {"limit": 2})
        assert answer_of(result)["items"] == ["♪", "♪"]

        unknown = await client.call_tool("list_midi", {"limits": 2})
        assert unknown.is_error and isinstance(unknown.content[0], types.TextContent)
        assert json.loads(unknown.content[0].text)["error"]["suggestions"] == ["limit"]

        masked = await client.call_tool("get_midi", {"path": "broken"})
        assert error_of(masked)["code"] == "INTERNAL_ERROR"
        assert "nonsense" not in str(masked.content)

        with pytest.raises(MCPError, match="Did you mean list_midi"):
            await client.call_tool("lst_midi", {})
        if mode == "legacy":
            assert client.instructions is not None and "Consort is a music studio" in client.instructions

    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-W", "error", "-c", SERVER], env=environment)
        with (tmp_path / "log").open("w") as log:
            async with Client(stdio_client(server, errlog=log), mode=mode) as client:
                await converse(client)

    asyncio.run(asyncio.wait_for(run(), 60))
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    (failure,) = (line for line in lines if line["level"] == "ERROR")  # every line is JSON, and exactly one is an error
    assert failure["tool"] == "get_midi" and "JSONDecodeError" in failure["exception"]
    assert "secret-token-of-tests" not in str(lines)


def test_the_gateway_ends_with_its_assistant(environment: dict[str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SERVER], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert (ended.returncode, ended.stdout) == (0, b"")
