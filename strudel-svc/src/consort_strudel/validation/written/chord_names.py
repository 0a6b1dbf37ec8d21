"""Chords that the engine does not know: it plays nothing for them."""

import re
from collections.abc import Iterator, Mapping

from consort_strudel.engine import ScriptCall, ScriptFacts
from consort_strudel.validation.finding import ScriptFinding, warning
from consort_strudel.validation.spelling import nearest
from consort_strudel.validation.written.arguments import words_of

_CHORD = re.compile(r"^([A-G][b#]*)([^/]*)(/[A-G][b#]*)?$")
_OTHER_SPELLINGS = (
    ("mmaj", "m^"),
    ("minmaj", "m^"),
    ("major", "^"),
    ("maj", "^"),
    ("minor", "m"),
    ("min", "m"),
    ("sus4", "sus"),
    ("sus2", "2"),
    ("add2", "add9"),
    ("dim", "o"),
    ("dom", ""),
    ("aug7", "7#5"),
    ("+7", "7#5"),
    ("6/9", "69"),
    ("ø", "h"),
)
"""How other programs write a part of a chord symbol, and how the engine does."""
_OWN_CHORDS = frozenset(("addVoicings", "registerVoicings", "voicingAlias"))
_DICTIONARY = frozenset(("dict", "dictionary"))
_USUAL_DICTIONARY = "ireal"


def unknown_chords(facts: ScriptFacts, voicings: Mapping[str, frozenset[str]]) -> Iterator[ScriptFinding]:
    """Yield a warning for each word of `chord(...)` that is silent, and for dictionaries of voicings that do not exist.

    `voicings` are the symbols of each dictionary. Scripts that add chords get no warning.
    """
    if any(call.name in _OWN_CHORDS for call in facts.calls):
        return
    usual = next((_text(call, facts) for call in facts.calls if call.name == "setDefaultVoicings"), _USUAL_DICTIONARY)
    dictionaries = _dictionaries_of_chords(facts)
    for place, call in enumerate(facts.calls):
        if not call.args:
            continue
        if call.name in _DICTIONARY and (name := _text(call, facts)) is not None and name not in voicings:
            yield warning(
                call.args[0].start + 1,
                f"There is no dictionary of voicings '{name}', so its chords are silent.",
                f"Use {', '.join(voicings)}, or leave it out.",
            )
        elif call.name == "chord":
            name = dictionaries.get(place, usual)
            if name is not None and name in voicings:
                yield from _silent_words(call, facts, name, voicings)


def _silent_words(
    call: ScriptCall, facts: ScriptFacts, dictionary: str, voicings: Mapping[str, frozenset[str]]
) -> Iterator[ScriptFinding]:
    symbols = voicings[dictionary]
    for start, word in words_of(call.args[0], facts):
        problem = _problem(word, symbols)
        if problem is None:
            continue
        if dictionary != _USUAL_DICTIONARY and _problem(word, voicings[_USUAL_DICTIONARY]) is None:
            yield warning(
                start,
                f"The dictionary '{dictionary}' has no voicing of '{word}', so it is silent.",
                f"It has these symbols: {', '.join(symbol or 'major' for symbol in sorted(symbols))}. "
                f"Use one of them, or the dictionary '{_USUAL_DICTIONARY}'.",
            )
        else:
            yield warning(start, f"The chord '{word}' is unknown, so it is silent.", problem)


def _dictionaries_of_chords(facts: ScriptFacts) -> dict[int, str | None]:
    """Return the dictionary of each call of `chord` that has one: `chord("C").dict("triads")`, the reverse, or through
    a variable. It is None if it cannot be known."""
    chords_of_variables: dict[str, list[int]] = {variable.name: [] for variable in facts.variables}
    names = {variable.statement: variable.name for variable in facts.variables}
    for place, call in enumerate(facts.calls):
        if call.name == "chord" and call.statement in names:
            chords_of_variables[names[call.statement]].append(place)
    found: dict[int, str | None] = {}
    for place, call in enumerate(facts.calls):
        if call.name not in _DICTIONARY and call.name != "chord":
            continue
        other, variable = _before(facts, call)
        if call.name == "chord":
            if other is not None and facts.calls[other].name in _DICTIONARY:
                found[place] = _text(facts.calls[other], facts)
        elif other is not None and facts.calls[other].name == "chord":
            found[other] = _text(call, facts)
        elif variable is not None:
            for chord in chords_of_variables.get(variable, ()):
                found.setdefault(chord, _text(call, facts))
    return found


def _before(facts: ScriptFacts, call: ScriptCall) -> tuple[int | None, str | None]:
    """Return the nearest `chord` or `dict` before a call in its chain, or the variable with which the chain begins."""
    receiver = call.receiver
    while receiver is not None and receiver.kind == "call" and receiver.index is not None:
        before = facts.calls[receiver.index]
        if before.name == "chord" or before.name in _DICTIONARY:
            return receiver.index, None
        receiver = before.receiver
    return None, receiver.name if receiver is not None and receiver.kind == "name" else None


def _text(call: ScriptCall, facts: ScriptFacts) -> str | None:
    """Return the only word of a call's first argument, or None if that is not one word."""
    if not call.args:
        return None
    argument = call.args[0]
    if argument.kind == "string":
        return str(argument.value)
    words = words_of(argument, facts)
    return words[0][1] if len(words) == 1 else None


def _problem(word: str, symbols: frozenset[str]) -> str | None:
    """Return what to write instead of a word, or None if it is a chord."""
    found = _CHORD.match(word)
    if found is None:
        return "A chord is a root in capitals and a symbol: C, F#m7, Bb^7, G7sus."
    root, symbol = found[1], found[2]
    if symbol in symbols:
        return None
    for theirs, ours in _OTHER_SPELLINGS:
        if (other := symbol.replace(theirs, ours)) != symbol and other in symbols:
            return f"Did you mean '{root}{other}'?"
    near = [name for name in nearest(symbol, symbols) if name]
    if near:
        return f"Did you mean '{root}{near[0]}'?"
    return f"Symbols are, for example: {root}, {root}m, {root}7, {root}^7, {root}m7, {root}sus, {root}o, {root}m7b5."
