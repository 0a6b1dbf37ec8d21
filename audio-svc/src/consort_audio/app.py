"""The audio service."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI

from consort_audio.analysis.service import Analyses
from consort_audio.comparison.service import ComparisonService
from consort_audio.files.children import AudioChildren
from consort_audio.files.derived import DerivedFiles
from consort_audio.files.library import AudioLibrary
from consort_audio.files.render_routes import RENDERS_PATH
from consort_audio.files.render_routes import router as renders_router
from consort_audio.files.routes import router as files_router
from consort_audio.files.segments import AudioSegments
from consort_audio.files.service import AudioFileService
from consort_audio.files.store import AudioStore
from consort_audio.files.transfer_routes import UPLOAD_PATH
from consort_audio.files.transfer_routes import router as transfer_router
from consort_audio.files.uploads import Uploads
from consort_audio.jobs.routes import router as jobs_router
from consort_audio.listening_routers import LISTENING_ROUTERS
from consort_audio.pages.routes import router as pages_router
from consort_audio.pictures.known_analyses import AnalysisFinder
from consort_audio.pictures.known_music import MusicFinder
from consort_audio.pictures.routes import router as pictures_router
from consort_audio.pictures.service import PictureService
from consort_audio.recordings.references import References
from consort_audio.recordings.routes import router as recordings_router
from consort_audio.recordings.service import RecordingService
from consort_audio.recordings.store import RecordingStore
from consort_audio.settings import AudioSettings
from consort_audio.synthesis.routes import router as synthesis_router
from consort_audio.synthesis.service import SynthesisService
from consort_audio.transcription.service import Transcriptions
from consort_kit.errors import ServiceDown
from consort_kit.http.app import create_app
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.jobs.service import JobService
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.postgres import open_database
from consort_kit.tools.validation import IdTools
from consort_music.errors import MusicError
from consort_music.music_ids import ID_KINDS, MUSIC_ROUTES, TOOLS_THAT_CONVERT, TOOLS_THAT_LIST

DESCRIPTION = "Recordings, their analysis and comparison, and synthesis."


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: AudioSettings = app.state.settings
    async with open_database(settings, "audio", DATABASE_SCHEMAS["audio"], "list_audio") as database:
        app.state.client = client = ServiceClient(settings, MUSIC_ROUTES)
        app.state.links = Links(settings)
        app.state.jobs = jobs = JobService(database, settings.audio_jobs_at_once)
        store, children = AudioStore(database), AudioChildren(settings.heavy_at_once)
        app.state.children = children
        app.state.blobs = blobs = Blobs(settings)
        app.state.library = library = AudioLibrary(store, blobs, app.state.links, children, settings)
        app.state.analyses = analyses = Analyses(jobs, library, settings)
        converters = AudioChildren(settings.heavy_at_once)
        app.state.derived = DerivedFiles(library, blobs, children, converters)
        app.state.uploads = uploads = Uploads(store, library, app.state.links, settings, analyses.queue_baseline)
        app.state.files = AudioFileService(
            store, library, uploads, jobs, settings, analyses.queue_baseline, analyses.finished_baseline
        )
        app.state.segments = AudioSegments(library, children, jobs)
        app.state.pictures = PictureService(
            library, children, MusicFinder(library, client, settings), AnalysisFinder(analyses)
        )
        app.state.transcriptions = Transcriptions(analyses, library, client)
        app.state.comparisons = ComparisonService(analyses, library, client, app.state.links, settings)
        app.state.synthesis = synthesis = SynthesisService(jobs, library, client, settings)
        references = References(library, client, synthesis, settings)
        app.state.recordings = recordings = RecordingService(
            RecordingStore(database), library, uploads, analyses, references, app.state.links
        )
        uploads.on_recording = recordings.complete
        await library.delete_leftovers()
        await uploads.delete_expired()
        sweeping = asyncio.create_task(library.sweep())
        async with jobs.working():
            await uploads.finish_stored()  # may queue analyses
            yield
        sweeping.cancel()
        with suppress(asyncio.CancelledError, ServiceDown):
            await sweeping
        await synthesis.aclose()
        await analyses.aclose()
        await client.aclose()


def make_app(settings: AudioSettings) -> FastAPI:
    return create_app(
        "audio",
        DESCRIPTION,
        [
            files_router,
            transfer_router,
            renders_router,
            synthesis_router,
            recordings_router,
            pictures_router,
            *LISTENING_ROUTERS,
            pages_router,
            jobs_router,
        ],
        settings=settings,
        lifespan=lifespan,
        input_errors=(MusicError,),
        id_tools=IdTools(TOOLS_THAT_CONVERT, TOOLS_THAT_LIST, ID_KINDS),
        upload_paths=(UPLOAD_PATH, RENDERS_PATH),
    )
