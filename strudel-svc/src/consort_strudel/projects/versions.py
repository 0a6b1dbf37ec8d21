"""List and restore the versions of a project, also of a deleted one."""

import asyncio

from consort_kit import logs
from consort_kit.errors import Conflict, InvalidInput, NotFound
from consort_strudel.projects.changes import NewScript, ScriptChanges
from consort_strudel.projects.metadata import differences
from consort_strudel.projects.models.versions import (
    ListVersions,
    ProjectVersion,
    RestoreVersion,
    VersionList,
    VersionRestored,
)
from consort_strudel.projects.names import checked_name, key_of_name, name_taken, no_project, no_version
from consort_strudel.projects.patches.diff import MAX_DIFF, diff_scripts, shortened
from consort_strudel.projects.script_reading import ListenLinks
from consort_strudel.projects.storage.rows import DetectedFacts, NewVersion, ProjectRow, VersionRow
from consort_strudel.projects.storage.store import NameTaken, ProjectStore

MAX_DIFF_IN_LIST = 2000
ACTION = "restore_version"


class Versions:
    def __init__(self, store: ProjectStore, changes: ScriptChanges, links: ListenLinks) -> None:
        self._store = store
        self._changes = changes
        self._links = links

    async def list_versions(self, request: ListVersions) -> VersionList:
        """List versions, newest first, each with what changed since the one before."""
        key = key_of_name(request.project_name)
        project = await self._store.describe(key) or await self._store.find_deleted(key)
        if project is None:
            raise await no_project(self._store, request.project_name)
        rows = await self._store.versions(project.id, request.before_version, request.limit + 1)
        shown = rows[: request.limit]
        before = [row.script for row in rows[1:]] + [""]
        described = await asyncio.to_thread(
            lambda: [
                _described(row, older, project.given_beats, request.include_diffs)
                for row, older in zip(shown, before, strict=False)
            ]
        )
        return VersionList(
            project_name=project.name,
            current_version=project.version,
            versions=described,
            next_before=shown[-1].version if len(rows) > len(shown) else None,
            deleted=project.deleted_at,
        )

    async def restore(self, request: RestoreVersion) -> VersionRestored:
        """Make the script of a version the current one, as a new version, or bring a deleted project back."""
        key = key_of_name(request.project_name)
        project = await self._store.find(key)
        if project is None or request.new_name is not None:
            deleted = await self._store.find_deleted(key)
            if deleted is not None:
                return await self._undelete(deleted, request)
            if project is None:
                raise await no_project(self._store, request.project_name)
            raise NotFound(
                f"'new_name' is for a deleted project, but no deleted project is called {project.name!r}. Leave it out,"
                " or rename the project with update_project_metadata.",
                field="new_name",
                suggestions=["update_project_metadata"],
            )
        if request.version is None:
            raise InvalidInput(
                f"'version' is missing. Give the number of the version to restore, from 1 to {project.version};"
                ' list_versions shows them. Example: {"version": 1}.',
                field="version",
                suggestions=["list_versions"],
            )
        return await self._restore_script(project, request.version, request)

    async def _restore_script(self, project: ProjectRow, number: int, request: RestoreVersion) -> VersionRestored:
        logs.add_ids(project_id=project.id)
        wanted = await self._version(project, number)

        async def restored(_: ProjectRow) -> NewScript:
            return NewScript(wanted.script, f"Restored version {number}.", _detected(wanted))

        changed = await self._changes.change(
            project,
            restored,
            action=ACTION,
            expected_version=request.expected_version,
            reason=request.reason,
            restored_from=number,
        )
        row = changed.row
        if changed.is_new:
            message = f"{row.name!r} has the script of version {number} again, as version {row.version}."
        else:
            message = f"Nothing changed: {row.name!r} already has the script of version {number}."
        return VersionRestored(
            project_name=row.name,
            version=row.version,
            message=message,
            diff=shortened(changed.diff.text, MAX_DIFF),
            lines_changed=changed.diff.lines_changed,
            listen_url=self._links.listen_url(row.id),
            warnings=differences(row) or None,
        )

    async def _undelete(self, project: ProjectRow, request: RestoreVersion) -> VersionRestored:
        name = checked_name(request.new_name, "new_name") if request.new_name else project.name
        new = None
        diff = diff_scripts("", "")
        if request.version is not None and request.version != project.version:
            wanted = await self._version(project, request.version)
            diff = await asyncio.to_thread(diff_scripts, project.script, wanted.script)
            new = NewVersion(
                script=wanted.script,
                line_count=wanted.line_count,
                action=ACTION,
                summary=f"Restored version {request.version}.",
                detected=_detected(wanted),
                reason=request.reason,
                restored_from=request.version,
            )
        try:
            is_done = await self._store.undelete(project, name, key_of_name(name), new)
        except NameTaken as error:
            raise name_taken(name, "new_name") from error
        if not is_done:
            raise Conflict(f"{project.name!r} was restored by another client at the same moment. Use get_song.")
        version = project.version + int(new is not None)
        which = f" with the script of version {request.version}" if new else ""
        return VersionRestored(
            project_name=name,
            version=version,
            message=f"The deleted project {name!r} is back{which}, with all its versions.",
            diff=shortened(diff.text, MAX_DIFF),
            lines_changed=diff.lines_changed,
            listen_url=self._links.listen_url(project.id),
        )

    async def _version(self, project: ProjectRow, number: int) -> VersionRow:
        found = await self._store.version(project.id, number)
        if found is None:
            raise no_version(project.name, number, project.version)
        return found


def _detected(row: VersionRow) -> DetectedFacts:
    return DetectedFacts(row.cpm, row.detected_key, tuple(row.packs_used), row.script_beats)


def _described(row: VersionRow, older: str, given_beats: float | None, include_diff: bool) -> ProjectVersion:
    diff = diff_scripts(older, row.script, f"version {row.version - 1}", f"version {row.version}")
    return ProjectVersion(
        version=row.version,
        created=row.created_at,
        summary=row.summary,
        reason=row.reason,
        action=row.action,
        restored_from=row.restored_from,
        line_count=row.line_count,
        lines_changed=diff.lines_changed,
        detected_tempo=_detected(row).tempo(given_beats),
        detected_key=row.detected_key,
        packs_used=row.packs_used or None,
        diff=shortened(diff.text, MAX_DIFF_IN_LIST) if include_diff else None,
    )
