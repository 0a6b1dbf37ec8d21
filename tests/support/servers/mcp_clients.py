"""Clients of the official MCP package, connected to a studio over HTTP or over stdio."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx2
from mcp.client.client import Client, ConnectMode
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.support.servers.studio import Studio

RunClient = Callable[..., None]
"""Run a function of a `Client`; keywords change the gateway's settings."""
MODERN = "2026-07-28"


@asynccontextmanager
async def over_http(studio: Studio, mode: ConnectMode = "auto", **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={**studio.headers, **headers}, timeout=60) as http,
        Client(streamable_http_client(f"{studio.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(studio: Studio, mode: ConnectMode = "auto", **more_settings: str) -> AsyncIterator[Client]:
    """Run the studio's program for stdio with `more_settings`, and connect to it."""
    async with Client(stdio_client(studio.stdio_server(**more_settings)), mode=mode) as client:
        yield client
