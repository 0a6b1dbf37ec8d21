"""The compose service."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from consort_compose.composer.counterpoint.routes import router as counterpoint_router
from consort_compose.composer.export.routes import router as export_router
from consort_compose.composer.export.uploaded_music import router as uploaded_music_router
from consort_compose.composer.harmony.analyze.routes import router as analyze_router
from consort_compose.composer.harmony.harmonize.routes import router as harmonize_router
from consort_compose.composer.melody.routes import router as melody_router
from consort_compose.composer.music_sources import ScoreSources
from consort_compose.composer.phrases.routes import router as phrases_router
from consort_compose.composer.service import Composer
from consort_compose.composer.voicings.routes import router as voicings_router
from consort_compose.notation.routes import pages_router as notation_pages_router
from consort_compose.notation.routes import router as notation_router
from consort_compose.notation.service import NotationService
from consort_compose.notation.sources import NotationSources
from consort_compose.notation.store import NotationStore
from consort_compose.score_library.routes import files_router as library_files_router
from consort_compose.score_library.routes import router as score_library_router
from consort_compose.score_library.service import ScoreLibrary
from consort_compose.scores.routes import router as scores_router
from consort_compose.scores.service import ScoreService
from consort_compose.scores.store import ScoreStore
from consort_compose.songs.reader import SongReader
from consort_compose.songs.routes import router as songs_router
from consort_compose.songs.storage.store import SongStore
from consort_kit.http.app import create_app
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.jobs.models import NOTATION_JOB
from consort_kit.jobs.service import JobService
from consort_kit.processes.function_workers import FunctionWorkers
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.settings import Settings
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.postgres import open_database
from consort_kit.tools.validation import IdTools
from consort_music.errors import MusicError
from consort_music.music_ids import ID_KINDS, MUSIC_ROUTES, TOOLS_THAT_CONVERT, TOOLS_THAT_LIST

DESCRIPTION = "Composer, scores, songs and notation."
ENGINE_SHARE = 2 / 3
"""Share of the time limit of a request that an engine may use; reading and storing music need the rest."""
ENGINES = [
    f"consort_compose.composer.{name}"
    for name in (
        "counterpoint.service",
        "export.service",
        "harmony.analyze.service",
        "harmony.harmonize.service",
        "melody.service",
        "music_reading",
        "phrases.service",
        "voicings.service",
    )
]
"""What a worker of the composer imports."""
ENGINE_MEMORY_BYTES = 1024**3
WARM_UP_AFTER_S = 2.0
"""When the first worker starts: not together with all other processes of the studio."""
JOBS_AT_ONCE = 2
"""Pieces that one process engraves at once; others wait."""


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    async with open_database(settings, "compose", DATABASE_SCHEMAS["compose"], "list_songs") as database:
        client = ServiceClient(settings, MUSIC_ROUTES)
        songs = SongStore(database)
        app.state.client = client
        app.state.song_store = songs
        workers = FunctionWorkers(settings.heavy_at_once, ENGINES, ENGINE_MEMORY_BYTES)
        app.state.score_library = library = ScoreLibrary(workers)
        app.state.scores = scores = ScoreService(ScoreStore(database), library)
        sources = ScoreSources(scores, library, SongReader(songs), client, workers)
        app.state.composer = Composer(sources, scores, client, workers, ENGINE_SHARE * settings.timeout_s)
        app.state.jobs = jobs = JobService(database, JOBS_AT_ONCE, id_prefix=NOTATION_JOB)
        app.state.notations = notations = NotationService(
            NotationStore(database),
            NotationSources(scores, library, songs, client),
            jobs,
            Blobs(settings),
            Links(settings),
            settings,
        )
        await notations.delete_expired()
        warm_up = asyncio.get_running_loop().call_later(WARM_UP_AFTER_S, workers.warm_up)
        async with jobs.working():
            yield
        warm_up.cancel()
        workers.close()
        await client.aclose()


def make_app(settings: Settings) -> FastAPI:
    return create_app(
        "compose",
        DESCRIPTION,
        [
            songs_router,
            scores_router,
            score_library_router,
            library_files_router,
            melody_router,
            phrases_router,
            counterpoint_router,
            harmonize_router,
            analyze_router,
            voicings_router,
            export_router,
            uploaded_music_router,
            notation_router,
            notation_pages_router,
        ],
        settings=settings,
        lifespan=lifespan,
        input_errors=(MusicError,),
        id_tools=IdTools(TOOLS_THAT_CONVERT, TOOLS_THAT_LIST, ID_KINDS),
    )
