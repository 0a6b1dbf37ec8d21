"""List, create, describe, change and delete projects."""

from typing import Any

from consort_kit import logs
from consort_kit.errors import InvalidInput
from consort_kit.ids import new_id
from consort_music.errors import in_field
from consort_music.keys import parse_key
from consort_music.texts.plurals import counted
from consort_strudel.projects.canvas import NOT_VALIDATED, validation_failed
from consort_strudel.projects.changes import check_size
from consort_strudel.projects.metadata import check_data, columns_of, describe, differences, merged_data
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
    ProjectMetadata,
    UpdateProjectMetadata,
)
from consort_strudel.projects.names import checked_name, key_of_name, name_taken, no_project
from consort_strudel.projects.patches.line_buffer import split_lines
from consort_strudel.projects.script_reading import ListenLinks, ScriptReading
from consort_strudel.projects.storage.columns import RESTORABLE_DAYS
from consort_strudel.projects.storage.rows import DetectedFacts, NewVersion
from consort_strudel.projects.storage.store import NameTaken, ProjectStore
from consort_strudel.projects.templates import template_script
from consort_strudel.structure import BEATS_PER_CYCLE
from consort_strudel.validation.verdict import ScriptVerdict


class Projects:
    def __init__(self, store: ProjectStore, reading: ScriptReading, links: ListenLinks) -> None:
        self._store = store
        self._reading = reading
        self._links = links

    async def list_projects(self, request: ListProjects) -> ProjectList:
        page = await self._store.search(request)
        return ProjectList(
            projects=[describe(row) for row in page.rows],
            total_count=page.total_count,
            filtered_count=page.filtered_count,
        )

    async def create(self, request: CreateProject) -> ProjectCreated:
        """Store a new project. Raise INVALID_NAME, ALREADY_EXISTS, or VALIDATION_FAILED for a script with errors."""
        name = checked_name(request.name, "name")
        metadata = request.metadata or ProjectMetadata()
        data = check_data(metadata.data or {}, "metadata.data")
        if await self._store.describe(key_of_name(name)):
            raise name_taken(name, "name")
        script = _first_script(request, metadata, data)
        check_size(script)
        validation, detected = await self._judge(request, script, data.get("beats_per_cycle"))
        first = NewVersion(
            script=script,
            line_count=len(split_lines(script)),
            action="create_project",
            summary=_summary(request),
            detected=detected,
        )
        project_id = new_id("project")
        logs.add_ids(project_id=project_id)
        values = {"description": request.description or None, "data": data, **columns_of(metadata)}
        try:
            await self._store.create(project_id, name, key_of_name(name), values, first)
        except NameTaken as error:
            raise name_taken(name, "name") from error
        row = await self._store.find_by_id(project_id)
        warnings = [NOT_VALIDATED] if script and not request.auto_validate else []
        if request.template and _beats_per_cycle(data) != BEATS_PER_CYCLE:
            warnings.append(
                f"The patterns of the template have {BEATS_PER_CYCLE:g} beats in a cycle, but beats_per_cycle is"
                f" {_beats_per_cycle(data):g}: change what counts beats, such as bd*4 to bd*{_beats_per_cycle(data):g}."
            )
        if await self._store.find_deleted(key_of_name(name)):
            warnings.append(f"A deleted project is also called {name!r}. restore_version with new_name brings it back.")
        return ProjectCreated(
            project_name=name,
            message=f"Created {name!r}. Change its script with update_song.",
            version=1,
            script=script if request.template else None,
            validation=validation,
            listen_url=self._links.listen_url(project_id),
            warnings=[*warnings, *(differences(row) if row else [])] or None,
        )

    async def _judge(
        self, request: CreateProject, script: str, given_beats: float | None
    ) -> tuple[ScriptVerdict | None, DetectedFacts]:
        """Return the verdict on the first script, if it is validated, and what it says. Raise VALIDATION_FAILED."""
        if not script or not request.auto_validate:
            return None, await self._reading.detect(script) if script else DetectedFacts()
        judged = await self._reading.validate(script, given_beats)
        if not judged.verdict.valid:
            raise validation_failed(judged.verdict, "", script, field="initial_script")
        return judged.verdict, judged.detected

    async def get_metadata(self, request: GetProjectMetadata) -> DescribedProject:
        row = await self._store.describe(key_of_name(request.project_name))
        if row is None:
            raise await no_project(self._store, request.project_name)
        return DescribedProject(**describe(row).model_dump(), warnings=differences(row) or None)

    async def update_metadata(self, request: UpdateProjectMetadata) -> MetadataUpdated:
        """Change what is given, and return the old values. The script stays as it is."""
        values = columns_of(request.metadata_updates)
        if request.description is not None:
            values["description"] = request.description.strip() or None
        if request.new_name is not None:
            values["name"] = checked_name(request.new_name, "new_name")
        if not values and request.metadata_updates.data is None:
            raise InvalidInput(
                "Nothing is given to change. Give 'metadata_updates' with tempo, key, tags, genre or data,"
                " or 'new_name' or 'description'. Example: {\"metadata_updates\": {\"tempo\": 124}}.",
                field="metadata_updates",
            )
        async with self._store.locked(key_of_name(request.project_name)) as project:
            if project is not None:
                row = project.row
                if request.metadata_updates.data is not None:
                    merged = merged_data(row.data, request.metadata_updates.data, request.merge_data)
                    values["data"] = check_data(merged, "metadata_updates.data")
                changed = {name: value for name, value in values.items() if getattr(row, name) != value}
                if "name" in changed:
                    changed["name_key"] = key_of_name(changed["name"])
                if changed:
                    try:
                        await project.change(changed)
                    except NameTaken as error:
                        raise name_taken(values["name"], "new_name") from error
        if project is None:
            raise await no_project(self._store, request.project_name)
        changed.pop("name_key", None)
        after = await self._store.find_by_id(row.id)
        return MetadataUpdated(
            message=f"Changed {', '.join(changed)} of {values.get('name', row.name)!r}."
            if changed
            else "Nothing changed: the values are the same.",
            previous={name: old for name in changed if (old := getattr(row, name)) is not None} or None,
            warnings=(differences(after) if after else None) or None,
        )

    async def delete(self, request: DeleteProject) -> ProjectDeleted:
        """Mark a project as deleted. Raise CONFIRMATION_NEEDED unless `confirm` is true."""
        key = key_of_name(request.project_name)
        async with self._store.locked(key) as project:
            if project is not None:
                row = project.row
                if not request.confirm:
                    raise InvalidInput(
                        f"'confirm' must be true to delete {row.name!r}, which has"
                        f" {counted(row.line_count, 'line')} in {counted(row.version, 'version')}. Nothing was changed."
                        f" Ask the user first. It can be restored for {RESTORABLE_DAYS} days.",
                        code="CONFIRMATION_NEEDED",
                        field="confirm",
                        suggestions=["confirm: true"],
                        details={"success": False, "project_name": row.name, "version": row.version},
                    )
                until = await project.delete()
        if project is None:
            raise await no_project(self._store, request.project_name)
        await self._store.delete_expired()
        return ProjectDeleted(message=f"Deleted {row.name!r}. Until {until:%Y-%m-%d} restore_version brings it back.")


def _first_script(request: CreateProject, metadata: ProjectMetadata, data: dict[str, Any]) -> str:
    """Return the script that a new project begins with: a template in its tempo and key, the given one, or none."""
    if request.template is None:
        return request.initial_script or ""
    if request.initial_script:
        raise InvalidInput(
            "Give 'initial_script' or 'template', not both. Leave out 'template' to begin with your own script.",
            field="template",
            suggestions=["initial_script"],
        )
    with in_field("metadata.key"):
        key = parse_key(metadata.key) if metadata.key and metadata.key.strip() else None
    return template_script(request.template, metadata.tempo, key, _beats_per_cycle(data))


def _summary(request: CreateProject) -> str:
    if request.template:
        return f"Created from the template {request.template}."
    return "Created with a script." if request.initial_script else "Created empty."


def _beats_per_cycle(data: dict[str, Any]) -> float:
    return float(data.get("beats_per_cycle") or BEATS_PER_CYCLE)
