"""Put together what makes sound: the library of sounds, the listen page, renders and their comparison."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.jobs.models import SOUND_JOB
from consort_kit.jobs.service import JobService
from consort_kit.settings import Settings
from consort_kit.storage.postgres import Database
from consort_strudel.comparing.routes import router as comparing_router
from consort_strudel.comparing.service import Comparing
from consort_strudel.engine import Engine
from consort_strudel.engine.engine import DEFAULT_FOLDER
from consort_strudel.events.script_to_play import FindProject
from consort_strudel.pages.links import ListenPageLinks
from consort_strudel.pages.routes import router as pages_router
from consort_strudel.projects.patches.outline import OutlineOf
from consort_strudel.projects.storage.store import ProjectStore
from consort_strudel.rendering.renderer import Renderer
from consort_strudel.rendering.routes import jobs_router
from consort_strudel.rendering.routes import router as render_router
from consort_strudel.rendering.service import RenderService
from consort_strudel.sounds.library import SoundLibrary, open_library
from consort_strudel.validation import Validator

ROUTERS = (render_router, comparing_router, jobs_router, pages_router)
PROGRAMS = DEFAULT_FOLDER / "dist"
RENDERS_AT_ONCE = 1
"""A render uses several processors by itself."""


def prepare_pages(app: FastAPI, settings: Settings, store: ProjectStore) -> ListenPageLinks:
    """Set what the routes of the listen page need, and return the links to it."""
    app.state.listen_links = links = ListenPageLinks(Links(settings))
    app.state.project_store = store
    app.state.engine_programs = PROGRAMS
    app.state.sound_library = open_library(settings.data)
    return links


@asynccontextmanager
async def rendering(
    app: FastAPI,
    database: Database,
    engine: Engine,
    validator: Validator,
    find_project: FindProject,
    read_outline: OutlineOf,
    client: ServiceClient,
) -> AsyncIterator[None]:
    """Render scripts while the context is open. Call `prepare_pages` before."""
    library: SoundLibrary = app.state.sound_library
    app.state.jobs = jobs = JobService(database, RENDERS_AT_ONCE, id_prefix=SOUND_JOB)
    app.state.renders = renders = RenderService(
        Renderer(PROGRAMS, library), engine, validator, find_project, jobs, client
    )
    app.state.comparing = Comparing(renders, engine, find_project, read_outline, jobs, client)
    try:
        async with jobs.working():
            yield
    finally:
        await renders.aclose()
