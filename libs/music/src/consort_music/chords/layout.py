"""Chords in time: symbols on beats, the bars of a progression laid out, and how long each chord holds."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import cycle
from typing import NamedTuple

from consort_music.bars import Bar
from consort_music.chords.grammar import parse_chord
from consort_music.chords.progression import HOLD, WrittenBar, read_progression
from consort_music.chords.symbol import ChordSymbol
from consort_music.errors import MusicError


class ChordMark(NamedTuple):
    """A chord symbol on a beat, in quarter notes. It holds until the next one."""

    start: Fraction
    symbol: str


class ChordSpan(NamedTuple):
    """A chord from its start to its end, in quarter notes."""

    start: Fraction
    end: Fraction
    chord: ChordSymbol


def lay_out(written: Iterable[WrittenBar], bars: Iterable[Bar]) -> list[ChordMark]:
    """Put the symbols of each written bar on the beats of a bar, which they share evenly."""
    return [
        ChordMark(bar.start + bar.length * Fraction(place, len(symbols)), symbol)
        for symbols, bar in zip(written, bars, strict=False)
        for place, symbol in enumerate(symbols)
        if symbol is not HOLD
    ]


def chord_spans(marks: Sequence[ChordMark], end: Fraction) -> list[ChordSpan]:
    """Return how long each chord holds, the last one until `end`; a symbol that cannot be read is left out."""
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


def progression_over(text: str, bars: Sequence[Bar]) -> list[ChordSpan]:
    """Lay a typed progression over all full bars, again and again where it is shorter; a pickup has no chord.

    Raises INVALID_CHORD_SYMBOL, EMPTY_INPUT.
    """
    written = read_progression(text)
    if written[0][0] is HOLD:
        raise MusicError(
            "INVALID_CHORD_SYMBOL", "Bar 1 repeats the chord before it, and there is none. Begin with a chord: C / F G."
        )
    full = [bar for bar in bars if bar.number > 0]
    return chord_spans(lay_out(cycle(written), full), full[-1].end) if full else []
