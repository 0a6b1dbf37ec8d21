"""Grids: their names, and the grid point nearest to a tick."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.beats import round_half_up
from consort_music.errors import MusicError
from consort_music.timing.grid import GRID_NAMES, Grid, TickGrid, parse_grid

ticks = st.integers(0, 10**7)
ppqs = st.sampled_from([1, 24, 96, 100, 120, 480, 960, 32767])
grids = st.builds(
    parse_grid, st.sampled_from([*GRID_NAMES, "1/1", "1/2", "1/64", "1/64t"]), st.sampled_from([50, 54.5, 60, 66.7, 75])
)
strengths = st.one_of(st.sampled_from([0, 1]), st.floats(0, 1).map(lambda share: round(share, 3)))


@pytest.mark.parametrize(
    ("name", "step"), [("1/1", "4"), ("1/4", "1"), ("1/16", "1/4"), ("1/8t", "1/3"), ("1/4t", "2/3"), ("1/32t", "1/12")]
)
def test_a_name_is_an_exact_fraction_of_a_beat(name: str, step: str) -> None:
    assert parse_grid(name) == Grid(Fraction(step), Fraction(1, 2))


@pytest.mark.parametrize("name", ["", "1/3", "1/8T", "1/8 ", "1/8\n", "2/4", "1/8tt", "quarter", "1/" + "9" * 1000])
def test_unknown_names_are_rejected_with_the_known_ones(name: str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_grid(name)
    assert raised.value.code == "INVALID_GRID"
    assert "1/8t" in raised.value.suggestions and len(raised.value.message) < 200


def test_ties_go_up() -> None:
    grid = TickGrid(parse_grid("1/16"), 480)
    assert [grid.move(tick) for tick in (0, 59, 60, 61, 179, 180)] == [0, 0, 120, 120, 120, 240]


def test_triplets_between_ticks_are_rounded_once() -> None:
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
    assert over.move(tick, strength) == round_half_up(tick + way)
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
