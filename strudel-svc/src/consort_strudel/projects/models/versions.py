"""Inputs and outputs of list_versions and restore_version."""

from datetime import datetime

from pydantic import Field

from consort_kit.tools.models import ToolOutput
from consort_strudel.projects.models.canvas import ProjectRequest
from consort_strudel.projects.models.fields import ProjectName, Reason, VersionNumber, VersionsOnPage


class ListVersions(ProjectRequest):
    limit: VersionsOnPage = Field(10, description="1 to 50.")
    before_version: VersionNumber | None = Field(None, description="From next_before.")
    include_diffs: bool = Field(True, description="Show changes line by line.")


class ProjectVersion(ToolOutput):
    version: int
    created: datetime
    summary: str = Field(description="What changed, in words.")
    reason: str | None = None
    action: str = Field(description="The tool that made it; listen_page: the user.")
    restored_from: int | None = Field(None, description="The version whose script this is.")
    line_count: int
    lines_changed: int
    detected_tempo: float | None = None
    detected_key: str | None = None
    packs_used: list[str] | None = None
    diff: str | None = Field(None, description="From the version before, as a unified diff.")


class VersionList(ToolOutput):
    project_name: str
    current_version: int
    versions: list[ProjectVersion] = Field(description="Newest first.")
    next_before: int | None = Field(None, description="before_version of the next page.")
    deleted: datetime | None = Field(None, description="When the project was deleted.")


class RestoreVersion(ProjectRequest):
    version: VersionNumber | None = Field(None, description="Default for a deleted project: its last.")
    new_name: ProjectName | None = Field(None, description="For a deleted project.")
    reason: Reason | None = Field(None, description="Kept with the version.")
    expected_version: VersionNumber | None = Field(None, description="Reject if it changed since.")


class VersionRestored(ToolOutput):
    success: bool = True
    project_name: str
    version: int = Field(description="The new version, which has the old script.")
    message: str
    diff: str
    lines_changed: int
    listen_url: str | None = Field(None, description="Page that plays the song, for the user.")
    warnings: list[str] | None = None
