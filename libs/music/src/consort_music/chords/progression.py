"""Chords typed bar by bar, as on a chart: `C | Am | F G | C`.

- Bar lines are `|` (or `||`), and the ends of lines where there are any bar lines. The chords of a bar share it evenly.
- Without bar lines each chord has a bar of its own: `C Am F G` is four bars.
- `%` alone in a bar is the bar before again. Beside chords `/`, `%` or `-` holds on to the chord before, and a bar
  with nothing in it does so too.
- Commas between chords are spaces. `N.C.` is silence.
"""

import re

from consort_music.chords.grammar import parse_chord
from consort_music.errors import MusicError

MAX_LENGTH = 40_000
HOLD = None
"""Stands where the chord before goes on."""
WrittenBar = list[str | None]
"""The symbols of a bar, as they are typed, each for an equal share of it."""

_BAR_LINE = re.compile(r"\|+")
_BETWEEN = re.compile(r"(?:\s|,(?![^(]*\)))+")
_HOLDS = ("/", "%", "-")


def read_progression(text: str, first: int = 1) -> list[WrittenBar]:
    """The bars of a progression, of which `first` is the number of the first in messages.

    Raises INVALID_CHORD_SYMBOL with the bar, EMPTY_INPUT where there is nothing, TOO_LARGE.
    """
    if len(text) > MAX_LENGTH:
        raise MusicError("TOO_LARGE", f"The progression has {len(text):,} characters. Write at most {MAX_LENGTH:,}.")
    bars: list[WrittenBar] = []
    for number, cell in enumerate(_cells(text), start=first):
        if cell == ["%"] and bars and len(bars[-1]) > 1:
            bars.append(bars[-1])
        else:
            bars.append([HOLD if word in _HOLDS else _checked(word, number) for word in cell] or [HOLD])
    if not bars:
        raise MusicError("EMPTY_INPUT", "There are no chords. Write some, such as C | Am | F G | C.", ["C | F G | C"])
    return bars


def _cells(text: str) -> list[list[str]]:
    """The words of each bar."""
    if "|" not in text:
        return [[word] for word in _words(text)]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [_words(cell) for line in lines for cell in _BAR_LINE.split(line.strip("|"))] if text.strip("| \n") else []


def _words(text: str) -> list[str]:
    return [word for word in _BETWEEN.split(text) if word]


def _checked(symbol: str, bar: int) -> str:
    try:
        parse_chord(symbol)
    except MusicError as refusal:
        raise MusicError(refusal.code, f"Bar {bar}: {refusal.message}", refusal.suggestions) from refusal
    return symbol
