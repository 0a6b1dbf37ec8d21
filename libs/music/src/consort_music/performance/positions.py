"""Parses positions in music as people write them.

    9:1   9:2+1/2   bar 9   bar 9 beat 2        bar and beat of the metre, both counted from 1
    5000 ms   12.5 s                            time from the beginning at the written tempo

A number without a unit is rejected, because it could be a bar or a time.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from consort_music.bars import BarPosition
from consort_music.beats import parse_beats
from consort_music.errors import MusicError, in_field, quoted

_BAR_AND_BEAT = re.compile(r"([0-9]{1,7}) ?: ?(.{1,64})")
_BAR_IN_WORDS = re.compile(r"(?i)(?:bar|measure) ?([0-9]{1,7})(?:[ ,]+beat (.{1,64}))?")
_TIME = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,9})?) ?(ms|s)")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?")
_NS = {"ms": 1_000_000, "s": 1_000_000_000}
EXAMPLES = ["9:1", "bar 9", "5000 ms", "12.5 s"]


class Position(NamedTuple):
    text: str
    """The text of the user, for error messages."""
    place: Fraction | BarPosition
    """Nanoseconds from the beginning at the written tempo, or bar and beat."""


def parse_position(text: str, field: str) -> Position:
    """Parse a position. Raise MusicError if `text` is not one; the error names `field` and the accepted forms."""
    given = text.strip()
    if time := _TIME.fullmatch(given):
        return Position(text, Fraction(time[1]) * _NS[time[2]])
    place = _BAR_AND_BEAT.fullmatch(given) or _BAR_IN_WORDS.fullmatch(given)
    if place is not None and int(place[1]) >= 1:
        with in_field(field):
            return Position(text, BarPosition(int(place[1]), parse_beats(place[2] or "1")))
    raise MusicError("INVALID_POSITION", f"'{field}' is {quoted(text)}, {_problem(given)}", EXAMPLES, field)


def _problem(given: str) -> str:
    if _NUMBER.fullmatch(given):
        return f'a number without a unit. Write "{given}:1" or "bar {given}" for a bar, "{given} ms" for a time.'
    if given.startswith("0:") or given.lower().startswith(("bar 0", "measure 0")):
        return 'but bars are counted from 1. Write "1:1" for the beginning.'
    return 'which is not a position. Write bar and beat as "9:1" or "bar 9", or a time as "5000 ms" or "12.5 s".'
