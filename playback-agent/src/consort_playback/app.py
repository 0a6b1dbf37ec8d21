from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from consort_kit.http.app import create_app
from consort_kit.http.service_client import ServiceClient
from consort_kit.tools.validation import IdTools
from consort_music.errors import MusicError
from consort_music.music_ids import ID_KINDS, MUSIC_ROUTES, TOOLS_THAT_CONVERT, TOOLS_THAT_LIST
from consort_playback.playbacks.fetch_music import MusicFetcher
from consort_playback.playbacks.routes import router
from consort_playback.playbacks.service import PlaybackService
from consort_playback.ports.port_pool import PortPool
from consort_playback.settings import PlaybackSettings

DESCRIPTION = "Plays MIDI on this machine's devices."


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: PlaybackSettings = app.state.settings
    client = ServiceClient(settings, MUSIC_ROUTES)
    service = PlaybackService(settings, MusicFetcher(settings, client), PortPool(settings))
    app.state.playback_service = service
    service.start()
    try:
        yield
    finally:
        await service.aclose()
        await client.aclose()


def make_app(settings: PlaybackSettings) -> FastAPI:
    return create_app(
        "playback",
        DESCRIPTION,
        [router],
        settings=settings,
        lifespan=lifespan,
        input_errors=(MusicError,),
        id_tools=IdTools(TOOLS_THAT_CONVERT, TOOLS_THAT_LIST, ID_KINDS),
    )
