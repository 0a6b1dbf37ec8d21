"""The limiter keeps every sample below the ceiling and changes nothing far from a peak."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from consort_audio.codecs.limiter import LOOK_AHEAD_S, limited_blocks
from consort_audio.codecs.samples import Samples

RATE = 8000
CEILING = 0.9


def limit(samples: Samples, gain: float, block_frames: int) -> Samples:
    blocks = limited_blocks(
        lambda first, end: samples[first:end], len(samples), gain, CEILING, RATE, block_frames=block_frames
    )
    return np.concatenate(list(blocks))


def noise_with_peaks(seed: int, frames: int) -> Samples:
    random = np.random.default_rng(seed)
    samples = random.normal(0, 0.1, (frames, 2))
    samples[random.integers(0, frames, 5)] *= 20
    return samples.astype(np.float32)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3000), st.floats(0.1, 8), st.integers(1, 1000))
def test_no_sample_exceeds_the_ceiling(seed: int, frames: int, gain: float, block_frames: int) -> None:
    samples = noise_with_peaks(seed, frames)
    limited = limit(samples, gain, block_frames)
    assert limited.shape == samples.shape
    assert np.abs(limited).max() <= CEILING * (1 + 1e-6)
    assert np.allclose(limited, limit(samples, gain, frames), atol=1e-6), "blocks leave no seams"


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 4))
def test_only_the_neighbours_of_a_peak_are_changed(seed: int, gain: float) -> None:
    samples = noise_with_peaks(seed, 2000)
    limited = limit(samples, gain, 300)
    reach = 2 * round(LOOK_AHEAD_S * RATE)
    is_peak = np.abs(samples * gain).max(axis=1) > CEILING
    is_near = np.convolve(is_peak, np.ones(2 * reach + 1), "same") > 0
    assert np.array_equal(limited[~is_near], (samples * np.float32(gain))[~is_near])
    assert np.all(np.abs(limited) <= np.abs(samples * np.float32(gain)) + 1e-9), "nothing gets louder"


def test_the_gain_changes_slowly() -> None:
    """A tone with one loud stretch keeps its waveform: the gain moves by at most 1 / (2 * reach) per frame."""
    time = np.arange(RATE) / RATE
    tone = np.sin(2 * np.pi * 200 * time) * np.where((time > 0.4) & (time < 0.6), 1.5, 0.5)
    samples = np.stack([tone, tone], axis=1).astype(np.float32)
    limited = limit(samples, 1.0, RATE)
    audible = np.abs(samples[:, 0]) > 0.1
    gains = limited[audible, 0] / samples[audible, 0]
    steps = np.abs(np.diff(gains)) / np.diff(np.flatnonzero(audible))
    assert gains.min() < 0.7
    assert steps.max() <= 1 / (2 * round(LOOK_AHEAD_S * RATE)) + 1e-3
