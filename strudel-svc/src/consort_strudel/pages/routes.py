"""The listen page, its program, the song that it follows and saves, and the sounds. A browser has signed links."""

from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi import Path as PathField
from pydantic import BaseModel, Field
from starlette.responses import FileResponse, Response

from consort_kit.errors import NotFound
from consort_kit.ids import id_pattern
from consort_kit.tools.tool_decorator import ERRORS, binary_responses
from consort_strudel.pages.links import ListenPageLinks
from consort_strudel.pages.listen_page import PROGRAM_PATH, SONG_PATH, SOUNDS_PATH, listen_page
from consort_strudel.projects.canvas import Canvas
from consort_strudel.projects.models.fields import Code, Reason
from consort_strudel.projects.names import no_project
from consort_strudel.projects.storage.rows import ProjectRow
from consort_strudel.projects.storage.store import ProjectStore
from consort_strudel.sounds.library import SoundLibrary, media_type

router = APIRouter()

ACTION = "listen_page"
_MOST_ERRORS = 3
PROJECT_ID = id_pattern("project")
_KEEP = {"Cache-Control": "private, max-age=86400"}
ProjectId = Annotated[str, PathField(pattern=PROJECT_ID, description="Id of a project.")]


class NewestSong(BaseModel):
    name: str
    version: int
    script: str
    action: str | None = None
    summary: str | None = None
    reason: str | None = None


class SavedScript(BaseModel):
    script: Code
    expected_version: int = Field(ge=1)
    reason: Reason | None = None


class SaveOutcome(BaseModel):
    version: int
    errors: list[str] | None = Field(None, description="Of the script, which is stored all the same.")


async def _project(request: Request, project_id: str) -> ProjectRow:
    store: ProjectStore = request.app.state.project_store
    row = await store.find_by_id(project_id)
    if row is None:
        raise await no_project(store, project_id)
    return row


@router.get(
    PROGRAM_PATH,
    summary="A program of the listen page",
    response_class=Response,
    responses=binary_responses("text/javascript"),
)
async def listen_program(request: Request, name: Literal["listen.js", "tunings.js"]) -> Response:
    folder: Path = request.app.state.engine_programs
    program = folder / name
    if not program.is_file():
        raise NotFound("The listen page is not built yet. Run `consort up` again, which builds it.")
    return FileResponse(program, media_type="text/javascript", headers=_KEEP)


@router.get(SOUNDS_PATH, summary="The sounds of this machine, with links")
async def listen_sounds(request: Request) -> dict[str, Any]:
    library: SoundLibrary = request.app.state.sound_library
    links: ListenPageLinks = request.app.state.listen_links
    return {"library": library.description(), "files": {name: links.path(f"/sounds/{name}") for name in library.files}}


@router.get(
    "/sounds/{name:path}",
    summary="A file of the sound library",
    include_in_schema=False,  # any path
    response_class=Response,
    responses=binary_responses("audio/flac", "text/javascript"),
)
async def sound_file(request: Request, name: str) -> Response:
    library: SoundLibrary = request.app.state.sound_library
    file = library.path(name)
    if file is None:
        raise NotFound("There is no such sound on this machine.")
    return FileResponse(file, media_type=media_type(file), headers=_KEEP)


@router.get(
    "/listen/{project_id}", summary="The listen page", response_class=Response, responses=binary_responses("text/html")
)
async def listen(request: Request, project_id: ProjectId) -> Response:
    return listen_page(await _project(request, project_id), request.app.state.listen_links)


@router.get(SONG_PATH, summary="The newest version, for the listen page", responses=ERRORS)
async def newest_song(request: Request, project_id: ProjectId) -> NewestSong:
    row = await _project(request, project_id)
    store: ProjectStore = request.app.state.project_store
    version = await store.version(row.id, row.version)
    why = {} if version is None else {name: getattr(version, name) for name in ("action", "summary", "reason")}
    return NewestSong(name=row.name, version=row.version, script=row.script, **why)


@router.put(SONG_PATH, summary="Save edits of the listen page as a version", responses=ERRORS)
async def save_song(request: Request, project_id: ProjectId, body: SavedScript) -> SaveOutcome:
    canvas: Canvas = request.app.state.canvas
    saved = await canvas.save_script(
        project_id, body.script, action=ACTION, expected_version=body.expected_version, reason=body.reason
    )
    errors = saved.validation.errors[:_MOST_ERRORS] if saved.validation else []
    return SaveOutcome(version=saved.version, errors=[error.sentence for error in errors] or None)
