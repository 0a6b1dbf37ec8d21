"""Read and change the script of a project: get_song, update_song, and saving from the listen page."""

from collections import Counter
from typing import Any

from consort_kit import logs
from consort_kit.errors import InvalidInput
from consort_music.texts.plurals import counted, were
from consort_strudel.projects.changes import Changed, NewScript, ScriptChanges, check_size
from consort_strudel.projects.metadata import differences, song_metadata
from consort_strudel.projects.models.canvas import GetSong, SongScript, SongUpdated, UpdateSong
from consort_strudel.projects.models.fields import with_unix_line_ends
from consort_strudel.projects.names import find_project, no_project
from consort_strudel.projects.patches.apply import apply_patches
from consort_strudel.projects.patches.diff import MAX_DIFF, MAX_DIFF_IN_ERROR, diff_scripts, shortened
from consort_strudel.projects.patches.line_buffer import split_lines
from consort_strudel.projects.script_reading import ListenLinks, ScriptReading
from consort_strudel.projects.storage.rows import ProjectRow
from consort_strudel.projects.storage.store import ProjectStore
from consort_strudel.validation.verdict import ScriptError, ScriptVerdict

MAX_SHOWN = 20
MAX_OLD_ERRORS = 3
PREVIEW = "This is a preview: nothing was stored."
NOT_VALIDATED = "The script was not validated, because auto_validate is false."


class Canvas:
    def __init__(self, store: ProjectStore, changes: ScriptChanges, reading: ScriptReading, links: ListenLinks) -> None:
        self._store = store
        self._changes = changes
        self._reading = reading
        self._links = links

    async def get_song(self, request: GetSong) -> SongScript:
        row = await find_project(self._store, request.project_name, request.version)
        return SongScript(
            project_name=row.name,
            version=request.version or row.version,
            script=row.script,
            metadata=song_metadata(row),
            description=row.description,
            data=row.data,
            listen_url=self._links.listen_url(row.id),
            warnings=differences(row) or None,
        )

    async def update_song(self, request: UpdateSong) -> SongUpdated:
        """Apply patches, all or none. Raise VALIDATION_FAILED if they add errors. A preview stores nothing."""
        row = await find_project(self._store, request.project_name)
        logs.add_ids(project_id=row.id)
        validation: ScriptVerdict | None = None
        refused: InvalidInput | None = None
        warnings: list[str] = []

        async def patched(current: ProjectRow) -> NewScript:
            nonlocal validation, refused, warnings
            result = await apply_patches(current.script, request.patch_instructions, self._reading.outline)
            if result.script == current.script:
                return NewScript(result.script, result.preview)
            check_size(result.script)
            if not request.auto_validate:
                warnings = [NOT_VALIDATED]
                return NewScript(result.script, result.preview, await self._reading.detect(result.script))
            judged = await self._reading.validate(result.script, current.given_beats, current.key)
            validation = judged.verdict
            refused, warnings = None, []
            if not validation.valid:
                added = await self._added_errors(validation, current, result.script)
                if added:
                    refused = validation_failed(validation, current.script, result.script, added=added)
                    warnings = [f"This patch would be rejected: {added[0].sentence}"]
                else:
                    warnings = [_old_errors(validation.errors)]
            if refused and not request.preview:
                raise refused
            return NewScript(result.script, result.preview, judged.detected)

        changed = await self._changes.change(
            row,
            patched,
            action="update_song",
            expected_version=request.expected_version,
            reason=request.reason,
            is_preview=request.preview,
        )
        if request.preview and changed.diff.text:
            warnings = [PREVIEW, *warnings]
        return self._updated(changed, validation, warnings, success=refused is None)

    async def _added_errors(self, validation: ScriptVerdict, current: ProjectRow, script: str) -> list[ScriptError]:
        """Return the errors that a patch adds.

        Of a script with a syntax error only that one is known, so errors in lines that it had before are not new.
        """
        before = await self._reading.validate(current.script, current.given_beats)
        added = _added(validation.errors, before.verdict.errors)
        if added and not before.verdict.valid and (await self._reading.outline(current.script)).error:
            lines, known = split_lines(script), set(split_lines(current.script))
            is_parsed = not (await self._reading.outline(script)).error
            added = [error for error in added if not (is_parsed and lines[error.line - 1] in known)]
        return added

    async def save_script(
        self, project_id: str, script: str, *, action: str, expected_version: int | None, reason: str | None = None
    ) -> SongUpdated:
        """Store a script that the user wrote on the listen page. Its errors are reported, but it is stored anyway."""
        row = await self._store.find_by_id(project_id)
        if row is None:
            raise await no_project(self._store, project_id)
        text = with_unix_line_ends(script)
        check_size(text)
        judged = await self._reading.validate(text, row.given_beats, row.key)

        async def written(current: ProjectRow) -> NewScript:
            diff = diff_scripts(current.script, text)
            return NewScript(text, f"Edited {counted(diff.lines_changed, 'line')} by hand.", judged.detected)

        changed = await self._changes.change(
            row, written, action=action, expected_version=expected_version, reason=reason
        )
        return self._updated(changed, judged.verdict, [])

    def _updated(
        self, changed: Changed, validation: ScriptVerdict | None, warnings: list[str], success: bool = True
    ) -> SongUpdated:
        if not changed.diff.text:
            warnings = ["Nothing changed: the script is the same as before, so there is no new version."]
        return SongUpdated(
            success=success,
            project_name=changed.row.name,
            version=changed.row.version,
            validation=validation,
            diff=shortened(changed.diff.text, MAX_DIFF),
            preview=changed.summary,
            lines_changed=changed.diff.lines_changed,
            listen_url=self._links.listen_url(changed.row.id),
            warnings=[*warnings, *differences(changed.row)] or None,
        )


def validation_failed(
    validation: ScriptVerdict,
    old: str,
    new: str,
    field: str = "patch_instructions",
    added: list[ScriptError] | None = None,
) -> InvalidInput:
    """Return the error for a script with errors. Its details are the verdict and the diff that was not applied.

    `added` are the errors that the patch adds: the message names the first of them. By default it adds all.
    """
    added = added or validation.errors
    old_count = len(validation.errors) - len(added)
    earlier = f" {old_count:,} of them {were(old_count)} there before this patch." if old_count else ""
    shown = validation.model_copy(
        update={"errors": validation.errors[:MAX_SHOWN], "warnings": validation.warnings[:MAX_SHOWN]}
    )
    details: dict[str, Any] = shown.model_dump(exclude_none=True)
    details["diff"] = shortened(diff_scripts(old, new).text, MAX_DIFF_IN_ERROR)
    suggestions = [each.suggestion for each in added if each.suggestion][:5]
    return InvalidInput(
        f"The script would have {counted(len(validation.errors), 'error')}, so nothing was changed.{earlier} "
        f"{added[0].sentence}",
        code="VALIDATION_FAILED",
        field=field,
        suggestions=suggestions or ["auto_validate: false applies it without validating."],
        details=details,
    )


def _added(errors: list[ScriptError], before: list[ScriptError]) -> list[ScriptError]:
    """Return the errors that were not there before. Lines may have moved, so only messages are compared."""
    known = Counter(error.message for error in before)
    added = []
    for error in errors:
        if known[error.message]:
            known[error.message] -= 1
        else:
            added.append(error)
    return added


def _old_errors(errors: list[ScriptError]) -> str:
    """Return a warning that names the errors that a script had before a patch."""
    shown = " ".join(error.sentence for error in errors[:MAX_OLD_ERRORS])
    more = f" {len(errors) - MAX_OLD_ERRORS} more: see validation." if len(errors) > MAX_OLD_ERRORS else ""
    there = "is 1 error" if len(errors) == 1 else f"are {len(errors):,} errors"
    return f"There {there} in the script that {were(len(errors))} there before this patch: {shown}{more}"
