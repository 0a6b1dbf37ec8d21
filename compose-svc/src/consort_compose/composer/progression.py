"""Chords typed over the bars of a piece: `C | Am | F G | C`.

Chords of one bar share it evenly. Without bar lines each chord has a bar of its own. `%` is the bar before again. A
progression that is shorter than the piece begins anew; a pickup has no chord.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_music.chords import ChordSymbol, parse_chord
from consort_music.errors import MusicError
from consort_music.score import Bar, Score

MAX_LENGTH = 4_000


class ChordOverBars(NamedTuple):
    start: Fraction
    end: Fraction
    chord: ChordSymbol


def lay_out_progression(text: str, bars: Sequence[Bar]) -> list[ChordOverBars]:
    """The chords in time; raises INVALID_CHORD_SYMBOL, EMPTY_INPUT where there is no chord."""
    written = _written_bars(text)
    full = [bar for bar in bars if bar.number > 0]
    found = []
    for index, bar in enumerate(full):
        chords = written[index % len(written)]
        share = bar.length / len(chords)
        for place, chord in enumerate(chords):
            found.append(ChordOverBars(bar.start + place * share, bar.start + (place + 1) * share, chord))
    return found


def lay_out_marks(score: Score) -> list[ChordOverBars]:
    """The chords that are written in a score; a symbol that is none is passed over."""
    found = []
    ends = [mark.start for mark in score.chords[1:]] + [max(score.length, score.bars[-1].end)]
    for mark, end in zip(score.chords, ends, strict=False):
        try:
            chord = parse_chord(mark.symbol)
        except MusicError:
            continue
        if mark.start < end:
            found.append(ChordOverBars(mark.start, end, chord))
    return found


def _written_bars(text: str) -> list[list[ChordSymbol]]:
    if len(text) > MAX_LENGTH:
        raise MusicError("TOO_LARGE", f"The progression has {len(text)} characters; the limit is {MAX_LENGTH}.")
    cells = [cell.replace(",", " ").split() for cell in text.replace("\n", "|" if "|" in text else " ").split("|")]
    cells = [cell for cell in cells if cell]
    if "|" not in text and cells:
        cells = [[word] for word in cells[0]]
    written: list[list[ChordSymbol]] = []
    for cell in cells:
        if cell == ["%"] and written:
            written.append(written[-1])
        else:
            written.append([parse_chord(word) for word in cell])
    if not written:
        raise MusicError("EMPTY_INPUT", "There are no chords; write some, such as C | Am | F G | C.", ["C | F G | C"])
    return written
