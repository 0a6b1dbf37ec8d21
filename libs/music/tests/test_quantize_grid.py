"""Grids: their names, the nearest point, and swing."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.quantize import GRID_NAMES, Grid, TickGrid, half_up, parse_grid, parse_swing, swing_ticks

ticks = st.integers(0, 10**7)
ppqs = st.sampled_from([1, 24, 96, 100, 120, 480, 960, 32767])
grids = st.builds(
    parse_grid, st.sampled_from([*GRID_NAMES, "1/1", "1/2", "1/64", "1/64t"]), st.sampled_from([50, 54.5, 60, 66.7, 75])
)
strengths = st.one_of(st.sampled_from([0, 1]), st.floats(0, 1).map(lambda share: round(share, 3)))


@pytest.mark.parametrize(
    ("name", "step"), [("1/1", "4"), ("1/4", "1"), ("1/16", "1/4"), ("1/8t", "1/3"), ("1/4t", "2/3"), ("1/32t", "1/12")]
)
def test_a_name_is_an_exact_part_of_a_beat(name: str, step: str) -> None:
    assert parse_grid(name) == Grid(Fraction(step), Fraction(1, 2))


@pytest.mark.parametrize("name", ["", "1/3", "1/8T", "1/8 ", "1/8\n", "2/4", "1/8tt", "quarter", "1/" + "9" * 1000])
def test_other_names_are_refused_with_those_that_exist(name: str) -> None:
    with pytest.raises(MusicError) as refused:
        parse_grid(name)
    assert refused.value.code == "INVALID_GRID"
    assert "1/8t" in refused.value.suggestions and len(refused.value.message) < 200


def test_swing_is_a_share_and_two_thirds_is_exact() -> None:
    assert parse_swing(66.7) == parse_swing(66.67) == Fraction(2, 3)
    assert parse_swing(50) == Fraction(1, 2) and parse_swing(60.5) == Fraction(121, 200)
    for percent in (49.9, 75.1, 0, -60):
        with pytest.raises(MusicError):
            parse_swing(percent)


def test_ties_go_up() -> None:
    grid = TickGrid(parse_grid("1/16"), 480)
    assert [grid.move(tick) for tick in (0, 59, 60, 61, 179, 180)] == [0, 0, 120, 120, 120, 240]


def test_triplets_that_fall_between_ticks_are_rounded_once() -> None:
    grid = TickGrid(parse_grid("1/8t"), 100)  # points at 0, 33 1/3, 66 2/3, 100
    assert [grid.move(tick) for tick in (33, 34, 66, 67, 99)] == [33, 33, 67, 67, 100]
    assert grid.nearest(299) == 300 and grid.nearest(266) == Fraction(800, 3)


def test_swing_delays_every_second_point() -> None:
    grid = TickGrid(parse_grid("1/8", 66.7), 480)
    assert [grid.move(tick) for tick in (0, 159, 160, 240, 399, 400, 480)] == [0, 0, 320, 320, 320, 480, 480]


@settings(deadline=None)
@given(ticks, grids, ppqs)
def test_nearest_is_the_nearest_of_all_points(tick: int, grid: Grid, ppq: int) -> None:
    pair = 2 * grid.step * ppq
    first = tick // pair
    points = [(first + back) * pair + share * pair for back in (-1, 0, 1) for share in (0, grid.swing)]
    assert TickGrid(grid, ppq).nearest(tick) == min(points, key=lambda point: (abs(point - tick), -point))


@settings(deadline=None)
@given(ticks, grids, ppqs, strengths)
def test_strength_is_the_share_of_the_way(tick: int, grid: Grid, ppq: int, strength: float) -> None:
    over = TickGrid(grid, ppq)
    way = (over.nearest(tick) - tick) * Fraction(str(strength))
    assert over.move(tick, strength) == half_up(tick + way)
    assert over.move(tick, 0) == tick


@settings(deadline=None)
@given(st.lists(ticks).map(sorted), grids, ppqs, strengths)
def test_many_ticks_are_moved_as_one_by_one_and_stay_in_order(
    places: list[int], grid: Grid, ppq: int, strength: float
) -> None:
    over = TickGrid(grid, ppq)
    moved = over.move_all(places, strength)
    assert moved == [over.move(tick, strength) for tick in places]
    assert moved == sorted(moved)


@settings(deadline=None)
@given(ticks, grids, ppqs)
def test_after_is_the_next_tick_of_the_grid(tick: int, grid: Grid, ppq: int) -> None:
    over = TickGrid(grid, ppq)
    later = over.after(tick)
    assert later > tick
    assert over.move(later) == later
    assert not any(over.move(between) == between for between in range(tick + 1, min(later, tick + 50)))


@settings(deadline=None)
@given(st.lists(ticks).map(sorted), grids, ppqs)
def test_swinging_keeps_order_and_puts_straight_points_on_swung_ones(places: list[int], grid: Grid, ppq: int) -> None:
    swung = swing_ticks(places, grid, ppq)
    assert swung == sorted(swung)
    assert all(new >= old for new, old in zip(swung, places, strict=True))
    step = grid.step * ppq
    for count, place in enumerate(int(step * count) for count in range(8) if (step * count).denominator == 1):
        nearest = TickGrid(grid, ppq).nearest(swing_ticks([place], grid, ppq)[0])
        assert half_up(nearest) == swing_ticks([place], grid, ppq)[0], count


def test_straight_swing_changes_nothing() -> None:
    assert swing_ticks(list(range(2000)), parse_grid("1/8"), 480) == list(range(2000))
