"""What is legal, but doubtful for a musician or the machine: tempo, key, size, nesting, silent combinations."""

import re
from collections import Counter
from collections.abc import Iterator

from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.music_words import ScaleName, parse_scale
from consort_strudel.structure.setup import BEATS_PER_CYCLE
from consort_strudel.validation.finding import ScriptFinding, warning

SLOWEST_BPM, FASTEST_BPM = 20, 300
MOST_VOICES = 24
DEEPEST = 8
LARGE_BYTES = 64 * 1024


def musical_doubts(
    facts: ScriptFacts, evaluation: Evaluation, beats_per_cycle: float = BEATS_PER_CYCLE
) -> Iterator[ScriptFinding]:
    yield from _tempo(facts, evaluation, beats_per_cycle)
    yield from _keys(facts)
    yield from _size(facts, evaluation)
    yield from _ducks(facts, evaluation)


def _tempo(facts: ScriptFacts, evaluation: Evaluation, beats_per_cycle: float) -> Iterator[ScriptFinding]:
    bpm = evaluation.cps * 60 * beats_per_cycle
    for call in facts.calls:
        if call.name in ("setcpm", "setCpm", "setcps", "setCps") and not SLOWEST_BPM <= bpm <= FASTEST_BPM:
            yield warning(
                call.name_start,
                f"The tempo is {bpm:.4g} BPM, with {beats_per_cycle:g} beats in a cycle.",
                f"For 120 BPM write setcpm(120/{beats_per_cycle:g}).",
            )
            return


def _keys(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield a warning for a scale that differs from the one used most."""
    found: list[tuple[int, ScaleName]] = []
    for call in facts.calls:
        if call.name != "scale" or not call.args or call.args[0].index is None:
            continue
        string = facts.strings[call.args[0].index]
        if (" " not in string.value or not string.is_mini) and (scale := parse_scale(string.value)):
            found.append((string.start, scale))
    usual = Counter(scale.key for _, scale in found).most_common(1)
    if len({scale.key for _, scale in found}) < 2 or usual[0][1] * 2 <= len(found):
        return
    usual_key = usual[0][0]
    for start, scale in found:
        if scale.key != usual_key:
            yield warning(
                start,
                f"This voice is in {scale.key}, the others are in {usual_key}.",
                f'If that is not wanted: .scale("{usual_key.replace(" ", ":")}")',
            )


def _size(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    voices = [statement for statement in facts.statements if statement.label is not None and not statement.is_muted]
    if len(voices) > MOST_VOICES:
        yield warning(
            voices[MOST_VOICES].start,
            f"{len(voices)} voices play at once; over {MOST_VOICES} may stutter on slow machines.",
            "Mute some (_name:) or put parts into one mini-notation.",
        )
    deep = [call for call in facts.calls if call.depth > DEEPEST]
    if deep:
        yield warning(
            deep[0].name_start,
            f"Calls are nested {max(call.depth for call in deep) + 1} deep.",
            "Give inner parts names: const drums = s(…)",
        )
    if len(facts.script.encode()) > LARGE_BYTES:
        yield warning(0, f"The script has over {LARGE_BYTES // 1024} KB, which makes the editor slow.")


def _ducks(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield a warning for a duck whose orbit no sound uses."""
    used = {
        int(event.value.get("orbit", 1))
        for event in evaluation.events
        if isinstance(event.value, dict) and isinstance(event.value.get("orbit", 1), int | float)
    }
    for call in facts.calls:
        if call.name in ("duck", "duckorbit") and call.args and call.args[0].kind in ("number", "mini"):
            wanted = str(call.args[0].value)
            for part in re.findall(r"\d+", wanted):
                if used and int(part) not in used:
                    yield warning(
                        call.args[0].start,
                        f"No sound uses orbit {part}, so there is nothing to duck.",
                        f"Add .orbit({part}) to the voice that should be ducked.",
                    )
