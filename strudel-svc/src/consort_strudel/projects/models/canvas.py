"""Inputs and outputs of get_song and update_song."""

from datetime import datetime
from typing import ClassVar

from pydantic import Field

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_strudel.projects.models.fields import ProjectData, ProjectName, Reason, VersionNumber
from consort_strudel.projects.models.patches import PatchInstructions
from consort_strudel.validation.verdict import ScriptVerdict


class ProjectRequest(ToolInput):
    """A request about one project."""

    aliases: ClassVar[dict[str, str]] = {"name": "project_name", "project": "project_name"}

    project_name: ProjectName = Field(description="As in list_projects.")


class GetSong(ProjectRequest):
    version: VersionNumber | None = Field(None, description="An earlier one; default: current.")


class SongMetadata(ToolOutput):
    tempo: float | None = Field(None, description="As set by the user, in BPM.")
    key: str | None = Field(None, description="As set by the user.")
    tags: list[str]
    genre: str | None = None
    packs_used: list[str] = Field(description="Sample packs that the script loads.")
    created: datetime
    modified: datetime
    line_count: int
    detected_tempo: float | None = Field(None, description="What the script says, in BPM.")
    detected_key: str | None = Field(None, description="What the script says.")


class SongScript(ToolOutput):
    project_name: str
    version: int = Field(description="Give it to update_song as expected_version.")
    script: str
    metadata: SongMetadata
    description: str | None = None
    data: ProjectData
    listen_url: str | None = Field(None, description="Page that plays the song, for the user.")
    warnings: list[str] | None = None


class UpdateSong(ProjectRequest):
    aliases: ClassVar[dict[str, str]] = {
        **ProjectRequest.aliases,
        "patches": "patch_instructions",
        "patch": "patch_instructions",
        "instructions": "patch_instructions",
        "validate": "auto_validate",
        "dry_run": "preview",
    }

    patch_instructions: PatchInstructions = Field(description="One, or a list: all or none is applied.")
    auto_validate: bool = Field(True, description="Reject new errors.")
    preview: bool = Field(False, description="Only show the diff; store nothing.")
    expected_version: VersionNumber | None = Field(None, description="Reject if it changed since.")
    reason: Reason | None = Field(None, description="Why, kept with the version.")


class SongUpdated(ToolOutput):
    success: bool = Field(True, description="false: a preview of what would be rejected.")
    project_name: str
    version: int = Field(description="The new version, or the same if nothing changed.")
    validation: ScriptVerdict | None = Field(None, description="Absent if auto_validate is false.")
    diff: str = Field(description="Unified diff.")
    preview: str = Field(description="What changed, in words.")
    lines_changed: int = Field(description="Added, removed or replaced.")
    listen_url: str | None = Field(None, description="Page that plays the song, for the user.")
    warnings: list[str] | None = None
