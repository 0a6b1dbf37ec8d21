"""Check scripts and take them apart, for a caller."""

from consort_kit.errors import InvalidInput
from consort_strudel.engine import Engine
from consort_strudel.projects.names import find_project
from consort_strudel.projects.storage.store import ProjectStore
from consort_strudel.script_tools.models import AnalyzeSongStructure, ValidateScript
from consort_strudel.structure import SongStructure, structure_of
from consort_strudel.validation import ScriptVerdict, Validator


class ScriptTools:
    def __init__(self, engine: Engine, validator: Validator, store: ProjectStore) -> None:
        self._engine = engine
        self._validator = validator
        self._store = store

    async def validate(self, request: ValidateScript) -> ScriptVerdict:
        beats, key = None, None
        if request.project_name is not None:
            project = await find_project(self._store, request.project_name)
            beats, key = project.given_beats, project.key
        return await self._validator.validate(request.script_content, request.fragment, beats, key)

    async def structure(self, request: AnalyzeSongStructure) -> SongStructure:
        """Return the structure of a project or a script. Raise SYNTAX_ERROR if it cannot be parsed."""
        script, beats = request.script_content or "", None
        if request.project_name is not None:
            row = await find_project(self._store, request.project_name)
            script, beats = row.script, row.given_beats
        facts = await self._engine.parse(script)
        if facts.error:
            line, column = facts.line_column(facts.error.offset)
            raise InvalidInput(
                f"The script cannot be parsed: line {line}, column {column}: {facts.error.message}. "
                "validate_script says more.",
                code="SYNTAX_ERROR",
                field="project_name" if request.project_name else "script_content",
            )
        return structure_of(facts, beats)
