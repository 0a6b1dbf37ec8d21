"""Fixtures of the audio service's tests: a real service with a real Postgres, which all tests of a worker share."""

from collections.abc import Iterator

import pytest

from tests.support.servers.audio_service import AudioService
from tests.support.servers.storage_servers import ExternalPostgres


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExternalPostgres]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running


@pytest.fixture(scope="session")
def audio(tmp_path_factory: pytest.TempPathFactory, postgres: ExternalPostgres) -> Iterator[AudioService]:
    """Run an audio service. A test that breaks it uses `own_audio` instead."""
    with AudioService(tmp_path_factory.mktemp("audio"), postgres.url) as running:
        yield running


@pytest.fixture
def own_audio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AudioService]:
    """Run an audio service for one test only, with a new data folder and its own Postgres."""
    with (
        ExternalPostgres(tmp_path_factory.mktemp("own_postgres")) as database,
        AudioService(tmp_path_factory.mktemp("own_audio"), database.url) as running,
    ):
        yield running
