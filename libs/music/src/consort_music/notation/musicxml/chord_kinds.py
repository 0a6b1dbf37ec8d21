"""Convert chord symbols to and from MusicXML, which has a root, a kind from a fixed list, a bass, and a shown text.

The text is the suffix as typed, so that a symbol does not change when it is written and read. The kind is for programs
that play or analyse chords.
"""

import re

from consort_music.chords.grammar import parse_chord, split_symbol
from consort_music.chords.symbol import NoteName
from consort_music.errors import MusicError
from consort_music.texts.visible_text import visible_line
from consort_music.texts.xml_escapes import quote_attribute

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
    """Return the element of a chord symbol, with `<offset/>` as a placeholder. Other text becomes a words element."""
    kind = _kind_of(symbol)
    if kind == "none":
        return f"<harmony><root><root-step>C</root-step></root>{_kind(symbol.strip(), kind)}<offset/></harmony>\n"
    written = split_symbol(symbol)
    if written is None:
        text = quote_attribute(visible_line(symbol))[1:-1]
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
    """Return the suffix of a chord symbol for a kind, its text and its degrees.

    The suffix is the text if that is readable, otherwise that of the kind. Degrees that it does not contain are added.
    `degrees` are (number, alteration, "add" | "alter" | "subtract").
    """
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
    return f"<kind text={quote_attribute(visible_line(text))}>{kind}</kind>"
