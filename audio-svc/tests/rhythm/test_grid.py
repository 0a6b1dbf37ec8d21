import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.analysis.rhythm.grid import beat_positions, place_onsets

BEATS = np.linspace(1.0, 17.0, 33)


def times_of(positions: list[float]) -> NDArray[np.float64]:
    return 1.0 + 0.5 * np.array(positions)


@pytest.mark.parametrize(
    "rhythm",
    [
        [0.0, 1.0, 2.0, 3.0],
        [0.0, 0.5, 1.0, 1.5, 2.0, 3.0],
        [0.0, 1 / 3, 2 / 3, 1.0, 2.0, 7 / 3, 8 / 3, 3.0],
        [0.0, 0.75, 1.0, 1.75, 2.0, 2.5, 3.0, 3.25],
    ],
)
def test_exact_onsets_are_on_their_places(rhythm: list[float]) -> None:
    positions = [4 * bar + place for bar in range(6) for place in rhythm]
    found = place_onsets(times_of(positions), BEATS)
    assert found.positions == pytest.approx(positions)
    assert np.abs(found.deviations).max() < 1e-6
    assert found.seconds_per_beat == pytest.approx(np.full(len(positions), 0.5))


@pytest.mark.parametrize("late", [0.08, -0.07, 0.06])
def test_one_late_note_is_late_by_that_much_and_the_others_are_not(late: float) -> None:
    times = times_of([float(beat) for beat in range(24)])
    times[11] += late
    deviations = place_onsets(times, BEATS).deviations
    assert abs(deviations[11] - late) < 0.006
    assert np.abs(np.delete(deviations, 11)).max() < 0.02


def test_a_player_who_speeds_up_gradually_is_not_wrong() -> None:
    times = np.cumsum(np.linspace(0.6, 0.45, 40))
    found = place_onsets(times, times)
    assert np.abs(found.deviations).max() < 0.01
    assert found.seconds_per_beat[0] > found.seconds_per_beat[-1] + 0.1


def test_random_deviations_are_measured_with_their_size() -> None:
    errors = np.random.default_rng(7).normal(0, 0.02, 60)
    times = np.linspace(0.5, 0.5 + 0.55 * 59, 60)
    deviations = place_onsets(times + errors, times).deviations
    assert np.corrcoef(errors, deviations)[0, 1] > 0.85
    assert 0.014 < deviations.std() < 0.026


def test_positions_outside_the_beats_continue_the_first_and_last_beat() -> None:
    assert beat_positions(np.array([0.5, 1.25, 17.5]), BEATS) == pytest.approx([-1.0, 0.5, 33.0])
