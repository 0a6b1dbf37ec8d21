"""Bars counted through changes of metre, exactly and without walking from bar to bar.

A change of metre begins a new bar, even in the middle of one, as sequencers have it. Bars count from 1.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile
from consort_music.midi.summary import TimeSignature, summarize
from consort_music.midi.timing import last_tick

ALL_ITEMS = 10_000_000


class Stretch(NamedTuple):
    """Bars of one metre, from the tick and the bar with which they begin."""

    tick: int
    bar: int
    bar_ticks: Fraction
    numerator: int
    denominator: int


class Bars:
    def __init__(self, ppq: int, signatures: Sequence[TimeSignature]) -> None:
        changes = [(each.tick, each.numerator, each.denominator) for each in signatures]
        if not changes or changes[0][0] > 0:
            changes.insert(0, (0, 4, 4))
        lengths = {metre: Fraction(4 * ppq * metre[0], metre[1]) for metre in {change[1:] for change in changes}}
        self.stretches: list[Stretch] = []
        bar, since, length = 1, 0, Fraction(1)
        for tick, numerator, denominator in changes:
            if tick:
                bar += -((since - tick) * length.denominator // length.numerator)  # rounded up
            since, length = tick, lengths[numerator, denominator]
            self.stretches.append(Stretch(tick, bar, length, numerator, denominator))
        self._ticks = [stretch.tick for stretch in self.stretches]
        self._bars = [stretch.bar for stretch in self.stretches]

    def at(self, tick: Fraction | int) -> int:
        """The bar in which this tick falls."""
        stretch = self.stretches[max(0, bisect_right(self._ticks, tick) - 1)]
        return stretch.bar + (tick - stretch.tick) // stretch.bar_ticks

    def stretch_of(self, bar: int) -> Stretch:
        return self.stretches[max(0, bisect_right(self._bars, bar) - 1)]

    def start(self, bar: int) -> Fraction:
        """The tick with which this bar begins."""
        stretch = self.stretch_of(bar)
        return stretch.tick + (bar - stretch.bar) * stretch.bar_ticks


def window_of_bars(file: MidiFile, first: int, last: int) -> tuple[Fraction, Fraction]:
    """The beats from the beginning of bar `first` to the end of bar `last`, for `draw_piano_roll`."""
    if file.ppq is None:
        raise MusicError("INVALID_PICTURE", "This file is timed by SMPTE frames and has no bars; choose by seconds.")
    if not 1 <= first <= last:
        told = f"Bars {first} to {last} are no part of a piece; bars count from 1."
        raise MusicError("INVALID_PICTURE", told, [f"last_bar: {first}"], "last_bar")
    bars = Bars(file.ppq, summarize(file, ALL_ITEMS).time_signatures)
    end = bars.at(max(last_tick(file.tracks) - 1, 0))
    if first > end:
        told = f"The piece ends in bar {end}; there is nothing from bar {first} on."
        raise MusicError("INVALID_PICTURE", told, [f"first_bar: {end}"], "first_bar")
    return bars.start(first) / file.ppq, bars.start(last + 1) / file.ppq
