"""The project services of strudel-svc on a real Postgres, without HTTP, and a simple reader of scripts."""

import asyncio
import re
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, TypeVar

from consort_kit.settings import Settings
from consort_kit.storage.postgres import Database, open_database
from consort_strudel.projects.canvas import Canvas
from consort_strudel.projects.changes import ScriptChanges
from consort_strudel.projects.models.canvas import (
    GetSong,
    SongScript,
    SongUpdated,
    UpdateSong,
)
from consort_strudel.projects.models.projects import CreateProject, ProjectCreated
from consort_strudel.projects.patches.line_buffer import split_lines
from consort_strudel.projects.patches.outline import LineRange, ScriptOutline, Span
from consort_strudel.projects.script_reading import JudgedScript, ScriptReading
from consort_strudel.projects.service import Projects
from consort_strudel.projects.storage.rows import DetectedFacts
from consort_strudel.projects.storage.store import ProjectStore
from consort_strudel.projects.versions import Versions
from consort_strudel.validation.verdict import ScriptError, ScriptVerdict, ScriptWarning

ProjectAnswer = TypeVar("ProjectAnswer")


class SimpleReading:
    """Reads scripts whose statements begin at the start of a line. The word `broken` is an error, `odd` a warning."""

    def __init__(self) -> None:
        self.validated: list[str] = []
        """Every script that was validated."""

    async def outline(self, script: str) -> ScriptOutline:
        if "((" in script:
            return ScriptOutline(error="line 1, column 1: a bracket is open.")
        statements, comments = [], []
        sections: dict[str, tuple[LineRange, ...]] = {}
        for match in re.finditer(r"(?m)^[^\s/.][^\n;]*(?:\n[ .][^\n]*)*", script):
            statements.append(Span(match.start(), match.end()))
        for match in re.finditer(r"//[^\n]*|/\*.*?\*/", script, re.DOTALL):
            comments.append(Span(match.start(), match.end()))
        lines = split_lines(script)
        heads = [number for number, line in enumerate(lines, 1) if line.startswith("// ")]
        for place, head in enumerate(heads):
            last = heads[place + 1] - 1 if place + 1 < len(heads) else len(lines)
            name = lines[head - 1][3:].lower()
            sections[name] = (*sections.get(name, ()), LineRange(head, last))
        if lines and lines[0].startswith("setcpm"):
            sections["setup"] = (LineRange(1, 1),)
        return ScriptOutline(tuple(statements), tuple(comments), sections)

    async def detect(self, script: str) -> DetectedFacts:
        tempo = re.search(r"setcpm\((\d+)(?:/(\d+))?\)", script)
        key = re.search(r"scale\(\"(\w+):(\w+)\"", script)
        return DetectedFacts(
            int(tempo[1]) / int(tempo[2] or 1) if tempo else None,
            f"{key[1]} {key[2]}" if key else None,
            tuple(re.findall(r"samples\('([^']+)'\)", script)),
            int(tempo[2]) if tempo and tempo[2] else None,
        )

    async def validate(self, script: str, given_beats: float | None, key: str | None = None) -> JudgedScript:
        self.validated.append(script)
        await asyncio.sleep(0)  # as the real one, it lets others run

        def places(word: str) -> Iterator[tuple[int, int]]:
            for number, line in enumerate(split_lines(script), 1):
                if word in line:
                    yield number, line.index(word) + 1

        errors = [
            ScriptError(
                line=line, column=column, message="There is no function broken.", suggestion="bracken", code_context=""
            )
            for line, column in places("broken")
        ]
        warnings = [ScriptWarning(line=line, column=column, message="Odd.") for line, column in places("odd")]
        verdict = ScriptVerdict(valid=not errors, errors=errors, warnings=warnings)
        return JudgedScript(verdict, await self.detect(script))


class SimpleLinks:
    def listen_url(self, project_id: str) -> str | None:
        return f"http://127.0.0.1/listen/{project_id}"


class ProjectServices:
    """The project services and the event loop that runs them."""

    def __init__(self, runner: asyncio.Runner, database: Database, reading: ScriptReading) -> None:
        self._runner = runner
        self.database = database
        self.store = store = ProjectStore(database)
        changes, links = ScriptChanges(store), SimpleLinks()
        self.reading = reading
        self.canvas = Canvas(store, changes, reading, links)
        self.versions = Versions(store, changes, links)
        self.projects = Projects(store, reading, links)

    def another_process(self) -> "ProjectServices":
        """Return services that share only the database with these."""
        return ProjectServices(self._runner, self.database, self.reading)

    def run(self, work: Coroutine[Any, Any, ProjectAnswer]) -> ProjectAnswer:
        return self._runner.run(work)

    def create(self, name: str, script: str | None = None, **fields: Any) -> ProjectCreated:
        return self.run(self.projects.create(CreateProject(name=name, initial_script=script, **fields)))

    def update(self, name: str, patches: Any, **fields: Any) -> SongUpdated:
        return self.run(self.canvas.update_song(UpdateSong(project_name=name, patch_instructions=patches, **fields)))

    def song(self, name: str, version: int | None = None) -> SongScript:
        return self.run(self.canvas.get_song(GetSong(project_name=name, version=version)))

    def script(self, name: str, version: int | None = None) -> str:
        return self.song(name, version).script


@contextmanager
def open_project_services(settings: Settings) -> Iterator[ProjectServices]:
    """Open the database and yield the services."""

    async def opened() -> tuple[AsyncExitStack, Database]:
        stack = AsyncExitStack()
        opening = open_database(settings, "strudel", "consort_strudel.migrations")
        return stack, await stack.enter_async_context(opening)

    with asyncio.Runner() as runner:
        stack, database = runner.run(opened())
        yield ProjectServices(runner, database, SimpleReading())
        runner.run(stack.aclose())
