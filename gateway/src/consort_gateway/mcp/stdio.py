"""MCP over stdin and stdout, for an assistant on this machine that starts the gateway itself."""

import asyncio

from mcp.server.stdio import stdio_server

from consort_gateway.mcp.server import create_server
from consort_gateway.service_calls import ServiceCalls, StudioLaunch
from consort_gateway.settings import GatewaySettings
from consort_kit.tools.client_ids import new_client_id


def run_stdio(settings: GatewaySettings, launching: StudioLaunch | None) -> None:
    asyncio.run(_serve(settings, launching))


async def _serve(settings: GatewaySettings, launching: StudioLaunch | None) -> None:
    services = ServiceCalls(settings, launching)
    server = create_server(settings, services, new_client_id())
    try:
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())
    finally:
        await services.aclose()
