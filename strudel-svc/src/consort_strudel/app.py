"""The app of strudel-svc."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from consort_kit.http.app import create_app
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.settings import Settings
from consort_kit.storage.postgres import open_database
from consort_kit.tools.validation import IdTools
from consort_music.errors import MusicError
from consort_music.music_ids import ID_KINDS, MUSIC_ROUTES, TOOLS_THAT_CONVERT, TOOLS_THAT_LIST
from consort_strudel import sound_parts
from consort_strudel.clips.background import ClipBackground
from consort_strudel.clips.routes import router as clips_router
from consort_strudel.clips.save_and_change import ClipChanges
from consort_strudel.clips.service import ClipSearch
from consort_strudel.clips.storage.store import ClipStore
from consort_strudel.engine import Engine
from consort_strudel.events.routes import router as events_router
from consort_strudel.events.script_to_play import FindProject, ScriptToPlay
from consort_strudel.events.service import EventService
from consort_strudel.knowledge.functions.routes import router as functions_router
from consort_strudel.knowledge.functions.service import FunctionKnowledge
from consort_strudel.knowledge.identify.routes import router as identify_router
from consort_strudel.knowledge.identify.service import PatternKnowledge
from consort_strudel.knowledge.packs.routes import router as packs_router
from consort_strudel.knowledge.packs.service import PackKnowledge
from consort_strudel.knowledge.vocabulary.routes import router as vocabulary_router
from consort_strudel.projects.canvas import Canvas
from consort_strudel.projects.changes import ScriptChanges
from consort_strudel.projects.engine_reading import EngineReading
from consort_strudel.projects.names import find_project
from consort_strudel.projects.routes import router as projects_router
from consort_strudel.projects.service import Projects
from consort_strudel.projects.storage.store import ProjectStore
from consort_strudel.projects.versions import Versions
from consort_strudel.script_tools.routes import router as script_router
from consort_strudel.script_tools.service import ScriptTools
from consort_strudel.similarity.embedder import Embedder
from consort_strudel.transcribing.routes import router as transcribing_router
from consort_strudel.transcribing.service import TranscribingService
from consort_strudel.validation import Validator

DESCRIPTION = "Strudel live coding with the real engine: canvas, projects, clips, knowledge."


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    engine = Engine()
    warming_up = asyncio.create_task(engine.warm_up())
    async with open_database(settings, "strudel", DATABASE_SCHEMAS["strudel"], "list_projects") as database:
        store = ProjectStore(database)
        links = sound_parts.prepare_pages(app, settings, store)
        validator = Validator(engine, app.state.sound_library)
        reading = EngineReading(engine, validator)
        client = ServiceClient(settings, MUSIC_ROUTES)
        changes = ScriptChanges(store)
        app.state.canvas = Canvas(store, changes, reading, links)
        app.state.versions = Versions(store, changes, links)
        app.state.projects = projects = Projects(store, reading, links)
        app.state.script_tools = ScriptTools(engine, validator, store)
        app.state.events = EventService(engine, validator, _scripts_of(store), client, Links(settings))
        app.state.function_knowledge = FunctionKnowledge(engine)
        app.state.pack_knowledge = PackKnowledge(app.state.sound_library)
        app.state.transcribing = TranscribingService(engine, client, projects.create)
        clips, embedder = ClipStore(database), Embedder()
        background = ClipBackground(clips, engine, embedder)
        app.state.clip_search = clip_search = ClipSearch(clips, engine, embedder, background.library_is_there)
        app.state.pattern_knowledge = PatternKnowledge(engine, clip_search)
        app.state.clip_changes = ClipChanges(clips, engine, validator, embedder)
        loading_clips = asyncio.create_task(background.run())
        await store.delete_expired()
        async with sound_parts.rendering(app, database, engine, validator, _scripts_of(store), reading.outline, client):
            yield
        loading_clips.cancel()
        await asyncio.gather(loading_clips, return_exceptions=True)
        await client.aclose()
    await asyncio.gather(warming_up, return_exceptions=True)
    await engine.close()


def _scripts_of(store: ProjectStore) -> FindProject:
    async def find(name: str, version: int | None) -> ScriptToPlay:
        row = await find_project(store, name, version)
        return ScriptToPlay(row.script, row.name, version or row.version, row.data)

    return find


def make_app(settings: Settings) -> FastAPI:
    routers = [
        projects_router,
        script_router,
        events_router,
        transcribing_router,
        vocabulary_router,
        functions_router,
        clips_router,
        packs_router,
        identify_router,
        *sound_parts.ROUTERS,
    ]
    return create_app(
        "strudel",
        DESCRIPTION,
        routers,
        settings=settings,
        lifespan=lifespan,
        input_errors=(MusicError,),
        id_tools=IdTools(TOOLS_THAT_CONVERT, TOOLS_THAT_LIST, ID_KINDS),
    )
