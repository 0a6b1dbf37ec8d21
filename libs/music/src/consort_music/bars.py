"""Convert between times and bar numbers in music with changes of metre.

Results are exact. A lookup is a binary search over the changes.

- Times are in quarter notes, or in ticks if `quarter` (ticks per quarter note) is given.
- Bars are numbered from 1; a pickup is bar 0. A pickup cannot be combined with ticks.
- A time signature starts a new bar, even in the middle of one and even if it repeats the metre, as in sequencers and
  notation. The bar before it is then a short bar.
- A change within a pickup takes effect at the first full bar. Before the first change the metre is 4/4.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from consort_music.metre import COMMON_TIME, Metre

ExactTime = Fraction | int


class Bar(NamedTuple):
    """A bar; a pickup has the number 0."""

    number: int
    start: Fraction
    length: Fraction
    metre: Metre

    @property
    def end(self) -> Fraction:
        return self.start + self.length

    @property
    def missing(self) -> Fraction:
        """The quarter notes that a pickup is shorter than a full bar; 0 for any other bar."""
        return self.metre.bar - self.length if self.number == 0 else Fraction(0)


class BarPosition(NamedTuple):
    """A measure number and a beat in it. Beats are those of the metre, from 1; 5/2 is halfway from beat 2 to beat 3."""

    measure: int
    beat: Fraction

    @property
    def text(self) -> str:
        """Measure and beat as short text: `3:2.5`."""
        return f"{self.measure}:{round(float(self.beat), 3):g}"


class MetreSpan(NamedTuple):
    """Consecutive bars of one metre.

    `first` is the number of the first of these bars and `start` its start. `length` is the length of one bar.
    """

    first: int
    start: ExactTime
    length: Fraction
    metre: Metre


class Bars:
    """All bars of a piece. The last metre continues without end."""

    def __init__(
        self, metres: Iterable[tuple[ExactTime, Metre]], quarter: int = 1, pickup: Fraction = Fraction(0)
    ) -> None:
        """`metres` are pairs of a start and the metre from then on, in any order.

        If several have the same start, the last one is used. `quarter` is the number of ticks per quarter note if times
        are ticks. `pickup` is the length of a short first bar in quarter notes, or 0.
        """
        self._quarter = quarter
        changes = sorted(metres, key=itemgetter(0))
        opening = COMMON_TIME
        place = 0
        while place < len(changes) and changes[place][0] <= 0:
            opening = changes[place][1]
            place += 1
        self.metre_spans: list[MetreSpan] = []
        if pickup > 0:
            self.metre_spans.append(MetreSpan(0, 0, pickup, opening))
            while place < len(changes) and changes[place][0] <= pickup:
                opening = changes[place][1]
                place += 1
        lengths: dict[Metre, Fraction] = {}
        self._append(1, pickup, opening, lengths)
        for at, metre in changes[place:]:
            last = self.metre_spans[-1]
            if at == last.start:
                self.metre_spans[-1] = last._replace(metre=metre, length=_length(metre, quarter, lengths))
            else:
                self._append(last.first - _whole_bars(last.start, at, last.length), at, metre, lengths)
        self._starts = [span.start for span in self.metre_spans]
        self._floats = [float(start) for start in self._starts]
        self._firsts = [span.first for span in self.metre_spans]

    def index_at(self, moment: ExactTime) -> int:
        """Return the index of the metre span at a moment. A moment before 0 gives the first span."""
        rough = float(moment)  # comparing floats is much faster; only where floats are equal, compare exactly
        index = bisect_right(self._floats, rough) - 1
        while index > 0 and self._floats[index] == rough and self._starts[index] > moment:
            index -= 1
        return max(index, 0)

    def number_at(self, moment: ExactTime) -> int:
        """Return the number of the bar at a moment. A moment before 0 gives the first bar."""
        span = self.metre_spans[self.index_at(moment)]
        return span.first + max(_whole_bars(moment, span.start, span.length), 0)

    def metre_span_of(self, number: int) -> MetreSpan:
        return self.metre_spans[max(bisect_right(self._firsts, number) - 1, 0)]

    def start_of(self, number: int) -> Fraction:
        """Return the start of a bar."""
        span = self.metre_span_of(number)
        return span.start + (number - span.first) * span.length

    def bar(self, number: int) -> Bar:
        span, start = self.metre_span_of(number), self.start_of(number)
        return Bar(number, start, self.start_of(number + 1) - start, span.metre)

    def bar_at(self, moment: ExactTime) -> Bar:
        return self.bar(self.number_at(moment))

    def next_bar_line(self, moment: ExactTime) -> Fraction:
        """Return the first bar line at or after a moment."""
        number = self.number_at(moment)
        start = self.start_of(number)
        return start if start >= moment else self.start_of(number + 1)

    def until(self, end: ExactTime) -> Iterator[Bar]:
        """Yield every bar that starts before `end`, and at least the first full bar."""
        for index, span in enumerate(self.metre_spans):
            begin, number, start = self._starts[index], span.first, Fraction(span.start)
            after = self._starts[index + 1] if index + 1 < len(self.metre_spans) else None
            if begin >= end and number > 1:
                return
            while (start < end or number <= 1) and (after is None or start < after):
                length = span.length if after is None else min(span.length, after - start)
                yield Bar(number, start, length, span.metre)
                start += span.length
                number += 1

    def position_at(self, moment: ExactTime) -> BarPosition:
        """Return the measure and the beat at a moment."""
        number, metre, offset = self._locate(moment)
        return BarPosition(number, metre.beat_number(offset))

    def strength(self, moment: ExactTime) -> int:
        """Return the metrical strength of a moment: DOWNBEAT, STRONG, BEAT or OFFBEAT of `consort_music.metre`."""
        _, metre, offset = self._locate(moment)
        return metre.strength(offset)

    def _locate(self, moment: ExactTime) -> tuple[int, Metre, Fraction]:
        """Return the bar number at a moment, its metre, and the quarters since the bar line.

        In a pickup the quarters are counted from where a full bar would have started.
        """
        span = self.metre_spans[self.index_at(moment)]
        bars = max(_whole_bars(moment, span.start, span.length), 0)
        offset = moment - span.start - bars * span.length
        if span.first == 0:
            offset += span.metre.bar - span.length
        return span.first + bars, span.metre, offset if self._quarter == 1 else offset / self._quarter

    def _append(self, first: int, start: ExactTime, metre: Metre, lengths: dict[Metre, Fraction]) -> None:
        self.metre_spans.append(MetreSpan(first, start, _length(metre, self._quarter, lengths), metre))


def _length(metre: Metre, quarter: int, known: dict[Metre, Fraction]) -> Fraction:
    length = known.get(metre)
    if length is None:
        length = known[metre] = metre.bar * quarter
    return length


def _whole_bars(moment: ExactTime, start: ExactTime, length: Fraction) -> int:
    """Return (moment - start) / length rounded down, with integers, because Fractions are much slower."""
    along = moment.numerator * start.denominator - start.numerator * moment.denominator
    return along * length.denominator // (moment.denominator * start.denominator * length.numerator)
