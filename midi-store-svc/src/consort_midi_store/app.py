from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from consort_kit.app import create_app
from consort_kit.blobs import Blobs
from consort_kit.client import ServiceClient
from consort_kit.links import Links
from consort_kit.postgres import open_database
from consort_kit.sandbox import Sandbox
from consort_midi_store.files.routes import router as files_router
from consort_midi_store.files.service import FileService
from consort_midi_store.files.sources import MusicSources
from consort_midi_store.files.store import FileStore
from consort_midi_store.pictures.routes import router as pictures_router
from consort_midi_store.settings import MidiStoreSettings
from consort_midi_store.text.routes import router as text_router
from consort_midi_store.text.service import TextService
from consort_midi_store.transforms.routes import router as transforms_router
from consort_midi_store.transforms.service import TransformService
from consort_music.errors import MusicError

DESCRIPTION = "Every MIDI file of the studio: kept, described, handed out."
SANDBOX_FOLDERS = ("import", "midi", "export")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: MidiStoreSettings = app.state.settings
    for folder in SANDBOX_FOLDERS:
        (settings.data / folder).mkdir(parents=True, exist_ok=True)
    async with open_database(settings, "midi_store", "consort_midi_store.migrations") as database:
        store, blobs, client = FileStore(database), Blobs(settings), ServiceClient(settings)
        sandbox, links = Sandbox(settings.data, SANDBOX_FOLDERS), Links(settings)
        sources = MusicSources(store, blobs, sandbox, client, settings.midi_max_bytes)
        files = FileService(store, blobs, sandbox, links, sources, settings)
        app.state.files = files
        app.state.texts = TextService(files, settings)
        app.state.transforms = TransformService(files, settings)
        app.state.links = links
        yield
        await client.aclose()


def make_app(settings: MidiStoreSettings) -> FastAPI:
    return create_app(
        "midi-store",
        DESCRIPTION,
        [files_router, text_router, transforms_router, pictures_router],
        settings=settings,
        lifespan=lifespan,
        refusals=(MusicError,),
    )
