"""Judge a script: the syntax tree first, then what the engine says when it runs."""

import asyncio
from collections.abc import Iterable, Iterator

from consort_kit.errors import TooLarge
from consort_strudel.engine import Engine, EngineNames, Evaluation, ScriptFacts
from consort_strudel.sounds.library import SoundLibrary
from consort_strudel.structure import beats_per_cycle
from consort_strudel.validation.finding import ScriptFinding
from consort_strudel.validation.played.inaudible import inaudible_values
from consort_strudel.validation.played.key_mismatch import key_mismatches
from consort_strudel.validation.played.musical import CYCLES, LARGE_BYTES, musical_doubts
from consort_strudel.validation.played.played_values import value_faults
from consort_strudel.validation.played.run_time import evaluation_error, lost_arithmetic, query_errors
from consort_strudel.validation.syntax.syntax_errors import mini_errors, syntax_error
from consort_strudel.validation.verdict import ScriptError, ScriptVerdict, ScriptWarning
from consort_strudel.validation.written.arguments import argument_faults
from consort_strudel.validation.written.chord_names import unknown_chords
from consort_strudel.validation.written.kabelsalat import silent_programs
from consort_strudel.validation.written.names import unknown_names
from consort_strudel.validation.written.quotes import quote_traps
from consort_strudel.validation.written.scale_names import unknown_scales
from consort_strudel.validation.written.silent_patterns import silent_statements, unheard_patterns
from consort_strudel.validation.written.sound_names import (
    KnownSounds,
    known_sounds_of,
    unknown_packs,
    unknown_sounds,
)

MOST_BYTES = 256 * 1024
MOST_EVENTS = 5000
"""How many events are read. More than that are only counted."""
MOST_FINDINGS = 50
_LATER_CYCLES = 16
"""Until which cycle a voice that is silent at first may begin."""
_MOST_OF_A_RULE = 500
_PLACE_S = 0.4
"""How long a script that took too long may be parsed to locate its error; honest ones take 0.03 s."""
_NEUTRAL = 'note("c3 e3 g3").s("sawtooth")'
_NEUTRAL_DRUMS = 's("bd sd")'
"""What a fragment is tried on; one with a bank needs drums."""


class Validator:
    def __init__(self, engine: Engine, library: SoundLibrary | None = None) -> None:
        """Judge with an engine. With a library, sounds that are not in it are reported with their substitutes."""
        self._engine = engine
        self._library = library

    async def validate(
        self,
        script: str,
        fragment: bool = False,
        given_beats: float | None = None,
        key: str | None = None,
    ) -> ScriptVerdict:
        """Return the verdict on a script. A fragment (`.lpf(600)`) is tried on a neutral pattern."""
        verdict, _ = await self.judge(script, fragment, given_beats, key)
        return verdict

    async def explain(self, script: str, failed: Evaluation) -> ScriptVerdict:
        """Return the verdict on a script that could not be evaluated.

        A script that took too much time or memory is not run again: only the place of its error is located, unless
        its mini-notation takes as long to parse.
        """
        if not failed.is_late:
            return await self.validate(script)
        try:
            facts = await asyncio.wait_for(self._engine.parse(script), _PLACE_S)
        except TimeoutError:
            facts = ScriptFacts(script)
        return verdict_of(script, evaluation_error(facts, failed))

    async def judge(
        self,
        script: str,
        fragment: bool = False,
        given_beats: float | None = None,
        key: str | None = None,
    ) -> tuple[ScriptVerdict, ScriptFacts]:
        """Return the verdict on a script, and the facts that it is based on.

        `given_beats` (per cycle) and `key` are those that its project sets.
        """
        if len(script.encode()) > MOST_BYTES:
            raise TooLarge(
                f"The script has over {MOST_BYTES // 1024} KB. Split it into several projects.", field="script_content"
            )
        if not script.strip():
            warning = ScriptWarning(line=1, column=1, message="The script is empty: nothing plays.")
            return ScriptVerdict(valid=True, errors=[], warnings=[warning]), ScriptFacts(script)
        neutral = _NEUTRAL_DRUMS if ".bank(" in script else _NEUTRAL
        moved = len(neutral) if fragment and script.lstrip().startswith(".") else 0
        whole = (neutral + script.lstrip()) if moved else script
        facts, evaluation, names = await asyncio.gather(
            self._engine.parse(whole), self._engine.evaluate(whole, 0, CYCLES, MOST_EVENTS), self._engine.names()
        )
        later = None
        if not facts.error and evaluation.error is None and silent_statements(facts, evaluation):
            later = await self._engine.evaluate(whole, CYCLES, _LATER_CYCLES, MOST_EVENTS)
        sounds = KnownSounds(names.sounds)
        if self._library is not None:
            sounds = KnownSounds(names.sounds, self._library.names, substitute=self._library.substitute)

        def judged() -> ScriptVerdict:
            findings = _findings(facts, evaluation, later, names, sounds, beats_per_cycle(facts, given_beats), key)
            if not moved and not _has_errors(findings):  # the notes of a fragment are not known
                findings += _limited(inaudible_values(facts, evaluation))
            return verdict_of(script, [_moved(finding, moved) for finding in findings])

        if len(whole) > LARGE_BYTES // 4:
            return await asyncio.to_thread(judged), facts  # other requests are served meanwhile
        return judged(), facts


def _findings(
    facts: ScriptFacts,
    evaluation: Evaluation,
    later: Evaluation | None,
    names: EngineNames,
    sounds: KnownSounds,
    beats: float,
    key: str | None,
) -> list[ScriptFinding]:
    if facts.error:
        if evaluation.is_late:
            return list(evaluation_error(facts, evaluation))
        return [syntax_error(facts, names)]
    quotes = list(_limited(quote_traps(facts)))
    found = [
        *_limited(mini_errors(facts)),
        *_limited(unknown_names(facts, names, sounds.all)),
        *quotes,
        *_limited(argument_faults(facts)),
        *_limited(unknown_scales(facts, names)),
    ]
    if not _has_errors(found):
        found += evaluation_error(facts, evaluation, quotes)
    if evaluation.error is None:
        if not _has_errors(found):
            found += query_errors(facts, evaluation, quotes)
            found += _limited(value_faults(facts, evaluation))
        found += _limited(unknown_packs(facts))
        found += _limited(unknown_sounds(facts, evaluation, known_sounds_of(evaluation, sounds)))
        found += _limited(unknown_chords(facts, names.voicings))
        found += lost_arithmetic(facts, evaluation)
        found += musical_doubts(facts, evaluation, beats)
        found += _limited(key_mismatches(facts, evaluation, key))
    if not _has_errors(found):
        found += _limited(silent_programs(facts))
        found += _limited(unheard_patterns(facts, evaluation, later))
    return found


def _has_errors(findings: Iterable[ScriptFinding]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def _limited(findings: Iterable[ScriptFinding]) -> Iterator[ScriptFinding]:
    """Yield what a rule finds, until there is more than anybody reads: suggestions take time."""
    errors = 0
    for number, finding in enumerate(findings):
        if errors >= MOST_FINDINGS or number >= _MOST_OF_A_RULE:
            return
        errors += finding.severity == "error"
        yield finding


def _moved(finding: ScriptFinding, moved: int) -> ScriptFinding:
    return ScriptFinding(finding.severity, max(finding.start - moved, 0), finding.message, finding.suggestion)


def verdict_of(script: str, findings: Iterable[ScriptFinding]) -> ScriptVerdict:
    """Return a verdict with lines and columns, in the order of the script, without repetitions."""
    lines = ScriptFacts(script)
    errors: list[ScriptError] = []
    warnings: list[ScriptWarning] = []
    unique = sorted(dict.fromkeys(findings), key=lambda finding: (finding.severity, finding.start))
    for finding in unique[:MOST_FINDINGS]:  # errors first
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
