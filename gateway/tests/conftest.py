"""Fixtures of the gateway's tests: real servers, and a fake midi-store."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from consort_gateway.app import make_app
from consort_gateway.settings import GatewaySettings
from consort_kit.services import SERVICES
from evaluation.processes import servers
from tests.support.servers.app_servers import AppServers
from tests.support.servers.fake_midi_store import TOKEN, FakeMidiStore
from tests.support.servers.mcp_clients import RunClient

ClientWork = Callable[[Client], Awaitable[None]]


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serve an app on a port of this machine (a free one, or the one given) and return its address."""
    servers = AppServers()
    yield servers.serve
    servers.stop()


@pytest.fixture
def free_port() -> int:
    return servers.free_port()


@pytest.fixture
def midi_store() -> FakeMidiStore:
    return FakeMidiStore()


@pytest.fixture
def settings(tmp_path: Path, midi_store: FakeMidiStore, serve: Callable[..., str]) -> GatewaySettings:
    """Return the settings of a gateway that uses the fake midi-store; its other services are down."""
    down = dict.fromkeys(SERVICES, "http://127.0.0.1:9")  # nothing listens there
    urls = {**down, "midi-store": serve(midi_store.app(tmp_path / "midi-store"))}
    return GatewaySettings(data=tmp_path / "data", token=TOKEN, service_urls=urls, start_wait_s=20)


@pytest.fixture(params=["2026-07-28", "legacy"])
def run_client(request: pytest.FixtureRequest, settings: GatewaySettings, serve: Callable[..., str]) -> RunClient:
    """Return a function that runs `work` with a client of a new gateway. Keywords change the gateway's settings."""
    mode: str = request.param

    @asynccontextmanager
    async def connected(url: str) -> AsyncIterator[Client]:
        headers = {"Authorization": "Bearer secret-token-of-tests"}
        async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
            transport = streamable_http_client(f"{url}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                assert client.protocol_version == mode or mode == "legacy"
                yield client

    def run_client(work: ClientWork, **options: Any) -> None:
        url = serve(make_app(settings.model_copy(update=options)))

        async def run() -> None:
            async with connected(url) as client:
                await work(client)

        asyncio.run(asyncio.wait_for(run(), 40))

    return run_client
