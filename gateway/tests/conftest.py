"""Fixtures of the gateway's tests: real servers, and a fake midi-store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from consort_gateway.settings import GatewaySettings
from consort_kit.services import SERVICES
from evaluation.processes import servers
from tests.support.servers.app_servers import AppServers
from tests.support.servers.fake_midi_store import TOKEN, FakeMidiStore


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
