"""Chord symbols as MusicXML writes them: a root, a kind out of a fixed list, the bass, and the text that is shown.

The text is kept as it was typed, so that it reads back the same; the kind is for programs that play or analyse.
"""

import re
from xml.sax.saxutils import quoteattr

from consort_music.chords import NoteName, parse_chord
from consort_music.chords.grammar import split_symbol
from consort_music.errors import MusicError

_SUFFIXES = {
    "major": "",
    "minor": "m",
    "augmented": "aug",
    "diminished": "dim",
    "dominant": "7",
    "major-seventh": "maj7",
    "minor-seventh": "m7",
    "diminished-seventh": "dim7",
    "augmented-seventh": "7#5",
    "half-diminished": "m7b5",
    "major-minor": "m(maj7)",
    "major-sixth": "6",
    "minor-sixth": "m6",
    "dominant-ninth": "9",
    "major-ninth": "maj9",
    "minor-ninth": "m9",
    "dominant-11th": "11",
    "major-11th": "maj11",
    "minor-11th": "m11",
    "dominant-13th": "13",
    "major-13th": "maj13",
    "minor-13th": "m13",
    "suspended-second": "sus2",
    "suspended-fourth": "sus4",
    "power": "5",
}
"""The canonical suffix of each kind."""
_KINDS = {suffix: kind for kind, suffix in _SUFFIXES.items()}
_DEGREE_SIGNS = {-1: "b", 0: "", 1: "#"}


def harmony(symbol: str) -> str:
    """The element for a chord symbol, with `<offset/>` where an offset may stand; other text is written as words."""
    kind = _kind_of(symbol)
    if kind == "none":
        return f"<harmony><root><root-step>C</root-step></root>{_kind(symbol.strip(), kind)}<offset/></harmony>\n"
    written = split_symbol(symbol)
    if written is None:
        text = quoteattr(_printable(symbol))[1:-1]
        return f"<direction><direction-type><words>{text}</words></direction-type><offset/></direction>\n"
    low = f"<bass>{_tone('bass', written.bass)}</bass>" if written.bass else ""
    root = f"<root>{_tone('root', written.root)}</root>"
    return f"<harmony>{root}{_kind(written.suffix, kind)}{low}<offset/></harmony>\n"


def _kind_of(symbol: str) -> str:
    try:
        chord = parse_chord(symbol)
    except MusicError:
        return "other"
    return "none" if chord.is_no_chord else _KINDS.get(chord.suffix, "other")


def chord_suffix(kind: str, text: str | None, degrees: list[tuple[int, int, str]]) -> str:
    """What follows the root in a symbol: the text where there is one that can be read, else what the kind is called;
    then the added, altered and left-out degrees (number, alteration, add | alter | subtract) that it does not name."""
    name = _SUFFIXES.get(kind)
    suffix = text if text and (name is None or _is_readable(text)) else name or ""
    for number, alter, how in degrees:
        if text and re.search(rf"(?<![0-9]){number}(?![0-9])", suffix):
            continue
        sign = _DEGREE_SIGNS.get(alter, "")
        if how == "subtract":
            suffix += f"no{number}"
        elif how == "alter" or sign:
            suffix += f"{sign or ''}{number}"
        else:
            suffix += f"add{number}"
    return suffix


def _is_readable(suffix: str) -> bool:
    try:
        parse_chord(f"C{suffix}")
    except MusicError:
        return False
    return True


def _tone(of: str, name: NoteName) -> str:
    alter = f"<{of}-alter>{name.alter}</{of}-alter>" if name.alter else ""
    return f"<{of}-step>{name.step}</{of}-step>{alter}"


def _kind(text: str, kind: str) -> str:
    return f"<kind text={quoteattr(_printable(text))}>{kind}</kind>"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
