"""Bars through changes of metre, compared with counting bar by bar."""

from bisect import bisect_right
from fractions import Fraction
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from consort_music.bars import Bar, BarPosition, Bars
from consort_music.metre import COMMON_TIME, Metre, parse_metre

METRES = st.sampled_from([parse_metre(name) for name in ["4/4", "3/4", "6/8", "7/8", "5/16", "2/2", "11/8", "1/32"]])
MOMENTS = st.builds(Fraction, st.integers(0, 90), st.sampled_from([1, 2, 3, 8, 480]))
CHANGES = st.lists(st.tuples(MOMENTS, METRES), max_size=8)


class Walked(NamedTuple):
    number: int
    start: Fraction
    end: Fraction
    metre: Metre


def walk(changes: list[tuple[Fraction, Metre]], pickup: Fraction, end: Fraction) -> list[Walked]:
    """Count bars one by one."""
    held = dict(changes)
    times = sorted(held)
    bars, at, number = [], Fraction(0), 1
    metre = held.get(Fraction(0), COMMON_TIME)
    if pickup:
        bars.append(Walked(0, at, pickup, metre))
        at = pickup
    while at <= end:
        before = [time for time in times if time <= at]
        metre = held[before[-1]] if before else COMMON_TIME
        following = times[bisect_right(times, at)] if times and times[-1] > at else None
        stop = at + metre.bar if following is None else min(at + metre.bar, following)
        bars.append(Walked(number, at, stop, metre))
        at, number = stop, number + 1
    return bars


@given(CHANGES, st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(7, 3)]), st.lists(MOMENTS))
def test_bars_equal_those_counted_one_by_one(
    changes: list[tuple[Fraction, Metre]], pickup: Fraction, moments: list[Fraction]
) -> None:
    bars = Bars(changes, pickup=pickup)
    walked = walk(changes, pickup, max([Fraction(40), *moments]))
    for moment in [*moments, *(bar.start for bar in walked)]:
        number, start, end, metre = next(bar for bar in walked if bar.start <= moment < bar.end)
        assert bars.number_at(moment) == number
        assert bars.bar_at(moment) == Bar(number, start, end - start, metre)
        assert bars.next_bar_line(moment) == (start if moment == start else end)
        front = metre.bar - pickup if number == 0 else 0
        assert bars.position_at(moment) == BarPosition(number, metre.beat_number(moment - start + front))
        assert bars.strength(moment) == metre.strength(moment - start + front)
    for number, start, end, metre in walked:
        assert (bars.start_of(number), bars.bar(number)) == (start, Bar(number, start, end - start, metre))
    end = Fraction(40)
    expected = [Bar(number, start, stop - start, metre) for number, start, stop, metre in walked if start < end]
    assert list(bars.until(end)) == expected


@given(CHANGES, st.sampled_from([1, 96, 480, 100]), st.lists(MOMENTS))
def test_bars_in_ticks_equal_bars_in_quarters(
    changes: list[tuple[Fraction, Metre]], quarter: int, moments: list[Fraction]
) -> None:
    ticks = [(int(at * quarter), metre) for at, metre in changes]
    bars, same = Bars(ticks, quarter), Bars([(Fraction(at, quarter), metre) for at, metre in ticks])
    for tick in (int(moment * quarter) for moment in moments):
        assert bars.number_at(tick) == same.number_at(Fraction(tick, quarter))
        assert bars.position_at(tick) == same.position_at(Fraction(tick, quarter))
        assert bars.next_bar_line(tick) == same.next_bar_line(Fraction(tick, quarter)) * quarter


def test_a_change_in_the_middle_of_a_bar_starts_a_new_bar() -> None:
    changes = [(0, "1/4"), (480, "4/4"), (480 + 2 * 1920, "7/8"), (480 + 2 * 1920 + 2000, "3/4")]
    bars = Bars([(tick, parse_metre(name)) for tick, name in changes], 480)
    assert [bars.start_of(bar) for bar in range(1, 8)] == [0, 480, 2400, 4320, 6000, 6320, 7760]
    ticks = (0, 479, 480, 4319, 4320, 5999, 6000, 6319, 6320, 7760)
    assert [bars.number_at(tick) for tick in ticks] == [1, 1, 2, 3, 4, 4, 5, 5, 6, 7]
    assert bars.bar(5).length == 320, "what is left of it"


def test_a_repeated_metre_starts_a_new_bar() -> None:
    assert [bar.start for bar in Bars([(0, COMMON_TIME), (3, COMMON_TIME)]).until(8)] == [0, 3, 7]


def test_the_first_full_bar_always_exists() -> None:
    assert [bar.number for bar in Bars([]).until(0)] == [1]
    assert [bar.number for bar in Bars([], pickup=Fraction(1)).until(1)] == [0, 1]


def test_moments_before_the_beginning_are_in_the_first_bar() -> None:
    assert Bars([]).number_at(-5) == 1
    assert Bars([], pickup=Fraction(1)).bar_at(Fraction(-1)).number == 0


def test_moments_with_equal_floats_are_distinguished() -> None:
    third, hair = Fraction(1, 3), Fraction(1, 10**30)
    bars = Bars([(third, parse_metre("3/4")), (third + hair, parse_metre("2/4"))])
    moments = (third - hair, third, third + hair / 2, third + hair)
    assert [bars.number_at(moment) for moment in moments] == [1, 2, 2, 3]


def test_very_many_changes_take_little_time() -> None:
    """Count bars with a metre change at every tick. An algorithm of quadratic time would take minutes."""
    changes, three = 200_000, parse_metre("3/4")
    bars = Bars([(tick, three if tick % 2 else COMMON_TIME) for tick in range(changes)], 480)
    assert bars.number_at(changes - 1) == changes and bars.start_of(changes // 2) == changes // 2 - 1
    assert sum(1 for _ in bars.until(changes)) == changes
