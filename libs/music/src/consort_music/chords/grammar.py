"""Read chord symbols.

    symbol    root [quality] [number] tail* [/bass]        or N.C.
    root      A-G, then # ## b bb (♯ ♭ 𝄪 𝄫, "flat", "sharp"); a-g where the quality is written out (am7, ebmaj7)
    quality   maj Mj ma M ^ Δ j | min mi m - | dim ° o 0 | ø h | aug + | dom
    number    2 4 5 6 69 7 9 11 13, 7M
    tail      sus…, add…, no…/omit…, alt, b5 #5 b9 #9 #11 b13 … with signs b # + -, (maj7), numbers in parentheses

- The accidental after the letter belongs to the root: `Bb7` is B flat seven, and `B(b5)` needs its parentheses.
- `-` means minor. Only before a number in the tail it means flat (`C7-9`).
- Text that musicians read in two ways is an error that suggests both spellings. Unknown text at the end is an error.
- Signs may stand behind their numbers at the end (`D79b`). Parentheses around the whole symbol are left out: `(Am7)`.
- A chord in parentheses after a symbol is an alternative: `G7(Db7)`. The first is read; `alternative` has the other.
- 79b13 is 7(b9,13): charts that write 79 for a ninth write each sign behind its number.
- A colon may end the root: `Abb:9`. `C2` is add9 and `C4` is sus4. A number in parentheses is an added tone: `C(9)`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from consort_music.chords.suffix import ChordSyntaxError, SuffixReader
from consort_music.chords.suggestions import nearest_symbols
from consort_music.chords.symbol import ChordSymbol, NoteName, note_text
from consort_music.errors import MusicError, quoted

_LONGEST = 40
_SUGGESTIONS = 4
_EXAMPLES = ("C", "Am7", "Bbmaj7", "F#m7b5")
_SAME = str.maketrans(
    {
        "♭": "b", "♯": "#", "𝄫": "bb", "𝄪": "##", "Δ": "^", "∆": "^", "△": "^", "▵": "^", "Ø": "ø", "⌀": "ø", "∅": "ø",
        "º": "°", "˚": "°", "○": "°", "⁺": "+", "[": "(", "]": ")",
        "\N{FRACTION SLASH}": "/", "₆": "6", "₇": "7", "₉": "9",
        "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁹": "9",
    }
    | dict.fromkeys(("\N{MINUS SIGN}", "\N{EN DASH}", "\N{EM DASH}", "\N{HYPHEN}", "\N{NON-BREAKING HYPHEN}", "⁻"), "-")
)  # fmt: skip
_NO_CHORD = re.compile(r"N[./]? ?C\.?|N|no ?chord", re.IGNORECASE)
_LOWER_ROOT = r"[a-g](?=(?:bb|##|b|#|[ -]?(?:flat|sharp))? ?(?:[mM]|dim|sus|aug|°|ø))"
_ROOT = re.compile(rf"([A-G]|{_LOWER_ROOT})(?:(bb|##|b|#)|[ -]?(flat|sharp)(?![a-z]))?(?::(?=.))?")
_SLASH_BASS = re.compile(r"(?:/| ?on) ?([A-G]) ?(bb|##|b|#|flat|sharp)?$")
_TWO_READINGS = (
    ("9/6", "9/6 can mean a sixth chord with a ninth, or a ninth chord with a thirteenth", "6/9", "13"),
    ("6+9", "6+9 can mean a sixth and a ninth, or a sharp ninth", "6/9", "6#9"),
    ("6-9", "6-9 can mean a sixth and a ninth, or a flat ninth", "6/9", "6b9"),
    ("mj7", "mj7 can mean a major seventh chord, or a minor one with a major seventh", "maj7", "m(maj7)"),
)
_ALTERNATIVE = re.compile(r"[A-G](?!dd|lt|ug)")
"""The first letters of a chord in parentheses, but not of Add, Alt or Aug."""
_LIST_IN_PARENTHESES = re.compile(r"(?<=[0-9]) +(?=[b#+-]?[0-9][^(]*\))")
_ABBREVIATION_POINT = re.compile(r"(?<=[a-z])\.")
_ALTERS = {None: 0, "": 0, "b": -1, "bb": -2, "#": 1, "##": 2, "flat": -1, "sharp": 1}


class WrittenSymbol(NamedTuple):
    """A symbol split into its parts. `suffix` is the text as it was typed."""

    root: NoteName
    suffix: str
    bass: NoteName | None


@lru_cache(maxsize=4096)
def parse_chord(symbol: str) -> ChordSymbol:
    """Read a chord symbol such as `Cmaj7`, `Bb-7`, `F#ø/A` or `N.C.`. Raise INVALID_CHORD_SYMBOL for other text."""
    if len(symbol) > _LONGEST:
        raise MusicError(
            "INVALID_CHORD_SYMBOL",
            f"{quoted(symbol)} is too long for a chord symbol. Write one chord of at most {_LONGEST} characters, "
            "such as Cmaj7.",
            ("Cmaj7",),
        )
    text = _without_parentheses(" ".join(symbol.split())).translate(_SAME)
    try:
        first, other = _alternatives(text)
        return _parse(text) if other is None else replace(_parse(first), alternative=_parse(other).name)
    except ChordSyntaxError as error:
        meant = _suggest(text, error.meant)
        reason = error.reason
        hint = f"Did you mean {_listed(meant)}?" if meant else f"Write one such as {_listed(_EXAMPLES)}."
    raise MusicError(
        "INVALID_CHORD_SYMBOL",
        f"{quoted(symbol)} is not a chord symbol: {reason}. {hint}",
        meant or _EXAMPLES,
    )


def _listed(symbols: Sequence[str]) -> str:
    return ", ".join(symbols[:-1]) + f" or {symbols[-1]}" if len(symbols) > 1 else symbols[0]


def split_symbol(symbol: str) -> WrittenSymbol | None:
    """Split a symbol into root, suffix and bass, without reading the suffix. Return None if it has no root."""
    typed = _without_parentheses(" ".join(symbol.split()))
    if _alternatives(typed.translate(_SAME))[1]:
        typed = typed[: typed.rfind("[" if typed.endswith("]") else "(")].rstrip()
    text = typed.translate(_SAME)
    places = [place for place, letter in enumerate(typed) for _ in letter.translate(_SAME)] + [len(typed)]
    root = _ROOT.match(text)
    if root is None:
        return None
    bass = _SLASH_BASS.search(text, root.end())
    suffix = typed[places[root.end()] : places[bass.start()] if bass else len(typed)]
    return WrittenSymbol(_root_name(root), suffix.rstrip() if bass else suffix, _bass_name(bass))


def _without_parentheses(text: str) -> str:
    """Remove parentheses around the whole text."""
    inside = text[1:-1].replace("[", "(").replace("]", ")")
    is_one_pair = text[:1] + text[-1:] in ("()", "[]") and inside.find(")") >= inside.find("(")
    return text[1:-1].strip() if is_one_pair else text


def _alternatives(text: str) -> tuple[str, str | None]:
    """Split `G7(Db7)` into both symbols. If the parentheses contain no chord, return the text and None."""
    at = text.rfind("(")
    if at < 1 or not text.endswith(")") or not _ALTERNATIVE.match(text, at + 1):
        return text, None
    return text[:at].rstrip(), text[at + 1 : -1]


def _root_name(match: re.Match[str]) -> NoteName:
    return NoteName(match[1].upper(), _ALTERS[match[2] or match[3]])


def _bass_name(match: re.Match[str] | None) -> NoteName | None:
    return NoteName(match[1], _ALTERS[match[2]]) if match else None


def _suggest(text: str, meant: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for candidate in (*meant, *nearest_symbols(text)):
        if candidate in found:
            continue
        try:
            _parse(candidate)
        except ChordSyntaxError:
            continue
        found.append(candidate)
        if len(found) == _SUGGESTIONS:
            break
    return found


def _parse(text: str) -> ChordSymbol:
    if _NO_CHORD.fullmatch(text):
        return ChordSymbol("N.C.", "", "no_chord", None, None, (), (), frozenset())
    root_match = _ROOT.match(text)
    if root_match is None:
        raise ChordSyntaxError(_why_no_root(text))
    root = _root_name(root_match)
    rest = _LIST_IN_PARENTHESES.sub(",", text[root_match.end() :])
    for written, reason, *meant in _TWO_READINGS:
        if written in rest:
            raise ChordSyntaxError(reason, *(note_text(root) + rest.replace(written, other) for other in meant))
    if re.match(r" [b#]", rest) or re.search(r"\d \d", rest):
        written, rest = note_text(root), rest.strip()
        closed_up = written + rest.replace(" ", "")
        raise ChordSyntaxError(
            "with the space it can be read in two ways; remove the space or use parentheses",
            closed_up,
            f"{written}7{rest}",
            f"{written}({rest})",
        )
    if root_match[2] in ("bb", "##") and not root_match[0].endswith(":") and re.match(r"5|9|11|13", rest):
        sign = root_match[2][0]
        raise ChordSyntaxError(
            "the second accidental can belong to the root or to the number; use parentheses",
            f"{root.step}{sign}({sign}{rest})",
        )
    if root_match[3] and re.match(r" ?5(?!\d)", rest):
        sign = "b" if root_match[3] == "flat" else "#"
        raise ChordSyntaxError(
            f"'{root_match[3]}' can belong to the root or to the 5",
            f"{note_text(root)}5",
            f"{root.step}({sign}5)",
        )
    rest = _ABBREVIATION_POINT.sub("", rest.replace(" ", ""))
    slash = _SLASH_BASS.search(rest)
    if slash:
        rest = rest[: slash.start()]
    formula = SuffixReader(note_text(root), rest).read()
    return ChordSymbol.of(root, formula.suffix(), formula.quality(), formula.degrees(), _bass_name(slash))


def _why_no_root(text: str) -> str:
    if not text:
        return "it is empty"
    if re.match(r"[#b]?[IViv]+", text):
        return "it is a Roman numeral; write the chord by its letter, such as G7 for V7 in C major"
    if text[0] in "abcdefg":
        return "the root is a capital letter A to G, and minor is written m"
    if text[0] == "H":
        return "the root is a letter A to G; the German H is B"
    if text in ("%", "/", "./."):
        return "it is a repeat sign; write the chord again"
    return "it does not begin with a root A to G, such as C, F# or Bb"
