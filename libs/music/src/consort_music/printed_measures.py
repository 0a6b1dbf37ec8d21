"""The measure numbers that a source prints, where they differ from bars counted in order.

MusicXML can number measures freely: an edition may begin with measure 33, a repeat may split a bar into two measures of
which only the first has a number (the second is `implicit`), and a pickup may be measure 0 or 1.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_music.bars import Bar, BarPosition, Bars

_NUMBER = re.compile(r"[0-9]{1,6}")


class PrintedMeasure(NamedTuple):
    """A measure as its source numbers it.

    `missing` is how many quarter notes of the bar come before `start`: in a pickup, and in the second part of a split
    bar, which has the number of the first part.
    """

    start: Fraction
    number: int
    missing: Fraction = Fraction(0)


class MeasureName(NamedTuple):
    """The number of a measure as written, such as `12`, `12a` or `X1`, and whether it is marked as implicit."""

    text: str
    is_implicit: bool


def read_printed_measures(
    names: Sequence[MeasureName], starts: Sequence[Fraction], bars: Bars
) -> tuple[PrintedMeasure, ...]:
    """Return the measures as printed. `starts` are their starts, and the end of the last one.

    A measure continues the one before if both together are no longer than a bar, and it is implicit, has no number, or
    repeats the number before. An implicit measure that continues none counts on.
    """
    found: list[PrintedMeasure] = []
    for name, start, end in zip(names, starts, starts[1:], strict=False):
        match = _NUMBER.match(name.text)
        own = int(match[0]) if match else None
        full = bars.bar_at(start).metre.bar
        if not found:
            is_short = end - start < full and bars.bar_at(start).number == 0
            number = own if own is not None else 0 if is_short else 1
            found.append(PrintedMeasure(start, number, full - (end - start) if is_short else Fraction(0)))
            continue
        last = found[-1]
        sounded = last.missing + start - last.start
        is_rest = own is None or name.is_implicit or own == last.number
        if is_rest and sounded < full and sounded + end - start <= full:
            found.append(PrintedMeasure(start, last.number, sounded))
        else:
            found.append(PrintedMeasure(start, last.number + 1 if own is None else own))
    return tuple(found)


def printed_position(measures: Sequence[PrintedMeasure], bars: Bars, moment: Fraction) -> BarPosition:
    """Return the measure and beat at a moment, as printed, or as counted if `measures` is empty."""
    if not measures:
        return bars.position_at(moment)
    measure = measure_at(measures, moment)
    metre = bars.bar_at(moment).metre
    return BarPosition(measure.number, metre.beat_number(moment - measure.start + measure.missing))


def measure_at(measures: Sequence[PrintedMeasure], moment: Fraction) -> PrintedMeasure:
    """Return the measure at a moment. There must be at least one."""
    return measures[max(bisect_right(measures, moment, key=lambda measure: measure.start) - 1, 0)]


def is_counted(measures: Sequence[PrintedMeasure], bars: Bars) -> bool:
    """Return whether the printed numbers are those of bars counted in order."""
    return all(printed_position(measures, bars, one.start) == bars.position_at(one.start) for one in measures)


def number_of_bar(measures: Sequence[PrintedMeasure], bar: Bar, bars_before: int = 0) -> tuple[int, bool]:
    """Return the number to write for a bar, and whether it is implicit. `bars_before` counts bars that are left out."""
    if not measures:
        return bar.number + bars_before, bar.number == 0
    measure = measure_at(measures, bar.start)
    return measure.number, measure.missing > 0 or measure.start != bar.start


def missing_before(measures: Sequence[PrintedMeasure], bar: Bar) -> Fraction:
    """Return how many quarter notes of a measure come before this bar."""
    if not measures:
        return bar.missing
    measure = measure_at(measures, bar.start)
    return measure.missing + bar.start - measure.start
