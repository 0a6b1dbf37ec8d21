"""Inputs and outputs of the tools that list, create, describe, change and delete projects."""

from datetime import datetime
from typing import ClassVar, Literal

from pydantic import Field

from consort_kit.tools.models import ToolInput, ToolOutput
from consort_strudel.projects.models.canvas import ProjectRequest
from consort_strudel.projects.models.fields import (
    Code,
    Description,
    Offset,
    ProjectData,
    ProjectName,
    ProjectsOnPage,
    ProjectText,
    SearchPattern,
    Tags,
    Tempo,
    Time,
)
from consort_strudel.projects.templates import TemplateName
from consort_strudel.validation.verdict import ScriptVerdict

SortField = Literal["modified", "created", "name", "tempo"]


class ProjectFilters(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"tag": "tags", "name": "name_pattern", "description": "description_pattern"}

    tags: Tags | None = Field(None, description="Any of these.")
    genre: ProjectText | None = Field(None, description="The whole word; any case.")
    name_pattern: SearchPattern | None = Field(None, description="Regex, any case.")
    description_pattern: SearchPattern | None = Field(None, description="Regex, any case.")
    created_after: Time | None = Field(None, description="ISO time, included.")
    created_before: Time | None = Field(None, description="ISO time.")
    modified_after: Time | None = Field(None, description="ISO time, included.")
    modified_before: Time | None = Field(None, description="ISO time.")
    tempo_min: Tempo | None = Field(None, description="BPM, set or detected.")
    tempo_max: Tempo | None = Field(None, description="BPM, included.")
    deleted: bool = Field(False, description="Only deleted ones.")


class ListProjects(ToolInput):
    filters: ProjectFilters = Field(default_factory=ProjectFilters, description="All must be met.")
    sort_by: SortField = Field("modified", description="Order.")
    sort_order: Literal["asc", "desc"] = Field("desc", description="Direction.")
    limit: ProjectsOnPage = Field(50, description="1 to 200.")
    offset: Offset = Field(0, description="How many to skip.")


class ProjectDescription(ToolOutput):
    name: str
    description: str | None = None
    tags: list[str]
    genre: str | None = None
    tempo: float | None = Field(None, description="As set by the user, in BPM.")
    key: str | None = Field(None, description="As set by the user.")
    created: datetime
    modified: datetime
    line_count: int
    data: ProjectData
    version: int
    detected_tempo: float | None = Field(None, description="What the script says, in BPM.")
    detected_key: str | None = Field(None, description="What the script says.")
    packs_used: list[str] | None = Field(None, description="Sample packs that the script loads.")
    deleted: datetime | None = Field(None, description="When it was deleted; restorable for 30 days.")


class ProjectList(ToolOutput):
    projects: list[ProjectDescription]
    total_count: int = Field(description="Projects in all.")
    filtered_count: int = Field(description="Projects that meet the filters.")


class ProjectMetadata(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"bpm": "tempo"}

    tempo: Tempo | None = Field(None, description="BPM.")
    key: ProjectText | None = Field(None, description="Such as C minor.")
    tags: Tags | None = Field(None, description="Any words.")
    genre: ProjectText | None = Field(None, description="Such as techno.")
    data: ProjectData | None = Field(None, description="Anything. beats_per_cycle: default N of setcpm(x/N), or 4.")


class CreateProject(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"project_name": "name", "script": "initial_script"}

    name: ProjectName = Field(description="Unique.")
    description: Description | None = Field(None, description="Any text.")
    metadata: ProjectMetadata | None = Field(None, description="A template uses its tempo and key.")
    initial_script: Code | None = Field(None, description="Default: empty.")
    template: TemplateName | None = Field(None, description="Instead of a script.")
    auto_validate: bool = Field(True, description="Reject code with errors.")


class ProjectCreated(ToolOutput):
    success: bool = True
    project_name: str
    message: str
    version: int
    script: str | None = Field(None, description="The script of the template.")
    validation: ScriptVerdict | None = None
    listen_url: str | None = Field(None, description="Page that plays the song, for the user.")
    warnings: list[str] | None = None


class GetProjectMetadata(ProjectRequest):
    pass


class DescribedProject(ProjectDescription):
    warnings: list[str] | None = None


class UpdateProjectMetadata(ProjectRequest):
    aliases: ClassVar[dict[str, str]] = {**ProjectRequest.aliases, "metadata": "metadata_updates"}

    metadata_updates: ProjectMetadata = Field(
        default_factory=ProjectMetadata, description='Only what changes; "", 0 or [] removes.'
    )
    merge_data: bool = Field(True, description="false: replace data.")
    new_name: ProjectName | None = Field(None, description="Rename.")
    description: Description | None = Field(None, description='New text; "" for none.')


class MetadataUpdated(ToolOutput):
    success: bool = True
    message: str
    previous: dict[str, object] | None = Field(None, description="Old values of what changed, if there were any.")
    warnings: list[str] | None = None


class DeleteProject(ProjectRequest):
    confirm: bool = Field(False, description="Must be true; ask the user first.")


class ProjectDeleted(ToolOutput):
    success: bool = True
    message: str
