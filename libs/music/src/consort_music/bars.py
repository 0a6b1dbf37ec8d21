"""Bars counted through changes of metre, exactly and without walking from bar to bar.

- Times are quarter notes, or ticks of which a quarter has `quarter`. Bars count from 1; a pickup is bar 0.
- A time signature begins a new bar, even in the middle of one and even if it says the same metre again, as sequencers
  and notation have it. What came before it is a short bar.
- A change within a pickup holds from the first full bar on. Before the first change the metre is 4/4.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from consort_music.metre import COMMON_TIME, Metre

Time = Fraction | int


class Bar(NamedTuple):
    """A bar from its start; a pickup has the number 0."""

    number: int
    start: Fraction
    length: Fraction
    metre: Metre

    @property
    def end(self) -> Fraction:
        return self.start + self.length

    @property
    def missing(self) -> Fraction:
        """How many quarters a pickup bar lacks at its front."""
        return self.metre.bar - self.length if self.number == 0 else Fraction(0)


class Place(NamedTuple):
    """Where something is, as a musician says it: measure 3, beat 5/2."""

    measure: int
    beat: Fraction


class Stretch(NamedTuple):
    """Bars of one metre: the number and the start of the first one, and how long each is."""

    first: int
    start: Time
    length: Fraction
    metre: Metre


class Bars:
    """All bars of a piece; the last metre goes on for ever."""

    def __init__(self, metres: Iterable[tuple[Time, Metre]], quarter: int = 1, pickup: Fraction = Fraction(0)) -> None:
        """`metres` from when on each holds, in any order; of several at one time the last holds."""
        self._quarter = quarter
        changes = sorted(metres, key=itemgetter(0))
        opening = COMMON_TIME
        place = 0
        while place < len(changes) and changes[place][0] <= 0:
            opening = changes[place][1]
            place += 1
        self.stretches: list[Stretch] = []
        if pickup > 0:
            self.stretches.append(Stretch(0, 0, pickup, opening))
            while place < len(changes) and changes[place][0] <= pickup:
                opening = changes[place][1]
                place += 1
        lengths: dict[Metre, Fraction] = {}
        self._append(1, pickup, opening, lengths)
        for at, metre in changes[place:]:
            last = self.stretches[-1]
            if at == last.start:
                self.stretches[-1] = last._replace(metre=metre, length=_length(metre, quarter, lengths))
            else:
                self._append(last.first - _whole(last.start, at, last.length), at, metre, lengths)
        self._starts = [stretch.start for stretch in self.stretches]
        self._floats = [float(start) for start in self._starts]
        self._firsts = [stretch.first for stretch in self.stretches]

    def index_at(self, moment: Time) -> int:
        """Return the index of the stretch in which a moment is; before the beginning, 0."""
        rough = float(moment)  # comparing floats is many times as fast, and wrong only where they are equal
        index = bisect_right(self._floats, rough) - 1
        while index > 0 and self._floats[index] == rough and self._starts[index] > moment:
            index -= 1
        return max(index, 0)

    def number_at(self, moment: Time) -> int:
        """Return the number of the bar in which a moment is; before the beginning, that of the first bar."""
        stretch = self.stretches[self.index_at(moment)]
        return stretch.first + max(_whole(moment, stretch.start, stretch.length), 0)

    def stretch_of(self, number: int) -> Stretch:
        return self.stretches[max(bisect_right(self._firsts, number) - 1, 0)]

    def start_of(self, number: int) -> Fraction:
        """Return when a bar begins."""
        stretch = self.stretch_of(number)
        return stretch.start + (number - stretch.first) * stretch.length

    def bar(self, number: int) -> Bar:
        stretch, start = self.stretch_of(number), self.start_of(number)
        return Bar(number, start, self.start_of(number + 1) - start, stretch.metre)

    def bar_at(self, moment: Time) -> Bar:
        return self.bar(self.number_at(moment))

    def line_from(self, moment: Time) -> Fraction:
        """Return the bar line at a moment, otherwise the next one."""
        number = self.number_at(moment)
        start = self.start_of(number)
        return start if start >= moment else self.start_of(number + 1)

    def until(self, end: Time) -> Iterator[Bar]:
        """Yield every bar that begins before `end`, and the first full bar in any case."""
        for index, stretch in enumerate(self.stretches):
            begin, number, start = self._starts[index], stretch.first, Fraction(stretch.start)
            after = self._starts[index + 1] if index + 1 < len(self.stretches) else None
            if begin >= end and number > 1:
                return
            while (start < end or number <= 1) and (after is None or start < after):
                length = stretch.length if after is None else min(stretch.length, after - start)
                yield Bar(number, start, length, stretch.metre)
                start += stretch.length
                number += 1

    def place(self, moment: Time) -> Place:
        """Return the measure and the beat of a moment."""
        number, metre, offset = self._placed(moment)
        return Place(number, metre.beat_number(offset))

    def strength(self, moment: Time) -> int:
        """Return how strong a moment is in its bar: see `consort_music.metre`."""
        _, metre, offset = self._placed(moment)
        return metre.strength(offset)

    def _placed(self, moment: Time) -> tuple[int, Metre, Fraction]:
        """Return the bar of a moment and how many quarters it is behind the bar line; that of a pickup is where the
        bar would begin if it were full."""
        stretch = self.stretches[self.index_at(moment)]
        bars = max(_whole(moment, stretch.start, stretch.length), 0)
        offset = moment - stretch.start - bars * stretch.length
        if stretch.first == 0:
            offset += stretch.metre.bar - stretch.length
        return stretch.first + bars, stretch.metre, offset if self._quarter == 1 else offset / self._quarter

    def _append(self, first: int, start: Time, metre: Metre, lengths: dict[Metre, Fraction]) -> None:
        self.stretches.append(Stretch(first, start, _length(metre, self._quarter, lengths), metre))


def _length(metre: Metre, quarter: int, known: dict[Metre, Fraction]) -> Fraction:
    length = known.get(metre)
    if length is None:
        length = known[metre] = metre.bar * quarter
    return length


def _whole(moment: Time, start: Time, length: Fraction) -> int:
    """Return (moment - start) / length rounded down, in whole numbers, which is many times as fast."""
    along = moment.numerator * start.denominator - start.numerator * moment.denominator
    return along * length.denominator // (moment.denominator * start.denominator * length.numerator)
