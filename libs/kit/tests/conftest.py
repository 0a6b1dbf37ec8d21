"""Fixtures of the kit's tests: settings with a new data folder, servers on real ports, and one Postgres."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from consort_kit.settings import Settings
from tests.support.servers.app_servers import AppServers
from tests.support.servers.storage_servers import ExternalPostgres


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", token="secret-token-of-tests")


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serve an app on a port of this machine (a free one, or the one given) and return its address."""
    servers = AppServers()
    yield servers.serve
    servers.stop()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExternalPostgres]:
    """Start a Postgres that a test may stop and start again."""
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running
