import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.analysis.tempo.tempo_segments import is_steady, local_tempo, spread, tempo_parts


def beats_of(*intervals: float) -> NDArray[np.float64]:
    return np.concatenate([[0.0], np.cumsum(intervals)])


def test_a_metronome_is_one_steady_part() -> None:
    beats = beats_of(*[0.5] * 40)
    parts = tempo_parts(beats)
    assert [round(part.bpm, 6) for part in parts] == [120]
    assert is_steady(beats, parts)
    assert spread(beats) < 1e-9


def test_a_player_with_small_deviations_is_steady() -> None:
    beats = 0.6 * np.arange(60) + np.random.default_rng(3).normal(0, 0.012, 60)
    parts = tempo_parts(beats)
    assert is_steady(beats, parts)
    assert abs(parts[0].bpm - 100) < 0.3


@pytest.mark.parametrize("factor", [1.1, 1 / 1.1, 1.25])
@pytest.mark.parametrize("jitter", [0.0, 0.01])
def test_a_change_is_found_within_a_bar(factor: float, jitter: float) -> None:
    beats = beats_of(*[0.5] * 16, *[0.5 / factor] * 16)
    beats += np.random.default_rng(4).normal(0, jitter, len(beats)) if jitter else 0
    parts = tempo_parts(beats)
    assert len(parts) == 2
    assert abs(parts[1].first - 16) <= 4
    assert abs(parts[1].bpm / parts[0].bpm / factor - 1) < 0.02
    assert not is_steady(beats, parts)


def test_a_change_shows_after_few_beats_of_even_playing() -> None:
    beats = beats_of(*[0.64] * 5, *[0.704] * 4)
    assert [part.first for part in tempo_parts(beats)] == [0, 5]
    uneven = beats_of(0.64, 0.6, 0.68, 0.62, 0.66, 0.7, 0.66, 0.72, 0.68)
    assert len(tempo_parts(uneven)) == 1


def test_a_ritardando_is_not_steady() -> None:
    beats = beats_of(*[0.5] * 16, *np.linspace(0.5, 0.8, 12))
    assert not is_steady(beats, tempo_parts(beats))


def test_local_tempo_is_measured_over_four_beats() -> None:
    assert local_tempo(beats_of(0.5, 0.5, 0.5, 0.5, 1.0)) == pytest.approx([120, 96])


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_few_beats_are_one_part(count: int) -> None:
    parts = tempo_parts(np.linspace(0, 0.4 * (count - 1), count))
    assert [round(part.bpm) for part in parts] == [150]
