"""Chords over the bars of a piece, typed (`consort_music.chords.progression`) or written in a score.

A progression that is shorter than the piece begins anew; a pickup has no chord.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_music.chords import ChordSymbol, parse_chord
from consort_music.chords.progression import HOLD, read_progression
from consort_music.errors import MusicError
from consort_music.score import Bar, Score


class ChordOverBars(NamedTuple):
    start: Fraction
    end: Fraction
    chord: ChordSymbol


def lay_out_progression(text: str, bars: Sequence[Bar]) -> list[ChordOverBars]:
    """The chords in time; raises INVALID_CHORD_SYMBOL, EMPTY_INPUT where there is no chord."""
    written = read_progression(text)
    if written[0][0] is HOLD:
        raise MusicError("INVALID_CHORD_SYMBOL", "bar 1: there is no chord before to hold on to; begin with a chord.")
    found: list[ChordOverBars] = []
    for index, bar in enumerate(bar for bar in bars if bar.number > 0):
        symbols = written[index % len(written)]
        share = bar.length / len(symbols)
        for place, symbol in enumerate(symbols):
            end = bar.start + (place + 1) * share
            if symbol is HOLD:
                found[-1] = found[-1]._replace(end=end)
            else:
                found.append(ChordOverBars(bar.start + place * share, end, parse_chord(symbol)))
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
