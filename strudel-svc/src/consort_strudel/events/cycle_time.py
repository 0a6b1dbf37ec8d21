"""Cycles, beats and tempo. A cycle has four beats unless the project or the script says otherwise."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from consort_strudel import structure
from consort_strudel.engine import Evaluation, PlayedEvent, ScriptFacts
from consort_strudel.music_words import number_of

_FINEST_TEMPO = 10**6


def beats_per_cycle(facts: ScriptFacts, data: dict[str, Any] | None = None) -> Fraction:
    """Return the beats per cycle. `data` is that of the project."""
    return Fraction(structure.beats_per_cycle(facts, (data or {}).get("beats_per_cycle"))).limit_denominator(64)


def tempos_of(evaluation: Evaluation, begin: int, beats: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return (beat, BPM) at the cycle `begin`, which is beat 0, and wherever the control `cps` changes the tempo."""
    changes = _tempo_changes(evaluation.events, evaluation.cps, begin)
    return [((cycle - begin) * beats, cps * 60 * beats) for cycle, cps in changes]


def _tempo_changes(events: Sequence[PlayedEvent], cps: float, begin: int) -> list[tuple[Fraction, Fraction]]:
    """Return (cycle, cycles per second). `events` are sorted by their begin."""
    changes = [(Fraction(begin), Fraction(cps).limit_denominator(_FINEST_TEMPO))]
    for event in events:
        value = number_of(event.value.get("cps")) if isinstance(event.value, dict) else None
        if value is None or value <= 0:
            continue
        tempo = Fraction(value).limit_denominator(_FINEST_TEMPO)
        if changes[-1][0] == event.begin:
            changes[-1] = event.begin, tempo
        elif changes[-1][1] != tempo:
            changes.append((event.begin, tempo))
    return [change for index, change in enumerate(changes) if not index or change[1] != changes[index - 1][1]]


def cycles_until_repeat(events: Sequence[PlayedEvent], cycles: int) -> int | None:
    """Return after how many cycles the events repeat, at most half of `cycles`, or None. They begin at cycle 0."""
    content: list[set[tuple[Fraction, Fraction, str]]] = [set() for _ in range(cycles)]
    for event in events:
        cycle = int(event.begin)
        if cycle < cycles:
            content[cycle].add((event.begin - cycle, event.duration, repr(event.value)))
    for period in range(1, cycles // 2 + 1):
        if all(content[cycle] == content[cycle - period] for cycle in range(period, cycles)):
            return period
    return None
