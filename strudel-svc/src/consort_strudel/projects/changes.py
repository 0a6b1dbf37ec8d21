"""Change the script of a project, so that no change of another client is lost.

Changes of one project wait for each other within this process, and a version is stored only if the project still has
the version that the new script was made from. Otherwise (another process was faster) the change is made again from the
newer script. No database connection is held while a script is patched and validated.

A change without `expected_version` applies to the script as it is when its turn comes. Line numbers may then mean other
lines than the caller saw; a caller who edits by line number gives `expected_version`.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from consort_kit.errors import Conflict, TooLarge
from consort_strudel.projects.models.fields import MAX_SCRIPT_BYTES
from consort_strudel.projects.names import no_project
from consort_strudel.projects.patches.diff import MAX_DIFF_IN_ERROR, ScriptDiff, diff_scripts, shortened
from consort_strudel.projects.patches.line_buffer import split_lines
from consort_strudel.projects.storage.rows import DetectedFacts, NewVersion, ProjectRow
from consort_strudel.projects.storage.store import ProjectStore

MAX_TRIES = 50
_LONGEST_PAUSE_S = 0.02
"""After another process was quicker, wait a random time: otherwise the same process may win again and again."""
MAX_CHANGES_IN_ERROR = 20
MAX_SUMMARY = 1000
NOTHING_DETECTED = DetectedFacts()


@dataclass(frozen=True)
class NewScript:
    """A script made from the current one."""

    script: str
    summary: str
    detected: DetectedFacts = NOTHING_DETECTED


@dataclass(frozen=True)
class Changed:
    row: ProjectRow
    """The project after the change."""
    diff: ScriptDiff
    summary: str
    is_new: bool = True
    """Whether there is a new version."""


MakeScript = Callable[[ProjectRow], Awaitable[NewScript]]


class ScriptChanges:
    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def change(
        self,
        row: ProjectRow,
        make: MakeScript,
        *,
        action: str,
        expected_version: int | None = None,
        reason: str | None = None,
        restored_from: int | None = None,
        is_preview: bool = False,
    ) -> Changed:
        """Make a script from the current one and store it as a version, unless it is the same or only a preview.

        `make` may be called several times. Raise VERSION_CONFLICT, NotFound, or what `make` raises.
        """
        turn = self._turns.setdefault(row.id, asyncio.Lock())
        async with turn:
            for _ in range(MAX_TRIES):
                current = await self._store.find_by_id(row.id)
                if current is None:
                    raise await no_project(self._store, row.name)
                if expected_version is not None and expected_version != current.version:
                    raise await self._conflict(current, expected_version, is_restored=restored_from is not None)
                new = await make(current)
                if new.script == current.script:
                    return Changed(current, ScriptDiff("", 0), new.summary, is_new=False)
                check_size(new.script)
                version = NewVersion(
                    script=new.script,
                    line_count=len(split_lines(new.script)),
                    action=action,
                    summary=new.summary[:MAX_SUMMARY],
                    detected=new.detected,
                    reason=reason,
                    restored_from=restored_from,
                )
                changed = _with_version(current, version)
                diff = await _diff(current, changed)
                if is_preview:
                    return Changed(replace(changed, version=current.version), diff, new.summary, is_new=False)
                if await self._store.add_version(row.id, current.version, version):
                    return Changed(changed, diff, new.summary)
                await asyncio.sleep(random.uniform(0, _LONGEST_PAUSE_S))
        raise Conflict(
            f"{row.name!r} is being changed by many clients at once. Nothing was changed. Try again.",
            suggestions=["Try again."],
        )

    async def _conflict(self, current: ProjectRow, expected: int, is_restored: bool) -> Conflict:
        """Return the error for a change that was made from an older version, with all that changed since."""
        seen = await self._store.version(current.id, expected)
        if seen is None:
            return Conflict(
                f"'expected_version' is {expected}, but {current.name!r} is at version {current.version}."
                " get_song shows it.",
                code="VERSION_CONFLICT",
                field="expected_version",
                suggestions=[str(current.version)],
            )
        since = await self._store.versions(current.id, None, min(current.version - expected, MAX_CHANGES_IN_ERROR))
        diff = await asyncio.to_thread(
            diff_scripts, seen.script, current.script, f"version {expected}", f"version {current.version}"
        )
        again = "restore it again with" if is_restored else "send the patch again with the new line numbers and"
        return Conflict(
            f"{current.name!r} was changed since version {expected}: it is at version {current.version}. Nothing was"
            f" changed. Look at details.diff, and {again} expected_version {current.version}.",
            code="VERSION_CONFLICT",
            field="expected_version",
            suggestions=[str(current.version)],
            details={
                "current_version": current.version,
                "diff": shortened(diff.text, MAX_DIFF_IN_ERROR),
                "changes": [
                    {"version": each.version, "summary": each.summary[:200], "reason": each.reason} for each in since
                ],
            },
        )


async def _diff(old: ProjectRow, new: ProjectRow) -> ScriptDiff:
    names = (f"version {old.version}", f"version {new.version}")
    return await asyncio.to_thread(diff_scripts, old.script, new.script, *names)


def _with_version(row: ProjectRow, new: NewVersion) -> ProjectRow:
    """Return a project as it is after a new version was stored."""
    return replace(
        row,
        version=row.version + 1,
        script=new.script,
        line_count=new.line_count,
        cpm=new.detected.cpm,
        detected_key=new.detected.key,
        packs_used=list(new.detected.packs),
        script_beats=new.detected.beats,
    )


def check_size(script: str) -> None:
    """Raise TooLarge for a script over 256 KB."""
    size = len(script.encode())
    if size > MAX_SCRIPT_BYTES:
        raise TooLarge(
            f"The script would have {size / 1024:.0f} KB. A script may have at most {MAX_SCRIPT_BYTES // 1024} KB."
            " Nothing was changed."
        )
