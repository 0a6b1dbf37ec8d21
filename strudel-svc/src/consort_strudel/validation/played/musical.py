"""What is legal, but doubtful for a musician or the machine: tempo, size, nesting, ducks without a target."""

import re
from collections import Counter
from collections.abc import Iterator

from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.structure.setup import BEATS_PER_CYCLE
from consort_strudel.validation.finding import ScriptFinding, warning
from consort_strudel.validation.parameter_table import TEMPO_FUNCTIONS

SLOWEST_BPM, FASTEST_BPM = 20, 300
MOST_VOICES = 24
DEEPEST = 8
LARGE_BYTES = 64 * 1024
CYCLES = 2
"""How many cycles are played. Words that come later are checked in the text."""
MOST_EVENTS_IN_CYCLE = 2000


def musical_doubts(
    facts: ScriptFacts, evaluation: Evaluation, beats_per_cycle: float = BEATS_PER_CYCLE
) -> Iterator[ScriptFinding]:
    yield from _tempo(facts, evaluation, beats_per_cycle)
    yield from _size(facts)
    yield from _density(facts, evaluation)
    yield from _ducks(facts, evaluation)


def _tempo(facts: ScriptFacts, evaluation: Evaluation, beats_per_cycle: float) -> Iterator[ScriptFinding]:
    bpm = evaluation.cps * 60 * beats_per_cycle
    calls = [call for call in facts.calls if call.name in TEMPO_FUNCTIONS]
    if calls and not SLOWEST_BPM <= bpm <= FASTEST_BPM:
        call = calls[-1]
        fix = f"120/{beats_per_cycle:g}" if call.name in ("setcpm", "setCpm") else f"120/60/{beats_per_cycle:g}"
        what = (
            "so nothing plays"
            if bpm <= 0
            else f"with {beats_per_cycle:g} {'beat' if beats_per_cycle == 1 else 'beats'} in a cycle"
        )
        yield warning(
            call.args[0].start if call.args else call.name_start,
            f"The tempo is {_shown(bpm)} BPM, {what}. Music has {SLOWEST_BPM} to {FASTEST_BPM}.",
            f"For 120 BPM write {call.name}({fix}).",
        )


def _shown(bpm: float) -> str:
    return f"{bpm:,.0f}" if abs(bpm) >= 10 or bpm == 0 else f"{bpm:.2g}"


def _density(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield a warning for more events in a cycle than a browser can play."""
    in_cycle = evaluation.event_count / CYCLES
    if in_cycle <= MOST_EVENTS_IN_CYCLE:
        return
    statements = Counter(
        facts.statement_at(event.locations[0][0])
        for event in evaluation.events[:MOST_EVENTS_IN_CYCLE]
        if event.locations
    )
    busiest = statements.most_common(1)[0][0] if statements else None
    yield warning(
        facts.statements[busiest].start if busiest is not None else 0,
        f"The script plays {in_cycle:,.0f} events in a cycle; over {MOST_EVENTS_IN_CYCLE:,} stutter or are not played.",
        "Use smaller factors (*16 instead of *1600), or fewer voices.",
    )


def _size(facts: ScriptFacts) -> Iterator[ScriptFinding]:
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
