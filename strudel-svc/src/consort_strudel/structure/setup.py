"""Tempo, key and packs of a script, and how many beats a cycle has."""

import re
from collections import Counter

from consort_strudel.engine import ScriptFacts
from consort_strudel.music_words import parse_scale

BEATS_PER_CYCLE = 4.0
"""Unless a project or its script says otherwise."""
MAX_BEATS_PER_CYCLE = 64
_BEATS_BY_DIVISOR = re.compile(r"\s*[\d.]+\s*/\s*(\d+(?:\.\d+)?)\s*")


def cycles_per_minute(facts: ScriptFacts) -> float | None:
    """Return the tempo that a script sets last, or None if it sets none or computes it."""
    found = None
    for call in facts.calls:
        if call.name in ("setcpm", "setCpm", "setcps", "setCps") and call.args and call.args[0].kind == "number":
            found = float(call.args[0].value or 0) * (60 if call.name.lower() == "setcps" else 1)
    return found


def beats_in_script(facts: ScriptFacts) -> float | None:
    """Return the beats per cycle that a script names: the divisor in the last `setcpm(120/3)`, or None."""
    found = None
    for call in facts.calls:
        if call.name in ("setcpm", "setCpm") and call.args:
            divisor = _BEATS_BY_DIVISOR.fullmatch(facts.script, call.args[0].start, call.args[0].end)
            found = float(divisor[1]) if divisor and 0 < float(divisor[1]) <= MAX_BEATS_PER_CYCLE else None
    return found


def beats_per_cycle(facts: ScriptFacts, given: float | None = None) -> float:
    """Return the beats per cycle: those given by the project, or named by its script, or 4."""
    return given or beats_in_script(facts) or BEATS_PER_CYCLE


def packs_of(facts: ScriptFacts) -> list[str]:
    """Return the addresses that a script loads samples from."""
    found = [
        str(call.args[0].value)
        for call in facts.calls
        if call.name == "samples" and call.args and call.args[0].kind in ("string", "mini")
    ]
    return list(dict.fromkeys(found))


def key_of(facts: ScriptFacts) -> str | None:
    """Return the scale that a script names most, for example `C minor`, or None."""
    found: Counter[str] = Counter()
    for call in facts.calls:
        if call.name == "scale" and call.args and call.args[0].kind in ("mini", "string"):
            for word in re.split(
                r"(?<![<>\[\]*/!\s])[<>\[\]*/!\s]+(?=[A-Ga-g][#b]?\d?[: ]|$)", str(call.args[0].value)
            ):
                if scale := parse_scale(word.strip("<>[] ")):
                    found[scale.key] += 1
    return found.most_common(1)[0][0] if found else None
