"""The audio service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from consort_audio.analysis.baseline import BaselineAnalyses
from consort_audio.files.routes import router as files_router
from consort_audio.jobs.routes import router as jobs_router
from consort_audio.jobs.service import JobService
from consort_audio.pictures.routes import router as pictures_router
from consort_audio.recordings.routes import router as recordings_router
from consort_audio.settings import AudioSettings
from consort_audio.synthesis.routes import router as synthesis_router
from consort_kit.http.app import create_app
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.storage.postgres import open_database
from consort_kit.tools.validation import IdTools
from consort_music.errors import MusicError
from consort_music.music_ids import MUSIC_ROUTES, TOOLS_THAT_CONVERT, TOOLS_THAT_LIST

DESCRIPTION = "Recordings, their analysis and comparison, and synthesis."


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: AudioSettings = app.state.settings
    async with open_database(settings, "audio", "consort_audio.migrations") as database:
        client, app.state.links = ServiceClient(settings, MUSIC_ROUTES), Links(settings)
        app.state.jobs = jobs = JobService(database, settings.audio_jobs_at_once)
        app.state.baseline = BaselineAnalyses(jobs)
        async with jobs.working():
            yield
        await client.aclose()


def make_app(settings: AudioSettings) -> FastAPI:
    return create_app(
        "audio",
        DESCRIPTION,
        [files_router, synthesis_router, recordings_router, pictures_router, jobs_router],
        settings=settings,
        lifespan=lifespan,
        input_errors=(MusicError,),
        id_tools=IdTools(TOOLS_THAT_CONVERT, TOOLS_THAT_LIST),
    )
