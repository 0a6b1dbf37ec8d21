"""Swing: its percentage, and straight ticks moved to swing."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.beats import round_half_up
from consort_music.errors import MusicError
from consort_music.timing.grid import GRID_NAMES, Grid, TickGrid, parse_grid
from consort_music.timing.swing import STRAIGHT, parse_swing, swing_ticks

ticks = st.integers(0, 10**7)
ppqs = st.sampled_from([1, 24, 96, 100, 120, 480, 960, 32767])
grids = st.builds(
    parse_grid, st.sampled_from([*GRID_NAMES, "1/1", "1/2", "1/64", "1/64t"]), st.sampled_from([50, 54.5, 60, 66.7, 75])
)


def test_swing_is_a_share_and_two_thirds_is_exact() -> None:
    assert parse_swing(66.7) == parse_swing(66.67) == Fraction(2, 3)
    assert parse_swing(50) == Fraction(1, 2) and parse_swing(60.5) == Fraction(121, 200)
    for percent in (49.9, 75.1, 0, -60):
        with pytest.raises(MusicError):
            parse_swing(percent)


@settings(deadline=None)
@given(st.lists(ticks).map(sorted), grids, ppqs)
def test_swinging_keeps_order_and_puts_straight_points_on_swung_ones(places: list[int], grid: Grid, ppq: int) -> None:
    step = grid.step * ppq
    swung = swing_ticks(places, step, grid.swing)
    assert swung == sorted(swung)
    assert all(new >= old for new, old in zip(swung, places, strict=True))
    for count, place in enumerate(int(step * count) for count in range(8) if (step * count).denominator == 1):
        (moved,) = swing_ticks([place], step, grid.swing)
        assert round_half_up(TickGrid(grid, ppq).nearest(moved)) == moved, count


def test_straight_swing_changes_nothing() -> None:
    assert swing_ticks(list(range(2000)), Fraction(240), STRAIGHT) == list(range(2000))
