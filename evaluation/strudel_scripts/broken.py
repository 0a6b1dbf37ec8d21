"""Valid scripts, broken on purpose in one place, with the place and what was meant."""

import random
import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from consort_strudel.engine import ScriptFacts


class BrokenScript(NamedTuple):
    kind: str
    script: str
    places: tuple[int, ...]
    """Offsets that are right for the error."""
    meant: str | None = None
    """The name before it was misspelled."""


Breaker = Callable[[ScriptFacts, random.Random, Collection[str]], BrokenScript | None]
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_REMOVED = (
    "stutter", "whenmod", "foldEvery", "juxby", "toScale", "nTake", "rolled", "smash", "unDegradeBy", "soak", "gap",
    "rot8", "swingy", "reverb", "lowpass", "highpass", "volume", "sidechain", "addReverb", "setVolume", "transposeBy",
)  # fmt: skip
_TOO_MUCH = {
    "gain": "9", "pan": "4", "lpf": "90000", "hpf": "-50", "attack": "-1", "release": "-.5", "sustain": "7",
    "delayfeedback": "1.5", "begin": "2", "end": "-1", "room": "40", "size": "0", "crush": "40", "coarse": "-2",
    "degradeBy": "3", "speed": "99", "shape": "2", "delay": "5", "clip": "-1", "djf": "3", "lpq": "500",
    "decay": "-.2", "fm": "-4", "orbit": "-1", "distort": "99",
}  # fmt: skip
_SILENT = {"gain": "0", "speed": "0", "clip": "0", "crush": "0", "velocity": "0", "postgain": "0", "fast": "0"}
_NOT_A_FUNCTION = {"jux": '"rev"', "superimpose": "2", "sometimes": '"fast"', "off": '.25, "up"', "every": '4, "rev"'}


def misspelled(word: str, rng: random.Random) -> str:
    """Return a word with one typical typing error."""
    place = rng.randrange(len(word))
    kind = rng.choice(("swap", "drop", "double", "other"))
    if kind == "swap" and place + 1 < len(word):
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    if kind == "drop" and len(word) > 2:
        return word[:place] + word[place + 1 :]
    if kind == "double":
        return word[:place] + word[place] + word[place:]
    return word[:place] + rng.choice(_LETTERS) + word[place + 1 :]


def _function_typo(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    calls = [call for call in facts.calls if call.name and len(call.name) > 2 and not call.is_property]
    if not calls:
        return None
    call = rng.choice(calls)
    assert call.name is not None
    wrong = misspelled(call.name, rng)
    if wrong in known or not wrong.isidentifier():
        return None
    return BrokenScript(
        "function typo", _put(facts.script, call.name_start, call.name, wrong), (call.name_start,), call.name
    )


def _sound_typo(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    words = [
        (start, text)
        for call in facts.calls
        if call.name in ("s", "sound") and call.args and call.args[0].kind == "mini" and call.args[0].index is not None
        for start, _, text in facts.strings[call.args[0].index].leaves
        if re.fullmatch(r"[a-z_0-9]*[a-z][a-z_0-9]*", text) and len(text) > 1
    ]
    if not words:
        return None
    start, text = rng.choice(words)
    wrong = misspelled(text, rng)
    if wrong.lower() in known or not re.fullmatch(r"[a-z]\w*", wrong):
        return None
    return BrokenScript("sound typo", _put(facts.script, start, text, wrong), (start,), text)


def _bracket(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    calls = [call for call in facts.calls if call.args and not call.is_property]
    if not calls:
        return None
    call = rng.choice(calls)
    opener = facts.script.index("(", call.name_start)
    if rng.random() < 0.5:
        script = _cut(facts.script, call.end - 1)
        places = [  # of brackets that close side by side, it does not matter which is cut: the text is the same
            place
            for other in calls
            if _cut(facts.script, other.end - 1) == script
            for place in (facts.script.index("(", other.name_start), other.end - 1)
        ]
        return BrokenScript("bracket in JavaScript", script, tuple(places))
    return BrokenScript("bracket in JavaScript", _cut(facts.script, opener), (opener, call.end - 2, call.name_start))


def _mini_bracket(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    strings = [string for string in facts.strings if string.is_mini and re.search(r"[\[\]<>()]", string.value)]
    if not strings:
        return None
    string = rng.choice(strings)
    place = rng.choice([match.start() for match in re.finditer(r"[\[\]<>()]", string.value)])
    return BrokenScript(
        "bracket in mini-notation",
        _cut(facts.script, string.start + 1 + place),
        tuple(range(string.start, string.end)),
    )


def _wrong_kind(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    if rng.random() < 0.4:
        name = rng.choice(sorted(_NOT_A_FUNCTION))
        return _appended(facts, "wrong kind", f".{name}({_NOT_A_FUNCTION[name]})")
    return _argument(facts, rng, "wrong kind", dict.fromkeys(_TOO_MUCH, rng.choice(('"loud"', "'high'", '"abc"'))))


def _out_of_range(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    return _argument(facts, rng, "out of range", _TOO_MUCH) or _new_call(facts, rng, "out of range", _TOO_MUCH)


def _silent(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    return _new_call(facts, rng, "silent", _SILENT)


def _quotes(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    strings = [
        string
        for string in facts.strings
        if string.quote == '"' and string.parent is not None and re.search(r"[\w~] +[\w~\[<]|[*<\[]", string.value)
        and "'" not in string.value and "\n" not in string.value and facts.calls[string.parent].name != "scale"
    ]  # fmt: skip
    if not strings:
        return None
    string = rng.choice(strings)
    script = facts.script[: string.start] + f"'{string.value}'" + facts.script[string.end :]
    return BrokenScript("quotes", script, (string.start,))


def _address_in_double_quotes(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    return BrokenScript("quotes", f'samples("github:tidalcycles/Dirt-Samples")\n{facts.script}', (8,))


def _removed(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    name = rng.choice(_REMOVED)
    return None if name in known else _appended(facts, "removed function", f".{name}(2)")


def _bad_note(facts: ScriptFacts, rng: random.Random, known: Collection[str]) -> BrokenScript | None:
    words = [
        (start, text)
        for call in facts.calls
        if call.name == "note" and call.args and call.args[0].kind == "mini" and call.args[0].index is not None
        for start, _, text in facts.strings[call.args[0].index].leaves
        if re.fullmatch(r"[a-g][#b]?\d", text)
    ]
    if not words:
        return None
    start, text = rng.choice(words)
    return BrokenScript("bad note", _put(facts.script, start, text, rng.choice(("h3", "c12", "j4", "cc3"))), (start,))


_BREAKERS: Sequence[tuple[Breaker, int]] = (
    (_function_typo, 6),
    (_sound_typo, 4),
    (_bracket, 3),
    (_mini_bracket, 3),
    (_wrong_kind, 3),
    (_out_of_range, 3),
    (_silent, 2),
    (_quotes, 2),
    (_address_in_double_quotes, 1),
    (_removed, 2),
    (_bad_note, 2),
)


def broken_scripts(
    scripts: Sequence[ScriptFacts], count: int, known: Collection[str], seed: int = 16
) -> list[BrokenScript]:
    """Return scripts that are broken in one place each. `known` are the names that would not be errors."""
    rng = random.Random(seed)
    breakers = [breaker for breaker, weight in _BREAKERS for _ in range(weight)]
    found: list[BrokenScript] = []
    while len(found) < count:
        broken = rng.choice(breakers)(rng.choice(scripts), rng, known)
        if broken is not None:
            found.append(broken)
    return found


def _put(script: str, start: int, old: str, new: str) -> str:
    return script[:start] + new + script[start + len(old) :]


def _cut(script: str, place: int) -> str:
    return script[:place] + script[place + 1 :]


def _argument(facts: ScriptFacts, rng: random.Random, kind: str, values: dict[str, str]) -> BrokenScript | None:
    """Return the script with another argument for a call that it has."""
    calls = [
        call for call in facts.calls if call.name in values and len(call.args) == 1 and call.args[0].kind == "number"
    ]
    if not calls:
        return None
    call = rng.choice(calls)
    argument = call.args[0]
    script = facts.script[: argument.start] + values[call.name or ""] + facts.script[argument.end :]
    return BrokenScript(kind, script, (argument.start, argument.start + 1, call.name_start))


def _new_call(facts: ScriptFacts, rng: random.Random, kind: str, values: dict[str, str]) -> BrokenScript | None:
    name = rng.choice(sorted(values))
    return _appended(facts, kind, f".{name}({values[name]})")


def _appended(facts: ScriptFacts, kind: str, call: str) -> BrokenScript | None:
    """Return the script with another call at the end of its last statement."""
    statement = facts.statements[-1]
    if statement.value.kind != "call":
        return None
    end = statement.end - (facts.script[statement.end - 1] == ";")
    first = end + 1
    places = (first, first + call.index("("), *(first + place for place in range(len(call))))
    return BrokenScript(kind, facts.script[:end] + call + facts.script[end:], places)
