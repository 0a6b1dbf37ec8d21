"""Fixtures of the audio service's tests: a real service with a real Postgres, which all tests of a worker share."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from consort_audio.settings import AudioSettings
from consort_audio.synthesis.soundfont_renderer import SoundfontRenderer
from consort_kit.storage.postgres import open_database
from consort_music.synth.soundfonts import find_soundfont
from tests.support.audio_file_parts import FileParts, RunWithParts
from tests.support.rendering import Rendering
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
    """Run an audio service for one test only, with a new data folder and its own Postgres. It takes up to 60 MB."""
    small = {"CONSORT_AUDIO_MAX_BYTES": str(60 * 1024**2)}
    with (
        ExternalPostgres(tmp_path_factory.mktemp("own_postgres")) as database,
        AudioService(tmp_path_factory.mktemp("own_audio"), database.url, small) as running,
    ):
        yield running


@pytest.fixture(scope="session")
def soundfont() -> str:
    """Return the path of the installed soundfont."""
    found = find_soundfont(None, Path("no data folder"))
    assert found is not None
    return str(found)


@pytest.fixture(scope="session")
def renderer(soundfont: str) -> SoundfontRenderer:
    return SoundfontRenderer(soundfont)


@pytest.fixture
def rendering(renderer: SoundfontRenderer, soundfont: str, tmp_path: Path) -> Rendering:
    """Render music in this process with the installed soundfont, which is loaded once."""
    return Rendering(renderer, soundfont, tmp_path)


@pytest.fixture
def run_with_parts(audio: AudioService, postgres: ExternalPostgres, tmp_path: Path) -> RunWithParts:
    """Return a function that runs a test with parts of `files/`. The tables are those of the running service."""
    settings = AudioSettings(data=tmp_path, token="secret-token-of-tests", database_url=postgres.url)

    def run(work: Callable[[FileParts], Awaitable[None]]) -> None:
        async def inside() -> None:
            async with open_database(settings, "audio", "consort_audio.migrations") as database:
                await work(FileParts(settings, database))

        asyncio.run(asyncio.wait_for(inside(), 120))

    return run
