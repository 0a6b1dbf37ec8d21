"""Values that the engine plays, but that leave little to hear: filters far from the note, an attack longer than it.

A voice is only reported if all its events are so: a filter that sweeps may pass anything.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from consort_strudel.engine import Evaluation, PlayedEvent, ScriptFacts
from consort_strudel.music_words import number_of, pitch_of
from consort_strudel.validation.finding import ScriptFinding, warning

_FAR = 4
"""A filter of 12 dB per octave takes 24 dB from a partial that is this factor beyond it."""
_ALMOST_SINES = frozenset(("sine", "triangle", "tri"))
_LEAST_HIGH_HZ = 12_000
"""Above this frequency even a bright sound has little left."""
_TOO_LONG = 1.5
"""An attack that is this many times the note reaches two thirds of the level at most."""
_MOVES = ("env", "attack", "decay", "sustain", "release", "rate", "depth", "sync")
"""Endings of the controls that move a filter: `lpenv`, `lprate`."""


class InaudibleValue(NamedTuple):
    calls: tuple[str, ...]
    """The names by which a script sets the value."""
    message: str
    suggestion: str


HearingRule = Callable[[Mapping[str, Any], float], InaudibleValue | None]
"""Return what is wrong with the values of an event that has so many seconds."""


def inaudible_values(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[ScriptFinding]:
    """Yield a warning for each voice whose events all leave little to hear."""
    voices: dict[int | None, list[PlayedEvent]] = defaultdict(list)
    for event in evaluation.events:
        if isinstance(event.value, dict) and event.locations:
            voices[facts.statement_at(event.locations[0][0])].append(event)
    for statement, events in voices.items():
        for rule in _RULES:
            doubts = [rule(event.value, _seconds(event, evaluation.cps)) for event in events]
            if (first := doubts[0]) and all(doubts):
                yield warning(_place(facts, statement, first.calls, events[0]), first.message, first.suggestion)


def _seconds(event: PlayedEvent, cps: float) -> float:
    own = number_of(event.value.get("cps"))
    return float(event.duration) / max(own or cps, 1e-9)


def _place(facts: ScriptFacts, statement: int | None, names: tuple[str, ...], event: PlayedEvent) -> int:
    """Return where the value is set in the voice, or, if it is set elsewhere, where the voice's first word is."""
    calls = [call for call in facts.calls if call.name in names and call.args]
    own = [call for call in calls if call.statement == statement] or calls
    return own[-1].args[0].start if own else event.locations[0][0]


def _low_pass(value: Mapping[str, Any], seconds: float) -> InaudibleValue | None:
    cutoff, note = number_of(value.get("cutoff")), _frequency(value)
    if cutoff is None or note is None or cutoff <= 0 or cutoff * _FAR >= note or _is_moved(value, "lp"):
        return None
    return InaudibleValue(
        ("lpf", "cutoff", "ctf", "lp"),
        f"lpf({cutoff:g}) is far below the note, which has {note:.0f} Hz, so little is heard.",
        f"Use a cutoff above the note: .lpf({_rounded(3 * note)})",
    )


def _high_pass(value: Mapping[str, Any], seconds: float) -> InaudibleValue | None:
    cutoff, note = number_of(value.get("hcutoff")), _frequency(value)
    if cutoff is None or note is None or cutoff <= _highest(value, note) or _is_moved(value, "hp"):
        return None
    return InaudibleValue(
        ("hpf", "hcutoff", "hp"),
        f"hpf({cutoff:g}) is far above the note, which has {note:.0f} Hz, so little is heard.",
        f"Use a cutoff below the note: .hpf({_rounded(note / 2)})",
    )


def _band_pass(value: Mapping[str, Any], seconds: float) -> InaudibleValue | None:
    centre, note = number_of(value.get("bandf")), _frequency(value)
    if centre is None or note is None or centre <= 0 or _is_moved(value, "bp"):
        return None
    if note <= centre * _FAR and centre <= _highest(value, note):
        return None
    return InaudibleValue(
        ("bpf", "bandf", "bp"),
        f"bpf({centre:g}) is far from the note, which has {note:.0f} Hz, so little is heard.",
        f"Use a frequency near the note: .bpf({_rounded(2 * note)})",
    )


def _attack(value: Mapping[str, Any], seconds: float) -> InaudibleValue | None:
    attack = number_of(value.get("attack"))
    if attack is None or attack <= _TOO_LONG * seconds:
        return None
    return InaudibleValue(
        ("attack", "att", "adsr", "ad", "ar"),
        f"attack({attack:g}) is longer than the note, which has {seconds:.2g} s, so it never gets loud.",
        f"Use at most the length of the note: .attack({seconds / 2:.2g})",
    )


_RULES: tuple[HearingRule, ...] = (_low_pass, _high_pass, _band_pass, _attack)


def _frequency(value: Mapping[str, Any]) -> float | None:
    """Return the frequency of an event in Hz, or None if it has no pitch or its partials are not known."""
    pitch = pitch_of(value)
    return None if pitch is None or not -60 <= pitch <= 160 else 440 * 2 ** ((pitch - 69) / 12)


def _highest(value: Mapping[str, Any], note: float) -> float:
    """Return the frequency above which an event has little sound."""
    is_plain = value.get("s", "triangle") in _ALMOST_SINES and not any(name.startswith("fm") for name in value)
    return note * _FAR if is_plain else max(note * _FAR, _LEAST_HIGH_HZ)


def _is_moved(value: Mapping[str, Any], filter_name: str) -> bool:
    return any(f"{filter_name}{ending}" in value for ending in _MOVES) or any(
        name in value for name in ("lfo", "env", "bmod")
    )


def _rounded(frequency: float) -> str:
    digits = max(len(str(int(frequency))) - 2, 0)
    return f"{round(frequency, -digits):g}"
