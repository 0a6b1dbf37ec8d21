from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from consort_kit.app import create_app
from consort_kit.client import ServiceClient
from consort_music.errors import MusicError
from consort_playback.playing.fetching import SANDBOX_FOLDERS, Fetcher
from consort_playback.playing.routes import router
from consort_playback.playing.service import PlaybackService
from consort_playback.settings import PlaybackSettings

DESCRIPTION = "Plays MIDI on this machine's devices."


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: PlaybackSettings = app.state.settings
    for folder in SANDBOX_FOLDERS:
        (settings.data / folder).mkdir(parents=True, exist_ok=True)
    client = ServiceClient(settings)
    playing = app.state.playing = PlaybackService(settings, Fetcher(settings, client))
    playing.start()
    try:
        yield
    finally:
        await playing.aclose()
        await client.aclose()


def make_app(settings: PlaybackSettings) -> FastAPI:
    return create_app("playback", DESCRIPTION, [router], settings=settings, lifespan=lifespan, refusals=(MusicError,))
