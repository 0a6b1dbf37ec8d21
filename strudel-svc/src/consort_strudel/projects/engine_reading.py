"""Read scripts with the real engine."""

from consort_strudel.engine import Engine
from consort_strudel.projects.models.canvas import ScriptError, ScriptValidation, ScriptWarning
from consort_strudel.projects.patches.outline import LineRange, ScriptOutline, Span
from consort_strudel.projects.script_facts import detect
from consort_strudel.projects.storage.rows import DetectedFacts
from consort_strudel.structure import SongStructure, structure_of
from consort_strudel.validation import Validator


class EngineReading:
    """Implements `ScriptReading`."""

    def __init__(self, engine: Engine, validator: Validator) -> None:
        self._engine = engine
        self._validator = validator

    async def outline(self, script: str) -> ScriptOutline:
        facts = await self._engine.parse(script)
        if facts.error:
            line, column = facts.line_column(facts.error.offset)
            return ScriptOutline(error=f"line {line}, column {column}: {facts.error.message}")
        return ScriptOutline(
            statements=tuple(Span(each.start, each.end) for each in facts.statements),
            comments=tuple(Span(each.start, each.end) for each in facts.comments),
            sections=sections_of(structure_of(facts, script)),
        )

    async def detect(self, script: str) -> DetectedFacts:
        facts = await self._engine.parse(script)
        return DetectedFacts() if facts.error else detect(facts, structure_of(facts, script))

    async def validate(self, script: str) -> ScriptValidation:
        verdict = await self._validator.validate(script)
        return ScriptValidation(
            valid=verdict.valid,
            errors=[
                ScriptError(
                    line=each.line,
                    column=each.column,
                    message=each.message,
                    suggestion=each.suggestion,
                    code_context=each.code_context,
                )
                for each in verdict.errors
            ],
            warnings=[
                ScriptWarning(line=each.line, column=each.column, message=each.message, suggestion=each.suggestion)
                for each in verdict.warnings
            ],
        )


def sections_of(structure: SongStructure) -> dict[str, tuple[LineRange, ...]]:
    """Return the lines of everything that a section patch can name. A section's own name wins over a voice id."""
    found: dict[str, tuple[LineRange, ...]] = {}
    for section in structure.sections:
        name = section.name.strip().lower()
        found[name] = (*found.get(name, ()), LineRange(*section.lines))
    if structure.setup.lines is not None:
        found.setdefault("setup", (LineRange(*structure.setup.lines),))
    if structure.voices:
        first, last = min(voice.lines[0] for voice in structure.voices), max(v.lines[1] for v in structure.voices)
        found.setdefault("voices", (LineRange(first, last),))
    for voice in structure.voices:
        found.setdefault(voice.id.lower(), (LineRange(*voice.lines),))
    return found
