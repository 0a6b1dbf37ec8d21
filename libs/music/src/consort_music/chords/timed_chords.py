"""Chords with a start and an end, and the placing of typed chord symbols on bars."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_music.bars import Bar
from consort_music.chords.symbol import ChordSymbol
from consort_music.errors import MusicError

HOLD = None
"""In a `WrittenBar`: the previous chord continues."""
WrittenBar = list[str | None]
"""The symbols of a bar as typed. Each has an equal share of the bar."""


class ChordMark(NamedTuple):
    """A chord symbol and its start, in quarter notes. The chord lasts until the next one."""

    start: Fraction
    symbol: str


class ChordSpan(NamedTuple):
    """A chord with its start and end, in quarter notes."""

    start: Fraction
    end: Fraction
    chord: ChordSymbol


def lay_out(written: Iterable[WrittenBar], bars: Iterable[Bar]) -> list[ChordMark]:
    """Place the symbols of each typed bar on the bar with the same index. Each symbol gets an equal share of it."""
    return [
        ChordMark(bar.start + bar.length * Fraction(place, len(symbols)), symbol)
        for symbols, bar in zip(written, bars, strict=False)
        for place, symbol in enumerate(symbols)
        if symbol is not HOLD
    ]


def chord_spans(marks: Sequence[ChordMark], end: Fraction) -> list[ChordSpan]:
    """Return the chords with start and end. The last one lasts until `end`. Unreadable symbols are left out."""
    from consort_music.chords.grammar import parse_chord  # not needed to read a score without chords

    ends = [*(mark.start for mark in marks[1:]), end]
    found = []
    for mark, until in zip(marks, ends, strict=False):
        try:
            chord = parse_chord(mark.symbol)
        except MusicError:
            continue
        if mark.start < until:
            found.append(ChordSpan(mark.start, until, chord))
    return found
