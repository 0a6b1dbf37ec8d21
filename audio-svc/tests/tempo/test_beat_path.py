import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.analysis.tempo.beat_path import BEAT_PART, FRAMES_PER_SECOND, PERIODS, TEMPOS, beat_path
from consort_audio.analysis.tempo.tempo_prior import periodicity

FLAT = np.zeros(len(PERIODS))


def activation(beats: NDArray[np.float64], frames: int, noise: float = 0.05) -> NDArray[np.float64]:
    curve = 0.02 + noise * np.random.default_rng(2).random(frames)
    curve[np.round(beats).astype(int)] = 0.9
    return curve


@pytest.mark.parametrize("bpm", [52, 77.3, 101, 133, 181])
def test_the_path_has_every_beat_of_a_noisy_activation_and_no_other(bpm: float) -> None:
    beats = np.arange(11, 1490, 60 * FRAMES_PER_SECOND / bpm)
    prior = -0.5 * (np.log2(TEMPOS / bpm) / 0.2) ** 2
    found = beat_path(activation(beats, 1500), prior, 40.0).frames
    inside = (found >= beats[0] - 2) & (found <= beats[-1] + 2)
    assert len(found[inside]) == len(beats)
    assert np.abs(found[inside] - beats).max() <= 1 + 60 * FRAMES_PER_SECOND / bpm / BEAT_PART


def test_the_path_follows_a_tempo_that_becomes_faster() -> None:
    beats = np.cumsum(np.linspace(40, 25, 40)) + 5
    found = beat_path(activation(beats, 1400), FLAT, 40.0).frames
    assert np.all(np.abs(beats[:, None] - found[None, :]).min(axis=1) <= 2)


def test_missing_beats_are_filled_in() -> None:
    beats = np.arange(10, 1000, 30)
    curve = activation(np.delete(beats, [7, 15, 16]), 1000)
    prior = -0.5 * (np.log2(TEMPOS / 100) / 0.2) ** 2
    found = beat_path(curve, prior, 40.0).frames
    assert np.all(np.abs(beats[:, None] - found[None, :]).min(axis=1) <= 1)


def test_the_strongest_periodicity_is_the_tempo_or_a_simple_ratio_of_it() -> None:
    beats = np.arange(5, 1500, 60 * FRAMES_PER_SECOND / 96)
    best = TEMPOS[np.argmax(periodicity(activation(beats, 1500)))]
    assert min(abs(best / 96 / ratio - 1) for ratio in (0.5, 1, 2)) < 0.04


@pytest.mark.parametrize("frames", [1, 3, 20, 200])
def test_short_and_empty_activations_give_a_path_within_them(frames: int) -> None:
    found = beat_path(np.full(frames, 0.01), FLAT, 40.0).frames
    assert np.all((found >= 0) & (found < frames))
