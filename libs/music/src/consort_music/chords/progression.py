"""Read chords that are typed bar by bar, as on a lead sheet: `C | Am | F G | C`.

- Bar lines are `|` or `||`. If there are any, the end of a line ends a bar too. The chords of a bar are equally long.
- If there are no bar lines, each chord has its own bar: `C Am F G` is four bars.
- `%` alone in a bar repeats the previous bar. Next to chords, `/`, `%` or `-` continues the previous chord. So does an
  empty bar.
- Commas between chords are read as spaces. `N.C.` is silence.
"""

import re
from collections.abc import Sequence
from itertools import cycle

from consort_music.bars import Bar
from consort_music.chords.grammar import parse_chord
from consort_music.chords.timed_chords import HOLD, ChordSpan, WrittenBar, chord_spans, lay_out
from consort_music.errors import MusicError

MAX_LENGTH = 40_000

_BAR_LINE = re.compile(r"\|+")
_BETWEEN = re.compile(r"(?:\s|,(?![^(]{0,40}\)))+")
"""Spaces, and commas outside parentheses. A symbol has at most 40 characters, so looking further is of no use."""
_HOLDS = ("/", "%", "-")


def read_progression(text: str, first: int = 1) -> list[WrittenBar]:
    """Read the bars of a progression. `first` is the number of the first bar in messages.

    Raise INVALID_CHORD_SYMBOL if a symbol cannot be read, EMPTY_INPUT if there is no chord, and TOO_LARGE if the text
    is too long.
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
    """Return the words of each bar."""
    if "|" not in text:
        return [[word] for word in _words(text)]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [_words(cell) for line in lines for cell in _BAR_LINE.split(line.strip("|"))] if text.strip("| \n") else []


def _words(text: str) -> list[str]:
    return [word for word in _BETWEEN.split(text) if word]


def _checked(symbol: str, bar: int) -> str:
    try:
        parse_chord(symbol)
    except MusicError as error:
        raise MusicError(error.code, f"Bar {bar}: {error.message}", error.suggestions) from error
    return symbol


def progression_over(text: str, bars: Sequence[Bar]) -> list[ChordSpan]:
    """Place a typed progression on all full bars, and repeat it if it is shorter. A pickup gets no chord.

    Raise the errors of `read_progression`, and INVALID_CHORD_SYMBOL if it does not begin with a chord.
    """
    written = read_progression(text)
    if written[0][0] is HOLD:
        raise MusicError(
            "INVALID_CHORD_SYMBOL", "Bar 1 repeats the chord before it, and there is none. Begin with a chord: C / F G."
        )
    full = [bar for bar in bars if bar.number > 0]
    return chord_spans(lay_out(cycle(written), full), full[-1].end) if full else []
