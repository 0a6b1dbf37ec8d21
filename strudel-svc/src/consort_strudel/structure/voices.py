"""The voices of a script: where they are, what they play, and with which effects."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from consort_strudel.engine import Argument, ScriptCall, ScriptFacts
from consort_strudel.music_words import note_number, parse_scale
from consort_strudel.structure.instrument_names import (
    DRUMS,
    FX_SOUNDS,
    NOISES,
    drum_of,
    instrument_of,
    is_bass,
    is_pad,
)
from consort_strudel.structure.models import SoundPlace, VoicePart, VoiceType
from consort_strudel.words import words

EFFECTS = frozenset(
    words(
        "lpf hpf bpf cutoff hcutoff bandf ctf lp hp bp lpq hpq bpq resonance hresonance bandq djf vowel room roomsize "
        "size rsize rlp rdim rfade roomlp roomdim ir delay delaytime delayfeedback delayt delayfb dt dfb crush coarse "
        "distort shape squiz waveloss phaser phaserdepth phasercenter tremolo tremolodepth compressor pan jux juxBy "
        "duck duckorbit duckdepth duckattack lpenv hpenv bpenv lpa lpd lps lpr lpe hpe bpe lpattack lpdecay lpsustain "
        "lprelease fm fmi fmh fmattack fmdecay vib vibmod detune unison spread echo stut off superimpose attack decay "
        "sustain release adsr gain postgain velocity speed chop striate slice splice loopAt begin end cut clip legato "
        "ring dry orbit noise FX drive freeze krush"
    )
)
_PATTERN_FUNCTIONS = frozenset(
    words(
        "s sound note n stack cat seq sequence chord arrange slowcat fastcat polyrhythm polymeter pm pr timecat freq "
        "stackLeft overlay randcat wchooseCycles pick silence mini"
    )
)

_STACKS = frozenset(("stack", "overlay", "stackLeft", "polyrhythm", "pr"))
_PICKS = frozenset(("pick", "pickRestart", "pickReset", "pickOut", "pickmod", "inhabit", "squeeze"))
_LOW = 48
"""C3 in the engine's numbers: a voice whose notes are mostly below is a bass."""
_LONG_S = 0.3


@dataclass(frozen=True)
class VoicePlace:
    """A part of the script that is one voice."""

    name: str | None
    start: int
    end: int
    is_muted: bool
    outer: tuple[int, ...] = ()
    """The calls of the chain behind the `stack` or `pick` that the voice is in: they apply to it too."""


def voice_places(facts: ScriptFacts) -> list[VoicePlace]:
    """Return the voices: labelled patterns, the arguments of `stack`, variables with patterns, or the last line."""
    found: list[VoicePlace] = []
    labelled = [statement for statement in facts.statements if statement.label is not None]
    for variable in facts.variables:
        if _is_pattern(variable.value, facts):
            found += _split(variable.name, variable.value, variable.start, variable.end, False, facts)
    for statement in labelled:
        assert statement.label is not None
        name = None if statement.label.strip("_S") == "$" else statement.label.strip("_")
        body = facts.script.index(":", statement.start) + 1
        start = body + len(facts.script[body:]) - len(facts.script[body:].lstrip())
        found += _split(name, statement.value, start, statement.end, statement.is_muted, facts)
    for statement in facts.statements:
        if statement.label is None and statement.kind == "ExpressionStatement" and _is_pattern(statement.value, facts):
            found += _split(None, statement.value, statement.start, statement.end, False, facts)
    return sorted(found, key=lambda voice: voice.start)


def _is_pattern(value: Argument, facts: ScriptFacts) -> bool:
    first = facts.first_call(value)
    if first is None:
        return value.kind == "mini"
    if first.is_method:
        return first.receiver is not None and first.receiver.kind in ("mini", "name")
    return first.name in _PATTERN_FUNCTIONS


def _split(
    name: str | None,
    value: Argument,
    start: int,
    end: int,
    is_muted: bool,
    facts: ScriptFacts,
    outer: tuple[int, ...] = (),
) -> list[VoicePlace]:
    """Return the parts of a `stack`, `pick` or `arrange`, or the whole.

    Names alone (`stack(drums)`) are voices already. A part of `pick` or `arrange` is split again if it is a stack.
    """
    whole = [VoicePlace(name, start, end, is_muted, outer)]
    if value.kind != "call" or value.index is None:
        return whole
    chain = facts.chain(value.index)
    first = facts.calls[chain[0]]
    if first.name in ("arrange", "pick", "pickRestart", "cat", "slowcat") and _names_variables(first, facts):
        return []
    parts = list(first.args) if first.name in _STACKS else _alternatives(first)
    if first.name not in _STACKS and not all(
        part.kind == "name" or (part.kind == "call" and _is_pattern(part, facts)) for part in parts
    ):
        return whole  # what it plays is made behind it: `"<0 1>".pick(["c", "e"]).note()`
    if not parts:
        return whole
    parts = [part for part in parts if part.kind != "name"]
    if not parts:
        return []
    if len(parts) == 1 and len(chain) > 1:
        return whole
    behind = (*chain[1:], *outer)
    found: list[VoicePlace] = []
    for part in parts:
        begin = facts.calls[part.index].start if part.kind == "call" and part.index is not None else part.start
        label = name if len(parts) == 1 else None
        inner = part.kind == "call" and first.name not in _STACKS
        place = VoicePlace(label, begin, part.end, is_muted, behind)
        found += _split(label, part, begin, part.end, is_muted, facts, behind) if inner else [place]
    return found


def _alternatives(call: ScriptCall) -> list[Argument]:
    """Return the patterns among which `pick` chooses, or which `arrange` plays one after the other."""
    if call.name in _PICKS:
        return [item for argument in call.args if argument.kind in ("array", "object") for item in argument.items]
    if call.name == "arrange":
        return [argument.items[1] for argument in call.args if len(argument.items) == 2]
    return []


def _names_variables(call: ScriptCall, facts: ScriptFacts) -> bool:
    text = facts.script[call.start : call.end]
    return any(re.search(rf"\b{re.escape(variable.name)}\b", text) for variable in facts.variables)


def voice_id(number: int) -> str:
    return f"voice_{number}"


def voice_part(number: int, place: VoicePlace, facts: ScriptFacts) -> VoicePart:
    calls = [call for call in facts.calls if place.start <= call.name_start < place.end]
    calls += [facts.calls[index] for index in place.outer]
    sounds = _sounds(calls, facts)
    effects = list(dict.fromkeys(call.name for call in calls if call.name and call.is_method and call.name in EFFECTS))
    instruments = list(dict.fromkeys(sound.instrument for sound in sounds))
    return VoicePart(
        id=voice_id(number),
        name=place.name,
        lines=[facts.line_column(place.start)[0], facts.line_column(max(place.end - 1, place.start))[0]],
        type=_type(place, calls, sounds, facts),
        instrument=_instrument(instruments),
        instruments=sounds,
        pattern=facts.script[place.start : place.end],
        effects=effects,
        is_muted=place.is_muted,
    )


def _instrument(instruments: list[str]) -> str | None:
    if len(instruments) < 2:
        return instruments[0] if instruments else None
    return "drums" if DRUMS.issuperset(instruments) else instruments[0]


def _sounds(calls: Iterable[ScriptCall], facts: ScriptFacts) -> list[SoundPlace]:
    """Return the sounds of a voice: the words of `s(...)` and of strings whose method is `s()`."""
    found = []
    for call in calls:
        if call.name not in ("s", "sound", "piano"):
            continue
        if call.name == "piano":
            found.append(_sound("piano", call.name_start, facts))
        names: list[tuple[int, str]] = []
        source = call.args[0] if call.args else call.receiver
        if source is not None and source.kind == "mini" and source.index is not None:
            names = [(start, text) for start, _, text in facts.strings[source.index].leaves]
        elif source is not None and source.kind == "string" and isinstance(source.value, str):
            names = [(source.start or call.name_start, source.value)]
        found += [_sound(text, start, facts) for start, text in names if re.match(r"[A-Za-z]", text)]
    seen: dict[tuple[str, str], SoundPlace] = {}
    for sound in found:
        seen.setdefault((sound.instrument, sound.sound), sound)
    return list(seen.values())


def _sound(text: str, start: int, facts: ScriptFacts) -> SoundPlace:
    line, column = facts.line_column(start)
    return SoundPlace(instrument=instrument_of(text), sound=text, line=line, column=column)


def _type(place: VoicePlace, calls: list[ScriptCall], sounds: list[SoundPlace], facts: ScriptFacts) -> VoiceType:
    name = (place.name or "").lower()
    names = [sound.sound for sound in sounds]
    drums = [sound for sound in names if drum_of(sound)]
    if drums and len(drums) * 2 >= len(names):
        return "rhythm"
    if names and all(sound.lower() in NOISES for sound in names):
        return "rhythm" if _is_short(calls) else "fx"
    if (names and all(sound.split(":")[0].lower() in FX_SOUNDS for sound in names)) or re.search(
        r"fx|riser|sweep", name
    ):
        return "fx"
    if re.search(r"bass|sub\b", name) or any(is_bass(sound) for sound in names):
        return "bass"
    if re.search(r"drum|perc|beat|hat|kick|snare|clap", name):
        return "rhythm"
    if re.search(r"pad|atmo|drone|texture|ambient|string", name) or any(is_pad(sound) for sound in names):
        return "texture"
    if re.search(r"lead|melod|arp|chord|piano|keys", name):
        return "melody"
    heights = _heights(calls, facts)
    if heights and sorted(heights)[len(heights) // 2] < _LOW:
        return "bass"
    if _attack(calls) >= _LONG_S and any(call.name in ("chord", "voicing", "voicings") for call in calls):
        return "texture"
    if any(call.name in ("note", "n", "chord", "freq", "scale", "voicing") for call in calls):
        return "melody"
    return "rhythm" if any(call.name in ("s", "sound", "struct", "euclid") for call in calls) else "texture"


def _attack(calls: Iterable[ScriptCall]) -> float:
    return max(
        (
            float(call.args[0].value or 0)
            for call in calls
            if call.name in ("attack", "att") and call.args and call.args[0].kind == "number"
        ),
        default=0.0,
    )


def _is_short(calls: Iterable[ScriptCall]) -> bool:
    return any(call.name in ("decay", "dec", "clip", "struct", "euclid") for call in calls)


def _heights(calls: Iterable[ScriptCall], facts: ScriptFacts) -> list[int]:
    """Return the notes of a voice as MIDI numbers, as far as they are written as names or numbers."""
    found = []
    moved = 0
    base = None
    for call in calls:
        if not call.args or call.args[0].kind not in ("mini", "string", "number"):
            continue
        argument = call.args[0]
        if call.name == "note":
            leaves = facts.strings[argument.index].leaves if argument.index is not None else []
            found += [height for _, _, word in leaves if (height := _height(word)) is not None]
        elif call.name == "scale" and (scale := parse_scale(str(argument.value).lstrip("<["))):
            base = note_number(f"{scale.tonic}{'' if scale.octave is None else scale.octave}")
        elif call.name == "octave" and argument.kind == "number":
            moved = 12 * (int(float(argument.value or 3)) - 3)
        elif call.name in ("sub", "transpose", "add") and re.fullmatch(r"-?\d+", str(argument.value)):
            step = int(str(argument.value)) * (-1 if call.name == "sub" else 1)
            moved += step if abs(step) >= 12 else 0
    if not found and base is not None:
        found = [base + 4]
    return [height + moved for height in found]


def _height(word: str) -> int | None:
    found = note_number(word)
    return found if found is not None or not re.fullmatch(r"\d{2,3}", word) else int(word)
