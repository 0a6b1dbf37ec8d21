"""Judge a script: the syntax tree first, then what the engine says when it runs."""

import asyncio
import re
from collections.abc import Iterable

from consort_kit.errors import TooLarge
from consort_strudel.engine import Engine, EngineNames, Evaluation, ScriptFacts
from consort_strudel.sounds.library import SoundLibrary
from consort_strudel.structure import BEATS_PER_CYCLE
from consort_strudel.validation.arguments import argument_faults
from consort_strudel.validation.brackets import unmatched_in_mini, unmatched_in_script
from consort_strudel.validation.chord_names import unknown_chords
from consort_strudel.validation.finding import ScriptFinding, error
from consort_strudel.validation.musical import musical_doubts
from consort_strudel.validation.names import unknown_names
from consort_strudel.validation.quotes import quote_traps
from consort_strudel.validation.run_time import evaluation_error, query_errors, silence
from consort_strudel.validation.sound_names import (
    KnownSounds,
    known_sounds_of,
    unknown_packs,
    unknown_sounds,
)
from consort_strudel.validation.verdict import ScriptError, ScriptVerdict, ScriptWarning

MOST_BYTES = 256 * 1024
CYCLES = 2
"""How many cycles are played. Words that come later are checked in the text."""
MOST_FINDINGS = 50
_NEUTRAL = 'note("c3 e3 g3").s("sawtooth")'
_EXPECTED = re.compile(r"^Expected .* but (.+) found\.?$", re.DOTALL)


class Validator:
    def __init__(self, engine: Engine, library: SoundLibrary | None = None) -> None:
        """Judge with an engine. With a library, sounds that are not in it are reported with their substitutes."""
        self._engine = engine
        self._library = library

    async def validate(
        self, script: str, fragment: bool = False, beats_per_cycle: float = BEATS_PER_CYCLE
    ) -> ScriptVerdict:
        """Return the verdict on a script. A fragment (`.lpf(600)`) is tried on a neutral pattern."""
        verdict, _ = await self.judge(script, fragment, beats_per_cycle)
        return verdict

    async def judge(
        self, script: str, fragment: bool = False, beats_per_cycle: float = BEATS_PER_CYCLE
    ) -> tuple[ScriptVerdict, ScriptFacts]:
        """Return the verdict on a script, and the facts that it is based on."""
        if len(script.encode()) > MOST_BYTES:
            raise TooLarge(
                f"The script has over {MOST_BYTES // 1024} KB. Split it into several projects.", field="script_content"
            )
        if not script.strip():
            warning = ScriptWarning(line=1, column=1, message="The script is empty: nothing plays.")
            return ScriptVerdict(valid=True, errors=[], warnings=[warning]), ScriptFacts(script)
        moved = len(_NEUTRAL) if fragment and script.lstrip().startswith(".") else 0
        whole = (_NEUTRAL + script.lstrip()) if moved else script
        facts, evaluation, names = await asyncio.gather(
            self._engine.parse(whole), self._engine.evaluate(whole, 0, CYCLES), self._engine.names()
        )
        sounds = KnownSounds(names.sounds)
        if self._library is not None:
            sounds = KnownSounds(names.sounds, self._library.names, substitute=self._library.substitute)
        findings = list(_findings(facts, evaluation, names, sounds, beats_per_cycle))
        return verdict_of(script, [_moved(finding, moved) for finding in findings]), facts


def _findings(
    facts: ScriptFacts, evaluation: Evaluation, names: EngineNames, sounds: KnownSounds, beats_per_cycle: float
) -> Iterable[ScriptFinding]:
    if facts.error:
        return [_syntax_error(facts)]
    found = [*_mini_errors(facts), *unknown_names(facts, names), *quote_traps(facts), *argument_faults(facts)]
    if not any(finding.severity == "error" for finding in found):
        found += evaluation_error(facts, evaluation)
    if evaluation.error is None:
        has_errors = any(finding.severity == "error" for finding in found)
        found += [] if has_errors else query_errors(facts, evaluation)
        found += unknown_packs(facts)
        found += unknown_sounds(facts, evaluation, known_sounds_of(evaluation, sounds))
        found += unknown_chords(facts, names.chords)
        found += musical_doubts(facts, evaluation, beats_per_cycle)
        found += silence(facts, evaluation)
    return found


def _syntax_error(facts: ScriptFacts) -> ScriptFinding:
    assert facts.error is not None
    unmatched = unmatched_in_script(facts.script)
    if unmatched and unmatched.is_opener:
        return error(unmatched.offset, unmatched.message, f"Add '{unmatched.missing}'.")
    if unmatched and facts.error.offset < unmatched.offset:
        line, column = facts.line_column(unmatched.offset)
        return error(
            facts.error.offset,
            f"Something is missing before this: {unmatched.message[:-1]} (line {line}, column {column}).",
            f"Add '{unmatched.missing}' here, or remove the '{unmatched.character}'.",
        )
    if unmatched:
        return error(unmatched.offset, unmatched.message, f"Remove it, or add '{unmatched.missing}' before it.")
    return error(facts.error.offset, f"The script is not valid JavaScript: {facts.error.message}.")


def _mini_errors(facts: ScriptFacts) -> Iterable[ScriptFinding]:
    for string in facts.strings:
        if string.error is None or re.match(r"^\w+:(//|[\w-]+/)", string.value):
            continue
        if unmatched := unmatched_in_mini(string.value):
            yield error(
                string.start + 1 + unmatched.offset,
                f"Mini-notation: {unmatched.message}",
                f"Add or remove '{unmatched.missing}'.",
            )
            continue
        found = _EXPECTED.match(string.error.message)
        what = f"{found[1]} is not expected here" if found else string.error.message
        yield error(
            min(string.error.offset, string.end - 1),
            f"Mini-notation: {what}.",
            "Words, numbers and ~ with [ ] < > { } * / ! @ ? : , ( ) between; other text belongs into single quotes.",
        )


def _moved(finding: ScriptFinding, moved: int) -> ScriptFinding:
    return ScriptFinding(finding.severity, max(finding.start - moved, 0), finding.message, finding.suggestion)


def verdict_of(script: str, findings: Iterable[ScriptFinding]) -> ScriptVerdict:
    """Return a verdict with lines and columns, in the order of the script, without repetitions."""
    lines = ScriptFacts(script)
    errors: list[ScriptError] = []
    warnings: list[ScriptWarning] = []
    unique = sorted(dict.fromkeys(findings), key=lambda finding: finding.start)
    for finding in unique[:MOST_FINDINGS]:
        line, column = lines.line_column(finding.start)
        if finding.severity == "error":
            errors.append(
                ScriptError(
                    line=line,
                    column=column,
                    message=finding.message,
                    suggestion=finding.suggestion,
                    code_context=_context(script, line, column),
                )
            )
        else:
            warnings.append(
                ScriptWarning(line=line, column=column, message=finding.message, suggestion=finding.suggestion)
            )
    return ScriptVerdict(valid=not errors, errors=errors, warnings=warnings)


def _context(script: str, line: int, column: int) -> str:
    """Return a line with its neighbours, and a mark below the column."""
    lines = script.split("\n")
    shown = []
    for number in range(max(line - 1, 1), min(line + 1, len(lines)) + 1):
        text, cut = lines[number - 1], max(column - 60, 0) if number == line else 0
        shown.append(f"{number:>4} | {text[cut : cut + 100]}")
        if number == line:
            shown.append(f"     | {' ' * (column - 1 - cut)}^")
    return "\n".join(shown)
