"""Fixtures for the tests of audio files."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from consort_audio.settings import AudioSettings
from consort_kit.storage.postgres import open_database
from tests.support.audio_file_parts import FileParts, RunWithParts
from tests.support.servers.audio_service import AudioService
from tests.support.servers.storage_servers import ExternalPostgres


@pytest.fixture
def run_with_parts(audio: AudioService, postgres: ExternalPostgres, tmp_path: Path) -> RunWithParts:
    """Return a function that runs a test with the parts. The tables are those of the running service."""
    settings = AudioSettings(data=tmp_path, token="secret-token", database_url=postgres.url)

    def run(work: Callable[[FileParts], Awaitable[None]]) -> None:
        async def inside() -> None:
            async with open_database(settings, "audio", "consort_audio.migrations") as database:
                await work(FileParts(settings, database))

        asyncio.run(asyncio.wait_for(inside(), 120))

    return run
