"""MCP over stdin and stdout: what an assistant on this machine starts."""

import asyncio

from mcp.server.stdio import stdio_server

from consort_gateway.server import create_server
from consort_gateway.settings import GatewaySettings
from consort_gateway.upstream import Launching, Upstream
from consort_kit.clients import new_client_id


def run_stdio(settings: GatewaySettings, launching: Launching | None) -> None:
    asyncio.run(_serve(settings, launching))


async def _serve(settings: GatewaySettings, launching: Launching | None) -> None:
    upstream = Upstream(settings, launching)
    server = create_server(settings, upstream, new_client_id())
    try:
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())
    finally:
        await upstream.aclose()
