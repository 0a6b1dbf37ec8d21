"""The project tools."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import AlreadyExists, Conflict, NotFound, ServiceDown, TooLarge
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.projects.canvas import Canvas
from consort_strudel.projects.models.canvas import GetSong, SongScript, SongUpdated, UpdateSong
from consort_strudel.projects.models.projects import (
    CreateProject,
    DeleteProject,
    DescribedProject,
    GetProjectMetadata,
    ListProjects,
    MetadataUpdated,
    ProjectCreated,
    ProjectDeleted,
    ProjectList,
    UpdateProjectMetadata,
)
from consort_strudel.projects.models.versions import ListVersions, RestoreVersion, VersionList, VersionRestored
from consort_strudel.projects.service import Projects
from consort_strudel.projects.versions import Versions

router = tool_router()


def _canvas(request: Request) -> Canvas:
    canvas: Canvas = request.app.state.canvas
    return canvas


def _projects(request: Request) -> Projects:
    projects: Projects = request.app.state.projects
    return projects


def _versions(request: Request) -> Versions:
    versions: Versions = request.app.state.versions
    return versions


TheCanvas = Annotated[Canvas, Depends(_canvas)]
TheProjects = Annotated[Projects, Depends(_projects)]
TheVersions = Annotated[Versions, Depends(_versions)]


@tool(router, title="Read a Strudel song", toolset="strudel", effect="read", errors=(NotFound,))
async def get_song(body: GetSong, canvas: TheCanvas) -> SongScript:
    """Show a Strudel project: read, open, load or look at the code (script) as it is now, at the moment, or at an older
    version, with a listen_url to hear it.

    Example: {"project_name": "night-drive"}
    """
    return await canvas.get_song(body)


@tool(
    router,
    title="Edit a Strudel song",
    toolset="strudel",
    effect="write",
    errors=(NotFound, Conflict, TooLarge, ServiceDown),
)
async def update_song(body: UpdateSong, canvas: TheCanvas) -> SongUpdated:
    """Edit the code of a Strudel project: add, insert, replace, change, swap or delete a line, voice (bass, synth,
    clap), pattern or section of the script, add an effect (reverb, delay). Validated first, kept as a new version.

    insert_after_pattern goes after the whole statement. With line numbers give expected_version.

    Example: {"project_name": "night-drive", "patch_instructions": {"action": "replace_pattern", "pattern": "hh\\\\*8",
    "new_content": "hh*16"}}
    """
    return await canvas.update_song(body)


@tool(router, title="List Strudel projects", toolset="strudel", effect="read")
async def list_projects(body: ListProjects, projects: TheProjects) -> ProjectList:
    """List which Strudel projects (live coding sketches, tracks) exist, also deleted ones; find them by name, tag,
    genre, bpm or date.

    Example: {"filters": {"tags": ["dark"], "tempo_min": 120}}
    """
    return await projects.list_projects(body)


@tool(
    router,
    title="Create a Strudel project",
    toolset="strudel",
    effect="write",
    errors=(AlreadyExists, TooLarge, ServiceDown),
)
async def create_project(body: CreateProject, projects: TheProjects) -> ProjectCreated:
    """Start a new Strudel project: begin a live coding song, empty, from code, or from a template (house, techno, lofi,
    ambient) in a tempo and key.

    Example: {"name": "night-drive", "template": "techno", "metadata": {"tempo": 128, "key": "F minor"}}
    """
    return await projects.create(body)


@tool(router, title="Describe a Strudel project", toolset="strudel", effect="read", errors=(NotFound,))
async def get_project_metadata(body: GetProjectMetadata, projects: TheProjects) -> DescribedProject:
    """Show the info of a Strudel project without its script: tempo (bpm), key, how it is tagged (tags, genre), lines,
    when it was created and last changed.

    Example: {"project_name": "night-drive"}
    """
    return await projects.get_metadata(body)


@tool(
    router,
    title="Change a Strudel project's metadata",
    toolset="strudel",
    effect="write",
    errors=(NotFound, AlreadyExists),
)
async def update_project_metadata(body: UpdateProjectMetadata, projects: TheProjects) -> MetadataUpdated:
    """Set the tempo, key, tags, genre, data or description of a Strudel project, or rename it. The script stays.

    Example: {"project_name": "night-drive", "metadata_updates": {"tags": ["dark"]}}
    """
    return await projects.update_metadata(body)


@tool(router, title="Delete a Strudel project", toolset="strudel", effect="destroy", errors=(NotFound,))
async def delete_project(body: DeleteProject, projects: TheProjects) -> ProjectDeleted:
    """Delete a Strudel project (sketch) with its versions: remove, erase, throw away. restore_version brings it back
    for 30 days.

    Example: {"project_name": "night-drive", "confirm": true}
    """
    return await projects.delete(body)


@tool(router, title="List versions of a Strudel song", toolset="strudel", effect="read", errors=(NotFound,))
async def list_versions(body: ListVersions, versions: TheVersions) -> VersionList:
    """Show the history of a Strudel song: which versions exist, what changed in the script, when and why (edits,
    diffs), newest first; also if it was deleted.

    Example: {"project_name": "night-drive", "limit": 5}
    """
    return await versions.list_versions(body)


@tool(router, title="Restore a Strudel song", toolset="strudel", effect="write", errors=(NotFound, Conflict))
async def restore_version(body: RestoreVersion, versions: TheVersions) -> VersionRestored:
    """Go back to an earlier version of a Strudel song: return, revert or roll back to how the script was, undo the last
    edit, or recover a deleted project.

    Example: {"project_name": "night-drive", "version": 3}
    """
    return await versions.restore(body)
