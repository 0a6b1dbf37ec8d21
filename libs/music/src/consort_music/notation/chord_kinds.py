"""Chord symbols as MusicXML writes them: a root, a kind out of a fixed list, the bass, and the text that is shown.

The text is kept as it was typed, so that it reads back the same; the kind is for programs that play or analyse.
"""

import re
from xml.sax.saxutils import quoteattr

from consort_music.chords import parse_chord
from consort_music.errors import MusicError

_SYMBOL = re.compile(r"([A-G])([#♯]{1,2}|[b♭]{1,2})?(.*?)(?:/([A-G])([#♯]{1,2}|[b♭]{1,2})?)?", re.DOTALL)
_KINDS = {
    "major": ("", "M", "maj", "major"),
    "minor": ("m", "-", "min", "mi", "minor"),
    "augmented": ("+", "aug"),
    "diminished": ("dim", "°", "o"),
    "dominant": ("7", "dom7"),
    "major-seventh": ("maj7", "M7", "Δ", "Δ7", "ma7", "major7"),
    "minor-seventh": ("m7", "-7", "min7", "mi7"),
    "diminished-seventh": ("dim7", "°7", "o7"),
    "augmented-seventh": ("+7", "aug7", "7#5"),
    "half-diminished": ("m7b5", "ø", "ø7", "-7b5", "min7b5"),
    "major-minor": ("mM7", "mmaj7", "m(maj7)", "-Δ7", "-maj7", "mΔ7"),
    "major-sixth": ("6", "maj6", "M6"),
    "minor-sixth": ("m6", "-6", "min6"),
    "dominant-ninth": ("9",),
    "major-ninth": ("maj9", "M9", "Δ9"),
    "minor-ninth": ("m9", "-9", "min9"),
    "dominant-11th": ("11",),
    "major-11th": ("maj11", "M11"),
    "minor-11th": ("m11", "-11", "min11"),
    "dominant-13th": ("13",),
    "major-13th": ("maj13", "M13"),
    "minor-13th": ("m13", "-13", "min13"),
    "suspended-second": ("sus2",),
    "suspended-fourth": ("sus4", "sus"),
    "power": ("5",),
}
_KIND_OF = {text: kind for kind, texts in _KINDS.items() for text in texts}
_NO_CHORD = ("N.C.", "NC", "N.C", "n.c.")
_DEGREE_SIGNS = {-1: "b", 0: "", 1: "#"}


def harmony(symbol: str) -> str:
    """The element for a chord symbol, with `<offset/>` where an offset may stand; other text is written as words."""
    if symbol.strip() in _NO_CHORD:
        return f"<harmony><root><root-step>C</root-step></root>{_kind(symbol.strip(), 'none')}<offset/></harmony>\n"
    match = _SYMBOL.fullmatch(symbol.strip())
    if match is None:
        text = quoteattr(_printable(symbol))[1:-1]
        return f"<direction><direction-type><words>{text}</words></direction-type><offset/></direction>\n"
    step, accidental, suffix, bass, bass_accidental = match.groups()
    kind = _KIND_OF.get(suffix, "other")
    low = f"<bass>{_tone('bass', bass, bass_accidental)}</bass>" if bass else ""
    return f"<harmony><root>{_tone('root', step, accidental)}</root>{_kind(suffix, kind)}{low}<offset/></harmony>\n"


def chord_suffix(kind: str, text: str | None, degrees: list[tuple[int, int, str]]) -> str:
    """What follows the root in a symbol: the text where there is one that can be read, else what the kind is called;
    then the added, altered and left-out degrees (number, alteration, add | alter | subtract) that it does not name."""
    names = _KINDS.get(kind)
    suffix = text if text and (names is None or _is_readable(text)) else (names or ("",))[0]
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


def _tone(of: str, step: str, accidental: str | None) -> str:
    sign = (accidental or "").replace("♯", "#").replace("♭", "b")
    alter = sign.count("#") - sign.count("b")
    return f"<{of}-step>{step}</{of}-step>" + (f"<{of}-alter>{alter}</{of}-alter>" if alter else "")


def _kind(text: str, kind: str) -> str:
    return f"<kind text={quoteattr(_printable(text))}>{kind}</kind>"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
