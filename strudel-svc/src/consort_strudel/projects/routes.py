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
    """Show a project's Strudel script with its metadata, version and listen_url. Do this before update_song.

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
    """Add, change or remove code of a Strudel script, by line, pattern or section; validated first, kept as a new
    version.

    insert_after_pattern and insert_before_pattern go beside the whole statement with the match. With line numbers give
    expected_version.

    Example: {"project_name": "night-drive", "patch_instructions": {"action": "replace_pattern", "pattern": "hh\\\\*8",
    "new_content": "hh*16"}, "reason": "busier hats"}
    """
    return await canvas.update_song(body)


@tool(router, title="List Strudel projects", toolset="strudel", effect="read")
async def list_projects(body: ListProjects, projects: TheProjects) -> ProjectList:
    """List Strudel projects without their scripts, filtered and sorted; also deleted ones.

    Example: {"filters": {"tags": ["dark"], "tempo_min": 120}, "sort_by": "name", "sort_order": "asc"}
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
    """Start a Strudel song: empty, with a script, or from a template in your tempo and key.

    Example: {"name": "night-drive", "template": "techno", "metadata": {"tempo": 128, "key": "F minor"}}
    """
    return await projects.create(body)


@tool(router, title="Describe a Strudel project", toolset="strudel", effect="read", errors=(NotFound,))
async def get_project_metadata(body: GetProjectMetadata, projects: TheProjects) -> DescribedProject:
    """Show a project's tempo, key, tags and the like, as set and as its script says, without the script.

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
    """Set a project's tempo, key, tags, genre, data, name or description. The script stays as it is.

    Example: {"project_name": "night-drive", "metadata_updates": {"tags": ["dark"], "data": {"mood": "late"}}}
    """
    return await projects.update_metadata(body)


@tool(router, title="Delete a Strudel project", toolset="strudel", effect="destroy", errors=(NotFound,))
async def delete_project(body: DeleteProject, projects: TheProjects) -> ProjectDeleted:
    """Delete a project with its versions. restore_version brings it back for 30 days.

    Example: {"project_name": "night-drive", "confirm": true}
    """
    return await projects.delete(body)


@tool(router, title="List versions of a Strudel song", toolset="strudel", effect="read", errors=(NotFound,))
async def list_versions(body: ListVersions, versions: TheVersions) -> VersionList:
    """List the versions of a project: what changed in its script and why (diff, reason), newest first; also deleted
    ones.

    Example: {"project_name": "night-drive", "limit": 5}
    """
    return await versions.list_versions(body)


@tool(router, title="Restore a Strudel song", toolset="strudel", effect="write", errors=(NotFound, Conflict))
async def restore_version(body: RestoreVersion, versions: TheVersions) -> VersionRestored:
    """Bring back an earlier script as a new version, or a deleted project. Nothing is lost.

    Example: {"project_name": "night-drive", "version": 3}
    """
    return await versions.restore(body)
