"""Note values by letter, as exact fractions of a quarter note.

    w h q e s t   whole, half, quarter, eighth, sixteenth, thirty-second
    d             after the letter, any number of times: a dot, adding half of what was added before
    3             at the end: one note of a triplet, two thirds of the value

So `qd` is 3/2, `hdd` 7/2, `e3` 1/3. The number of dots is capped far above what notation shows, only so that no
input makes large fractions.
"""

import re
from fractions import Fraction

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


def parse_duration(text: str) -> Fraction:
    """The length in quarter notes of a symbol such as `q`, `hd` or `e3`; raises INVALID_DURATION."""
    match = _SYMBOL.fullmatch(text)
    if match is None:
        raise _invalid(text)
    letter, dots, triplet = match.groups()
    return _length(letter, len(dots), bool(triplet))


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
        f"{quoted(text)} is not a duration. Write one of w h q e s t (whole to thirty-second), then d for each dot "
        f"(up to {_MAX_DOTS}), then 3 for a triplet: q, hd, e3.",
        suggestions,
    )
