"""Read scripts with the real engine."""

from consort_strudel.engine import Engine, ScriptFacts
from consort_strudel.projects.patches.outline import ScriptOutline, Span
from consort_strudel.projects.patches.section_places import section_places
from consort_strudel.projects.script_reading import JudgedScript
from consort_strudel.projects.storage.rows import DetectedFacts
from consort_strudel.structure import beats_in_script, cycles_per_minute, key_of, packs_of, structure_of
from consort_strudel.validation import Validator

_MAX_CPM = 25_000
"""Cycles per minute. Faster tempos are not stored, because calculating with them would overflow."""


class EngineReading:
    """Implements `ScriptReading`."""

    def __init__(self, engine: Engine, validator: Validator) -> None:
        self._engine = engine
        self._validator = validator

    async def outline(self, script: str) -> ScriptOutline:
        facts = await self._engine.parse(script)
        if facts.error:
            line, column = facts.line_column(facts.error.offset)
            return ScriptOutline(error=f"line {line}, column {column}: {facts.error.message.rstrip('.')}.")
        return ScriptOutline(
            statements=tuple(Span(each.start, each.end) for each in facts.statements),
            comments=tuple(Span(each.start, each.end) for each in facts.comments),
            sections=section_places(facts, structure_of(facts)),
        )

    async def detect(self, script: str) -> DetectedFacts:
        """Return what a script says. A script that cannot be parsed says nothing."""
        return _detected(await self._engine.parse(script))

    async def validate(self, script: str, given_beats: float | None, key: str | None = None) -> JudgedScript:
        verdict, facts = await self._validator.judge(script, given_beats=given_beats, key=key)
        return JudgedScript(verdict, _detected(facts))


def _detected(facts: ScriptFacts) -> DetectedFacts:
    if facts.error:
        return DetectedFacts()
    cpm = cycles_per_minute(facts)
    is_usable = cpm is not None and 0 < cpm <= _MAX_CPM
    return DetectedFacts(cpm if is_usable else None, key_of(facts), tuple(packs_of(facts)), beats_in_script(facts))
