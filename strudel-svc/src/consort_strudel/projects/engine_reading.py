"""Read scripts with the real engine."""

from consort_strudel.engine import Engine, ScriptFacts
from consort_strudel.projects.patches.outline import LineRange, ScriptOutline, Span
from consort_strudel.projects.script_reading import JudgedScript
from consort_strudel.projects.storage.rows import DetectedFacts
from consort_strudel.structure import SongStructure, cycles_per_minute, key_of, packs_of, structure_of
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
            sections=sections_of(structure_of(facts)),
        )

    async def detect(self, script: str) -> DetectedFacts:
        """Return what a script says. A script that cannot be parsed says nothing."""
        return _detected(await self._engine.parse(script))

    async def validate(self, script: str, beats_per_cycle: float) -> JudgedScript:
        verdict, facts = await self._validator.judge(script, beats_per_cycle=beats_per_cycle)
        return JudgedScript(verdict, _detected(facts))


def _detected(facts: ScriptFacts) -> DetectedFacts:
    if facts.error:
        return DetectedFacts()
    cpm = cycles_per_minute(facts)
    is_usable = cpm is not None and 0 < cpm <= _MAX_CPM
    return DetectedFacts(cpm if is_usable else None, key_of(facts), tuple(packs_of(facts)))


def sections_of(song: SongStructure) -> dict[str, tuple[LineRange, ...]]:
    """Return the lines of everything that a section patch can name. A section's name wins over a voice's."""
    found: dict[str, tuple[LineRange, ...]] = {}
    parts = song.structure
    for section in parts.sections:
        name = section.name.strip().lower()
        found[name] = (*found.get(name, ()), LineRange(section.lines[0], section.lines[1]))
    if parts.setup.lines:
        first, last = parts.setup.lines
        while last > first and _is_heading(parts.setup.content[last - first]):
            last -= 1
        found.setdefault("setup", (LineRange(first, last),))
    if parts.voices:
        first = min(voice.lines[0] for voice in parts.voices)
        found.setdefault("voices", (LineRange(first, max(voice.lines[1] for voice in parts.voices)),))
    for voice in parts.voices:
        for label in (voice.id, voice.name or voice.id):
            found.setdefault(label.lower(), (LineRange(voice.lines[0], voice.lines[1]),))
    return found


def _is_heading(line: str) -> bool:
    """Return whether a line at the end of the setup belongs to the first voice: a comment or a blank line."""
    return line.strip().startswith("//") or not line.strip()
