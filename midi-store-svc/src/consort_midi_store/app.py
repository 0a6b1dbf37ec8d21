"""The midi-store service."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI

from consort_kit.errors import ServiceDown
from consort_kit.http.app import create_app
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.path_sandbox import open_sandbox
from consort_kit.storage.postgres import open_database
from consort_kit.tools.validation import IdTools
from consort_midi_store.files.readable_paths import ReadablePaths
from consort_midi_store.files.routes import router as files_router
from consort_midi_store.files.service import FileService
from consort_midi_store.files.sources import MusicSources
from consort_midi_store.files.store import FileStore
from consort_midi_store.files.versions import FileVersions
from consort_midi_store.files.writer import FileWriter
from consort_midi_store.midi_text.routes import router as midi_text_router
from consort_midi_store.midi_text.service import MidiTextService
from consort_midi_store.pictures.routes import router as pictures_router
from consort_midi_store.settings import MidiStoreSettings
from consort_midi_store.transforms.routes import router as transforms_router
from consort_midi_store.transforms.service import TransformService
from consort_music.errors import MusicError
from consort_music.music_ids import ID_KINDS, MUSIC_ROUTES, TOOLS_THAT_CONVERT, TOOLS_THAT_LIST

DESCRIPTION = "Stores, describes, transforms and draws the MIDI files of the studio."


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: MidiStoreSettings = app.state.settings
    async with open_database(settings, "midi_store", DATABASE_SCHEMAS["midi_store"], "list_midi") as database:
        store, blobs, client = FileStore(database), Blobs(settings), ServiceClient(settings, MUSIC_ROUTES)
        sandbox, links = open_sandbox(settings.data), Links(settings)
        sources = MusicSources(store, blobs, sandbox, client, settings.midi_max_bytes)
        paths = ReadablePaths(settings, blobs)
        writer = FileWriter(store, blobs, links, paths, client, settings)
        versions = FileVersions(store, blobs, settings.midi_versions, settings.midi_version_days)
        files = FileService(store, blobs, sandbox, links, sources, paths, writer, versions, settings)
        app.state.files = files
        app.state.writer = writer
        app.state.midi_text = MidiTextService(files, writer, settings)
        app.state.transforms = TransformService(files, writer, settings)
        app.state.links = links
        sweeping = asyncio.create_task(versions.sweep())
        yield
        sweeping.cancel()
        with suppress(asyncio.CancelledError, ServiceDown):
            await sweeping
        await client.aclose()


def make_app(settings: MidiStoreSettings) -> FastAPI:
    return create_app(
        "midi-store",
        DESCRIPTION,
        [files_router, midi_text_router, transforms_router, pictures_router],
        settings=settings,
        lifespan=lifespan,
        input_errors=(MusicError,),
        id_tools=IdTools(TOOLS_THAT_CONVERT, TOOLS_THAT_LIST, ID_KINDS),
    )
