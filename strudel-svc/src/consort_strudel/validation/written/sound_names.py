"""Which sounds a script may use, and those that it uses but do not exist."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.packs import KnownPack, known_packs, pack_at, packs_with_sound
from consort_strudel.sounds.drum_aliases import DRUM_ALIASES
from consort_strudel.validation.finding import ScriptFinding, error, warning
from consort_strudel.validation.spelling import edits, nearest
from consort_strudel.validation.written.arguments import NUMBER, words_of
from consort_strudel.words import words

SILENT = frozenset(("~", "-", "_", ".", ""))
_ELSEWHERE = frozenset(("osc", "midi", "csound", "csoundm", "superdirt", "dirt", "mqtt", "serial", "webdirt"))
"""Outputs with sounds of their own."""
_WAVETABLES = words(
    "bad_day basique crickets curses earl_grey echoes glimmer majick meditation morgana red_alert sad_piano shook "
    "sludge squelch summer wasp"
)
_ALSO_IN_PUBLIC_REPL = ("num", "numbers", "wt_vgame", "wt_digital", *(f"wt_digital_{name}" for name in _WAVETABLES))
COMPUTED = frozenset(words("wt_basic wt_comb wt_organ wt_pulse wt_vowel"))
"""The wavetables of Consort's own library (`sounds/wavetables.py`), known also while the library is not built."""
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
    """From sounds and aliases that the script itself defines."""
    packs: Mapping[str, str] = field(default_factory=dict)
    """The sounds of the known packs that the script loads, with the name of the pack."""
    is_open: bool = False
    """Whether the script loads something whose sounds are not known."""
    substitute: Callable[[str], str | None] = lambda name: None
    """The local sound that plays for a name of the public REPL."""

    @cached_property
    def all(self) -> frozenset[str]:
        return self.built_in | self.local | COMPUTED | self.in_public_repl | self.loaded | self.packs.keys()

    @cached_property
    def can_be_heard_here(self) -> frozenset[str]:
        return self.built_in | self.local | self.loaded


def known_sounds_of(evaluation: Evaluation, sounds: KnownSounds) -> KnownSounds:
    """Return the sounds with those of the packs that a script loads."""
    loaded, packs, is_open = set(), dict[str, str](), False
    for call in evaluation.loaded:
        values = call["values"]
        source = values[0] if values else None
        if call["kind"] in ("aliasBank", "soundAlias"):
            loaded |= {str(value).lower() for value in values if isinstance(value, str)}
        elif isinstance(source, dict):
            loaded |= {name.lower() for name in source if name != "_base"}
        elif isinstance(source, str) and (pack := pack_at(source)):
            packs |= {name.lower(): pack.name for name in pack.sounds}
        else:
            is_open = True
    return KnownSounds(
        sounds.built_in,
        sounds.local,
        loaded=frozenset(loaded),
        packs=packs,
        is_open=is_open,
        substitute=sounds.substitute,
    )


def unknown_packs(facts: ScriptFacts) -> Iterator[ScriptFinding]:
    """Yield a warning for each pack whose sounds are not known here."""
    for call in facts.calls:
        if call.name == "samples" and call.args and call.args[0].kind == "string":
            address = str(call.args[0].value)
            pack = pack_at(address)
            if pack is None:
                yield warning(
                    call.args[0].start,
                    f"The pack '{address[:80]}' is not known here, so names of sounds are not checked.",
                    "query_packs lists packs whose sounds are known.",
                )
            elif not pack.is_loadable:
                yield warning(call.args[0].start, f"The pack {pack.name} cannot be loaded: its map is not valid JSON.")


def unknown_sounds(facts: ScriptFacts, evaluation: Evaluation, sounds: KnownSounds) -> Iterator[ScriptFinding]:
    """Yield an error for each sound or bank that does not exist, and a warning for those not on this machine."""
    seen: set[tuple[int, str]] = set()
    elsewhere = {call.statement for call in facts.calls if call.name in _ELSEWHERE}
    places = _places(facts)
    for start, name, bank in _used(facts, evaluation, places):
        if (start, name) in seen or name.lower() in SILENT:
            continue
        if elsewhere and facts.statement_at(start) in elsewhere:
            continue
        seen.add((start, name))
        if bank and bank.lower() not in sounds.banks and not sounds.is_open and not _is_bank(bank, sounds):
            yield _unknown(places.get(bank, start), bank, "bank", sounds.banks)
        elif (full := f"{bank}_{name}".lower() if bank else name.lower()) not in sounds.all:
            if bank and bank.lower() in sounds.banks:
                if not any(known.endswith(f"_{name.lower()}") for known in sounds.in_public_repl):
                    yield _unknown(start, name, "sound", frozenset(_drums_of(bank, sounds)))
            elif not sounds.is_open:
                yield _unknown(start, name, "sound", sounds.all, sounds.substitute(name))
        elif full not in sounds.can_be_heard_here and sounds.local:
            yield _not_here(start, full, sounds)


def _not_here(start: int, name: str, sounds: KnownSounds) -> ScriptFinding:
    """Return the warning for a sound that exists, but is not on this machine."""
    other, pack = sounds.substitute(name), sounds.packs.get(name)
    return warning(
        start,
        f"'{name}' cannot be heard offline: "
        + (f"'{other}' plays instead." if other else "it is silent without the network."),
        f"Run `consort sounds fetch {pack}` once while this computer is online." if pack else None,
    )


def _used(
    facts: ScriptFacts, evaluation: Evaluation, places: Mapping[str, int]
) -> Iterator[tuple[int, str, str | None]]:
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
        name = _sound_of(event.value)
        if name is None:
            continue
        bank = event.value.get("bank")
        own = [start for start, end in event.locations if facts.script[start:end] == name]
        start = own[0] if own else places.get(name, 0)
        played.add(start)
        yield start, name, bank if isinstance(bank, str) else None
    banks = _banks(facts)
    for start, text in written:
        if start not in played and not NUMBER.match(text):
            yield start, text, banks.get(written[start, text])


def _sound_of(value: Any) -> str | None:
    """Return the name of an event's sound. A number is a name too, which no sound has."""
    sound = value.get("s") if isinstance(value, dict) else None
    if isinstance(sound, str):
        return sound
    return f"{sound:g}" if isinstance(sound, int | float) and not isinstance(sound, bool) else None


def _banks(facts: ScriptFacts) -> dict[int, str]:
    """Return the bank of each call in whose chain there is just one, with one word."""
    found: dict[int, set[str]] = {}
    for index, call in enumerate(facts.calls):
        if call.name == "bank" and call.args and call.args[0].kind in ("mini", "string"):
            for before in facts.chain(index):
                found.setdefault(before, set()).add(str(call.args[0].value))
    return {index: bank for index, banks in found.items() for bank in banks if len(banks) == 1 and " " not in bank}


def _is_bank(bank: str, sounds: KnownSounds) -> bool:
    return any(name.startswith(f"{bank.lower()}_") for name in sounds.all)


def _drums_of(bank: str, sounds: KnownSounds) -> Iterator[str]:
    for name in sounds.in_public_repl | sounds.local | sounds.loaded:
        owner, _, drum = name.rpartition("_")
        if owner and owner.endswith(bank.lower()):
            yield drum


def _places(facts: ScriptFacts) -> dict[str, int]:
    """Return the first place of each word and of each string."""
    found: dict[str, int] = {}
    for string in facts.strings:
        for start, _, word in string.leaves:
            found.setdefault(word, start)
        found.setdefault(string.value, string.start)
    return found


def _unknown(start: int, name: str, kind: str, known: frozenset[str], substitute: str | None = None) -> ScriptFinding:
    what = f"There is no {kind} '{name}'."
    meant = _meant(name, known) or substitute
    is_drum = DRUM_ALIASES.get(name.lower()) in known
    if not is_drum and (pack := _pack_with(name, kind)):
        also = f" Or did you mean '{meant}'?" if meant else ""
        return error(start, what, f"It is in a pack: {pack.loading_syntax}{also}")
    if meant is not None:
        return error(start, what, f"Did you mean '{meant}'?")
    return error(
        start, what, "For example bd, sd, hh, sawtooth, piano or gm_epiano1; packs are loaded with samples('…')."
    )


def _pack_with(name: str, kind: str) -> KnownPack | None:
    """Return the pack to load for a sound, or for a bank that puts its name before those of its sounds."""
    if kind == "sound":
        return next(iter(packs_with_sound(name)), None)
    begin = f"{name.lower()}_"
    return next((pack for pack in known_packs() if any(each.lower().startswith(begin) for each in pack.sounds)), None)


def _meant(name: str, known: frozenset[str]) -> str | None:
    """Return the sound that was probably meant: another name of a drum (`kick`), or one that is spelled alike.

    A long name of a drum that is spelled as nearly as the nearest sound is preferred: `snre` is `snare`, not `sine`.
    """
    lowered = name.lower()
    drum = DRUM_ALIASES.get(lowered)
    if drum in known:
        return drum
    near = nearest(name, known)
    aliases = [alias for alias in nearest(name, DRUM_ALIASES) if len(alias) > 2 and alias.isalpha()]
    if aliases and DRUM_ALIASES[aliases[0]] in known:
        apart = edits(lowered, aliases[0], len(name))
        if not near or apart < edits(lowered, near[0].lower(), len(name)):
            return DRUM_ALIASES[aliases[0]]
    return near[0] if near else None
