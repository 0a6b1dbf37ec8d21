"""Note values by letter or by name, as exact fractions of a quarter note.

    w h q e s t   whole, half, quarter, eighth, sixteenth, thirty-second
    d             after the letter, any number of times: a dot, adding half of what was added before
    3             at the end: one note of a triplet, two thirds of the value

So `qd` is 3/2, `hdd` 7/2, `e3` 1/3. The number of dots is capped far above what notation shows, only so that no
input makes large fractions.

By name it is `quarter`, `dotted half`, `double dotted quarter`, `eighth triplet`, `16th`, `crotchet`.
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
_GAP = r"[ \t_-]{1,4}"
_NAME = re.compile(
    rf"((?:(?:double|dotted|triplet){_GAP}){{0,3}})({'|'.join(_LETTERS)})((?:{_GAP}(?:dotted|triplets?|notes?)){{0,3}})"
    r"(?![A-Za-z0-9#])",
    re.IGNORECASE,
)


def parse_duration(text: str) -> Fraction:
    """Return the quarter notes of a symbol such as `q`, `hd` or `e3`, or of a name; raise INVALID_DURATION."""
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

    Raises INVALID_EXPRESSION or INVALID_DURATION; a length is longer than 0.
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
    """Return the note value whose name begins at a place of a text, and where the name ends; None if there is none."""
    match = _NAME.match(text, at)
    if match is None:
        return None
    before, name, after = (group.lower() for group in match.groups())
    words = re.split(_GAP, f"{before} {after}".strip())
    dots = words.count("dotted") + words.count("double")
    is_triplet = any(word.startswith("triplet") for word in words)
    return _length(_LETTERS[name], dots, is_triplet), match.end()


def format_duration(quarters: Fraction) -> str | None:
    """The symbol of exactly this length, or None where it takes tied notes to write it.

    Triplets come back without dots: 5/4 of a quarter is `qddd3` on paper only, and players read a tie.
    """
    return _SYMBOL_OF.get(quarters)


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
