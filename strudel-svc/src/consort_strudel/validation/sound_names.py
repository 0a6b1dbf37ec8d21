"""Which sounds a script may use, and those that it uses but do not exist."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.packs import known_packs, pack_at
from consort_strudel.validation.arguments import NUMBER, words_of
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.spelling import nearest

SILENT = frozenset(("~", "-", "_", ".", ""))
_ELSEWHERE = frozenset(("osc", "midi", "csound", "csoundm", "superdirt", "dirt", "mqtt", "serial", "webdirt"))
"""Outputs with sounds of their own."""
_WAVETABLES = "wt_"
"""The wavetables of the public REPL have names that begin so."""
_ALSO_IN_PUBLIC_REPL = ("num", "numbers")
_CAPITAL = re.compile(r"(?=[A-Z0-9])")


@cache
def _public_repl() -> tuple[frozenset[str], frozenset[str]]:
    """Return the sounds of the packs that the public REPL loads by itself, and the names of its drum machines."""
    sounds, banks = set(_ALSO_IN_PUBLIC_REPL), {"mridangam"}
    for pack in known_packs():
        if pack.in_public_repl:
            sounds |= {sound.lower() for sound in pack.sounds}
            if pack.name == "mridangam":
                sounds |= {f"mridangam_{sound.removeprefix('mridangam_')}" for sound in pack.sounds}
            if pack.name == "tidal-drum-machines":
                banks |= {sound.rsplit("_", 1)[0] for sound in pack.sounds}
    short = {bank[place.start() :] for bank in banks for place in _CAPITAL.finditer(bank)}  # TR909 for RolandTR909
    return frozenset(sounds), frozenset(bank.lower() for bank in banks | {name for name in short if len(name) > 2})


@dataclass(frozen=True)
class KnownSounds:
    """The sounds that a script may name, in lower case."""

    built_in: frozenset[str]
    local: frozenset[str] = frozenset()
    """The library on this machine."""
    in_public_repl: frozenset[str] = field(default_factory=lambda: _public_repl()[0])
    banks: frozenset[str] = field(default_factory=lambda: _public_repl()[1])
    loaded: frozenset[str] = frozenset()
    """From the packs that the script loads."""
    is_open: bool = False
    """Whether the script loads something whose sounds are not known."""
    substitute: Callable[[str], str | None] = lambda name: None
    """The local sound that plays for a name of the public REPL."""

    @property
    def all(self) -> frozenset[str]:
        return self.built_in | self.local | self.in_public_repl | self.loaded

    @property
    def can_be_heard_here(self) -> frozenset[str]:
        return self.built_in | self.local


def known_sounds_of(evaluation: Evaluation, sounds: KnownSounds) -> KnownSounds:
    """Return the sounds with those of the packs that a script loads."""
    loaded, is_open = set(), False
    for call in evaluation.loaded:
        values = call["values"]
        source = values[0] if values else None
        if call["kind"] in ("aliasBank", "soundAlias"):
            loaded |= {str(value).lower() for value in values if isinstance(value, str)}
        elif isinstance(source, dict):
            loaded |= {name.lower() for name in source if name != "_base"}
        elif isinstance(source, str) and (pack := pack_at(source)):
            loaded |= {name.lower() for name in pack.sounds}
        else:
            is_open = True
    return KnownSounds(
        sounds.built_in,
        sounds.local,
        loaded=frozenset(loaded),
        is_open=is_open,
        substitute=sounds.substitute,
    )


def unknown_packs(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield a warning for each pack whose sounds are not known here."""
    for call in facts.calls:
        if call.name == "samples" and call.args and call.args[0].kind == "string":
            address = str(call.args[0].value)
            if pack_at(address) is None:
                yield warning(
                    call.args[0].start,
                    f"The pack '{address[:80]}' is not known here, so names of sounds are not checked.",
                )


def unknown_sounds(facts: ScriptFacts, evaluation: Evaluation, sounds: KnownSounds) -> Iterator[ScriptFinding]:
    """Yield an error for each sound or bank that does not exist, and a warning for those not on this machine."""
    seen: set[tuple[int, str]] = set()
    elsewhere = [facts.statements[call.statement] for call in facts.calls if call.name in _ELSEWHERE]
    for start, name, bank in _used(facts, evaluation):
        if (start, name) in seen or name.lower() in SILENT or f"{bank or name}".startswith(_WAVETABLES):
            continue
        if any(statement.start <= start < statement.end for statement in elsewhere):
            continue
        seen.add((start, name))
        if bank and bank.lower() not in sounds.banks and not sounds.is_open and not _is_bank(bank, sounds):
            yield _unknown(_place_of(facts, bank, start), bank, "bank", sounds.banks)
        elif (full := f"{bank}_{name}".lower() if bank else name.lower()) not in sounds.all:
            if bank and bank.lower() in sounds.banks:
                if not any(known.endswith(f"_{name.lower()}") for known in sounds.in_public_repl):
                    yield _unknown(start, name, "sound", frozenset(_drums_of(bank, sounds)))
            elif not sounds.is_open:
                yield _unknown(start, name, "sound", sounds.all)
        elif full not in sounds.can_be_heard_here | sounds.loaded and sounds.local:
            other = sounds.substitute(full)
            yield warning(
                start,
                f"'{full}' cannot be heard offline: "
                + (f"'{other}' plays instead." if other else "it is silent without the network."),
            )


def _used(facts: ScriptFacts, evaluation: Evaluation) -> Iterator[tuple[int, str, str | None]]:
    """Yield place, name and bank of each sound: those that play, then those that are only written."""
    written = {
        (start, text): index
        for index, call in enumerate(facts.calls)
        if call.name in ("s", "sound")
        for argument in call.args[:1]
        for start, text in words_of(argument, facts)
    }
    played = set()
    for event in evaluation.events:
        if not isinstance(event.value, dict) or not isinstance(event.value.get("s"), str):
            continue
        name, bank = event.value["s"], event.value.get("bank")
        places = [start for start, end in event.locations if facts.script[start:end] == name]
        start = places[0] if places else _place_of(facts, name, 0)
        played.add(start)
        yield start, name, bank if isinstance(bank, str) else None
    for start, text in written:
        if start not in played and not NUMBER.match(text):
            yield start, text, _bank_of(facts, written[start, text])


def _bank_of(facts: ScriptFacts, sound_call: int) -> str | None:
    """Return the bank in the same chain as a sound, if it is just one word."""
    banks = [
        str(call.args[0].value)
        for index, call in enumerate(facts.calls)
        if call.name == "bank"
        and call.args
        and call.args[0].kind in ("mini", "string")
        and sound_call in facts.chain(index)
    ]
    return banks[0] if len(banks) == 1 and " " not in banks[0] else None


def _is_bank(bank: str, sounds: KnownSounds) -> bool:
    return any(name.startswith(f"{bank.lower()}_") for name in sounds.all)


def _drums_of(bank: str, sounds: KnownSounds) -> Iterator[str]:
    for name in sounds.in_public_repl | sounds.local | sounds.loaded:
        owner, _, drum = name.rpartition("_")
        if owner and owner.endswith(bank.lower()):
            yield drum


def _place_of(facts: ScriptFacts, text: str, otherwise: int) -> int:
    for string in facts.strings:
        for start, _, word in string.leaves:
            if word == text:
                return start
        if string.value == text:
            return string.start
    return otherwise


def _unknown(start: int, name: str, kind: str, known: frozenset[str]) -> ScriptFinding:
    near = nearest(name, known)
    what = f"There is no {kind} '{name}'."
    if near:
        return error(start, what, f"Did you mean '{near[0]}'?")
    return error(
        start, what, "For example bd, sd, hh, sawtooth, piano or gm_epiano1; packs are loaded with samples('…')."
    )
