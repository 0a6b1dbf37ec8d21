"""Read, write and round positions and lengths in beats. They are typed as `9 + 1/3` and kept as exact fractions.

A recursive-descent parser reads this grammar, so input is never evaluated as Python code:

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = { "-" } ( number | "(" sum ")" )
    number  = digits, with or without a decimal point

Input is untrusted: its length, its nesting and the size of every intermediate value are limited.
"""

import math
import re
from fractions import Fraction

from consort_music.errors import MusicError, quoted

MAX_LENGTH = 128
MAX_NESTING = 16
MAX_BEATS = 1_000_000  # over five days at 120 bpm
_MAX_BITS = 128  # of a numerator or denominator of any intermediate value

_TOKEN = re.compile(r"[ \t]*([0-9]+(?:\.[0-9]*)?|\.[0-9]+|[-+*/()])")
_TERM = r"[0-9]{1,9}(?:[ \t]*/[ \t]*[0-9]{1,9})?"
_PLAIN = re.compile(rf"[ \t]*{_TERM}(?:[ \t]*\+[ \t]*{_TERM}){{0,2}}[ \t]*")
"""The usual forms `4`, `1/3` and `9 + 1/3`. They are read without the parser, which is slower: a song has thousands."""
_MIXED_NUMBER = re.compile(r"[ \t]*([0-9]+)[ \t]+([0-9]+[ \t]*/[ \t]*[0-9]+)[ \t]*")
_HINT = "Write a number, or numbers joined by + - * / and parentheses, such as 9 + 1/3."


def format_beats(beats: Fraction) -> int | float | str:
    """Return beats as results show them: a number if 4 decimals are exact, otherwise a fraction as text."""
    if beats.denominator == 1:
        return beats.numerator
    return round(float(beats), 4) if 10_000 % beats.denominator == 0 else str(beats)


def format_decimal(number: Fraction | float, digits: int = 6) -> str:
    """Return a number as decimal text, rounded to `digits` decimal places and without trailing zeros."""
    text = f"{float(number):.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def parse_beats(value: int | float | str) -> Fraction:
    """Return a number or an expression as exact beats. Raise INVALID_EXPRESSION if it is invalid or too large.

    A float is converted through its decimal representation: 0.1 becomes 1/10.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _invalid(f"Beats must be a number or an expression, not {quoted(str(value))}. {_HINT}")
    if isinstance(value, str):
        plain = _plain(value) if len(value) <= MAX_LENGTH else None
        beats = plain if plain is not None else _Expression(value).evaluate()
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _invalid(f"Beats must be a finite number, not {value}. {_HINT}")
        beats = exact_fraction(value)
    else:
        beats = Fraction(value)
    if abs(beats) > MAX_BEATS:
        raise _invalid(f"The number of beats is more than {MAX_BEATS:,}. Write a smaller number, such as 16.")
    return _within_size(beats)


def exact_fraction(number: float | Fraction) -> Fraction:
    """Return a number as a fraction. A float is converted through its decimal representation: 0.1 becomes 1/10."""
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)


def round_half_up(number: Fraction) -> int:
    """Round to the nearest whole number; halves round up."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


def to_ticks(beats: Fraction, ppq: int) -> int:
    """Return the nearest tick; halves round up. This equals `round_half_up(beats * ppq)` and is faster."""
    numerator, denominator = beats.numerator, beats.denominator
    return (2 * ppq * numerator + denominator) // (2 * denominator)


def _plain(text: str) -> Fraction | None:
    """Return the value of an expression in a usual form, or None for other forms and for a division by zero."""
    if not _PLAIN.fullmatch(text):
        return None
    numerator, denominator = 0, 1
    for term in text.split("+"):
        up, _, down = term.partition("/")
        divisor = int(down or 1)
        numerator = numerator * divisor + int(up) * denominator
        denominator *= divisor
    return Fraction(numerator, denominator) if denominator else None


def _invalid(message: str, suggestions: tuple[str, ...] = ("9 + 1/3",)) -> MusicError:
    return MusicError("INVALID_EXPRESSION", message, suggestions)


def _within_size(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise _invalid("The beats have too many digits. Write smaller numbers, such as 9 + 1/3.")
    return value


class _Expression:
    """A recursive-descent parser of one expression. `token` is the current token, or "" at the end."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise _invalid(f"The beats have {len(text)} characters, and at most {MAX_LENGTH} are allowed. {_HINT}")
        self.text = text.rstrip(" \t")
        self.end = 0
        self.nesting = 0
        self.advance()

    def advance(self) -> None:
        match = _TOKEN.match(self.text, self.end)
        if match:
            self.token, self.start, self.end = match[1], match.start(1), match.end(1)
        elif self.end == len(self.text):
            self.token, self.start = "", self.end
        else:
            self.start = len(self.text) - len(self.text[self.end :].lstrip(" \t"))
            raise self.unexpected(self.text[self.start])

    def unexpected(self, found: str) -> MusicError:
        what = f"has {quoted(found)} at character {self.start + 1}" if found else "ends too early"
        mixed = _MIXED_NUMBER.fullmatch(self.text)
        suggestions = (f"{mixed[1]} + {mixed[2]}",) if mixed else ("9 + 1/3",)
        return _invalid(f"{quoted(self.text)} is not a number of beats: it {what}. {_HINT}", suggestions)

    def evaluate(self) -> Fraction:
        value = self.read_sum()
        if self.token:
            raise self.unexpected(self.token)
        return value

    def read_sum(self) -> Fraction:
        value = self.read_product()
        while self.token in ("+", "-"):
            operator = self.token
            self.advance()
            operand = self.read_product()
            value = _within_size(value + operand if operator == "+" else value - operand)
        return value

    def read_product(self) -> Fraction:
        value = self.read_factor()
        while self.token in ("*", "/"):
            operator = self.token
            self.advance()
            operand = self.read_factor()
            if operator == "/" and operand == 0:
                raise _invalid(f"{quoted(self.text)} divides by 0. Change the divisor, as in 1/4.")
            value = _within_size(value * operand if operator == "*" else value / operand)
        return value

    def read_factor(self) -> Fraction:
        sign = 1
        while self.token == "-":
            sign = -sign
            self.advance()
        if self.token == "(":
            self.nesting += 1
            if self.nesting > MAX_NESTING:
                raise _invalid(
                    f"The beats have more than {MAX_NESTING} nested parentheses. Write fewer, such as 9 + 1/3."
                )
            self.advance()
            value = self.read_sum()
            if self.token != ")":
                raise self.unexpected(self.token)
            self.nesting -= 1
        elif self.token[:1].isdigit() or self.token[:1] == ".":
            value = _within_size(Fraction(self.token))
        else:
            raise self.unexpected(self.token)
        self.advance()
        return sign * value
