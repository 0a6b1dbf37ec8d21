"""Chords that the engine does not know: it plays nothing for them."""

import re
from collections.abc import Iterator

from consort_strudel.engine import ScriptFacts
from consort_strudel.validation.arguments import words_of
from consort_strudel.validation.finding import ScriptFinding, warning
from consort_strudel.validation.spelling import nearest

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
_OWN_CHORDS = frozenset(("addVoicings", "registerVoicings"))


def unknown_chords(facts: ScriptFacts, symbols: frozenset[str]) -> Iterator[ScriptFinding]:
    """Yield a warning for each word of `chord(...)` that is silent, unless the script adds chords."""
    if any(call.name in _OWN_CHORDS for call in facts.calls):
        return
    for call in facts.calls:
        if call.name != "chord" or not call.args:
            continue
        for start, word in words_of(call.args[0], facts):
            if problem := _problem(word, symbols):
                yield warning(start, f"The chord '{word}' is unknown, so it is silent.", problem)


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
