"""Read and write note values, by symbol or by name, as exact numbers of quarter notes.

    w h q e s t   whole, half, quarter, eighth, sixteenth, thirty-second
    d             a dot, after the letter; several are allowed, and each adds half as much as the one before
    3             at the end: a triplet note, two thirds of the value

So `qd` is 3/2, `hdd` is 7/2 and `e3` is 1/3. At most 32 dots are read, to keep fractions small.

Names are `quarter`, `dotted half`, `double dotted quarter`, `eighth triplet`, `16th`, `crotchet`.
"""

import re
from fractions import Fraction

from consort_music.beats import parse_beats
from consort_music.errors import MusicError, quoted

_QUARTERS = {
    "w": Fraction(4),
    "h": Fraction(2),
    "q": Fraction(1),
    "e": Fraction(1, 2),
    "s": Fraction(1, 4),
    "t": Fraction(1, 8),
}
_MAX_DOTS = 32
_SYMBOL = re.compile(rf"([whqest])(d{{0,{_MAX_DOTS}}})(3?)")
_TRIPLET = Fraction(2, 3)
_LETTERS = {
    **dict.fromkeys(("whole", "semibreve"), "w"),
    **dict.fromkeys(("half", "minim"), "h"),
    **dict.fromkeys(("quarter", "crotchet"), "q"),
    **dict.fromkeys(("eighth", "8th", "quaver"), "e"),
    **dict.fromkeys(("sixteenth", "16th", "semiquaver"), "s"),
    **dict.fromkeys(("thirty-second", "thirtysecond", "32nd", "demisemiquaver"), "t"),
}
_VALUE_NAMES = {"w": "whole", "h": "half", "q": "quarter", "e": "eighth", "s": "sixteenth", "t": "thirty-second"}
_DOT_NAMES = {0: "", 1: "dotted ", 2: "double-dotted "}
_GAP = r"[ \t_-]{1,4}"
_NAME = re.compile(
    rf"((?:(?:double|dotted|triplet){_GAP}){{0,3}})({'|'.join(_LETTERS)})((?:{_GAP}(?:dotted|triplets?|notes?)){{0,3}})"
    r"(?![A-Za-z0-9#])",
    re.IGNORECASE,
)


def parse_duration(text: str) -> Fraction:
    """Return the quarter notes of a symbol (`q`, `hd`, `e3`) or a name. Raise INVALID_DURATION for other text."""
    match = _SYMBOL.fullmatch(text)
    if match is None:
        named = match_note_value(text.strip(), 0)
        if named is None or named[1] < len(text.strip()):
            raise _invalid(text)
        return named[0]
    letter, dots, triplet = match.groups()
    return _length(letter, len(dots), bool(triplet))


def parse_length(value: int | float | str) -> Fraction:
    """Return the quarter notes of a length in beats (`1/2`), by symbol (`e`) or by name (`dotted quarter`).

    Raise INVALID_DURATION for an unknown word or a length that is not more than 0, or INVALID_EXPRESSION for beats that
    cannot be read.
    """
    is_word = isinstance(value, str) and value.strip()[:1].isalpha()
    if isinstance(value, str) and (is_word or match_note_value(value.strip(), 0)):
        return parse_duration(value.strip())
    length = parse_beats(value)
    if length <= 0:
        raise MusicError(
            "INVALID_DURATION",
            f"{quoted(str(value))} is not a duration: it must be more than 0 beats. Write 1/2, 1 or quarter.",
            ["1/2", "1"],
        )
    return length


def match_note_value(text: str, at: int) -> tuple[Fraction, int] | None:
    """Return the note value named at index `at` of a text and the index after the name, or None if there is none."""
    match = _NAME.match(text, at)
    if match is None:
        return None
    before, name, after = (group.lower() for group in match.groups())
    words = re.split(_GAP, f"{before} {after}".strip())
    dots = words.count("dotted") + words.count("double")
    is_triplet = any(word.startswith("triplet") for word in words)
    return _length(_LETTERS[name], dots, is_triplet), match.end()


def format_duration(quarters: Fraction) -> str | None:
    """Return the symbol of exactly this length, or None if one note value cannot express it.

    Triplets get no dots: 5/4 of a quarter could be `qddd3`, but a tie is easier to read.
    """
    return _SYMBOL_OF.get(quarters)


def duration_name(quarters: Fraction) -> str:
    """Return a length in words: `dotted quarter`, `eighth triplet`, `half tied to eighth`, otherwise `5/7 quarters`."""
    if name := _note_value_name(quarters):
        return name
    tied, rest = [], quarters
    for letter, value in _QUARTERS.items():
        while rest >= value:
            tied.append(_VALUE_NAMES[letter])
            rest -= value
    return f"{quarters} quarters" if rest else " tied to ".join(tied)


def _note_value_name(quarters: Fraction) -> str | None:
    symbol = format_duration(quarters)
    if symbol is None or symbol.count("d") not in _DOT_NAMES:
        return None
    return _DOT_NAMES[symbol.count("d")] + _VALUE_NAMES[symbol[0]] + (" triplet" if symbol.endswith("3") else "")


def _length(letter: str, dots: int, is_triplet: bool) -> Fraction:
    length = _QUARTERS[letter] * (2 - Fraction(1, 2**dots))
    return length * _TRIPLET if is_triplet else length


_DOTTED = {_length(letter, dots, False): letter + "d" * dots for letter in _QUARTERS for dots in range(_MAX_DOTS + 1)}
_SYMBOL_OF = {_length(letter, 0, True): letter + "3" for letter in _QUARTERS} | _DOTTED


def _invalid(text: str) -> MusicError:
    nearer = text[: _MAX_DOTS + 4].strip().lower().replace(".", "d")
    suggestions = [nearer] if _SYMBOL.fullmatch(nearer) else ["q", "hd", "e3"]
    return MusicError(
        "INVALID_DURATION",
        f"{quoted(text)} is not a duration. Write w h q e s or t (whole to thirty-second note), then d for a dot or "
        "3 for "
        "a triplet: q, hd, e3. Or write a name, such as quarter or dotted half, or beats, such as 3/2.",
        suggestions,
    )
