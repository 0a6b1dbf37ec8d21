"""Loudness agrees with a plain implementation of BS.1770-4 and with its test signals, however the audio is divided."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from consort_audio.codecs.loudness import LoudnessMeter
from tests.support.audio_files import Signal, sine

STAGES_AT_48_KHZ = (
    ((1.53512485958697, -2.69169618940638, 1.19839281085285), (-1.69065929318241, 0.73248077421585)),
    ((1.0, -2.0, 1.0), (-1.99004745483398, 0.99007225036621)),
)
"""The coefficients in the tables of BS.1770."""


def measured(signal: Signal, sample_rate: int, block: int = 65_536) -> LoudnessMeter:
    meter = LoudnessMeter(sample_rate, signal.shape[1])
    for start in range(0, len(signal), block):
        meter.add(signal[start : start + block])
    return meter


def filtered(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply both stages of the K-weighting, sample by sample."""
    for (b0, b1, b2), (a1, a2) in STAGES_AT_48_KHZ:
        x1 = x2 = y1 = y2 = 0.0
        output = np.empty_like(samples)
        for index, x in enumerate(samples.tolist()):
            y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
            x2, x1, y2, y1 = x1, x, y1, y
            output[index] = y
        samples = output
    return samples


def plain_loudness(signal: Signal) -> float:
    """Return the loudness of audio at 48 kHz, as the standard describes it."""
    channels = [filtered(signal[:, channel].astype(np.float64)) for channel in range(signal.shape[1])]
    starts = range(0, len(signal) - 19_200 + 1, 4_800)
    powers = [sum(float(np.mean(each[start : start + 19_200] ** 2)) for each in channels) for start in starts]
    loud = [power for power in powers if -0.691 + 10 * math.log10(power) > -70]
    gate = -0.691 + 10 * math.log10(np.mean(loud)) - 10
    return -0.691 + 10 * math.log10(np.mean([power for power in loud if -0.691 + 10 * math.log10(power) > gate]))


@given(seed=st.integers(0, 2**32 - 1), block=st.integers(1, 60_000), channels=st.integers(1, 2))
def test_like_the_recursive_filter_in_blocks_of_any_size(seed: int, block: int, channels: int) -> None:
    random = np.random.default_rng(seed)
    steps = np.repeat(10 ** random.uniform(-3, 0, 5), 4_800)[:, None]  # some parts are below the gates
    noise = (random.normal(0, 0.2, (24_000, channels)) * steps).astype(np.float32)
    assert measured(noise, 48_000, block + 100).loudness() == pytest.approx(plain_loudness(noise), abs=0.001)


@pytest.mark.parametrize("sample_rate", [8_000, 22_050, 44_100, 48_000, 96_000, 192_000])
@pytest.mark.parametrize("level", [-23.0, -33.0])
def test_a_stereo_sine_of_997_hz_is_as_loud_as_its_level(sample_rate: int, level: float) -> None:
    meter = measured(sine(997, 3, sample_rate, level, channels=2), sample_rate)
    assert meter.loudness() == pytest.approx(level, abs=0.1)
    assert meter.peak_db() == pytest.approx(level, abs=0.02)


def test_quiet_parts_do_not_count() -> None:
    """EBU Tech 3341, test 3: the quiet parts are below the relative gate."""
    parts = [sine(1000, seconds, 48_000, level, channels=2) for level, seconds in ((-36, 2), (-23, 12), (-36, 2))]
    assert measured(np.concatenate(parts), 48_000).loudness() == pytest.approx(-23, abs=0.1)


def test_channels_have_the_weights_of_the_standard() -> None:
    def loudness_of_channel(index: int) -> float | None:
        signal = np.zeros((48_000, 6), np.float32)
        signal[:, index] = sine(1000, 1, 48_000)[:, 0]
        return measured(signal, 48_000).loudness()

    front, side, low = loudness_of_channel(0), loudness_of_channel(4), loudness_of_channel(3)
    assert front is not None and side == pytest.approx(front + 1.5, abs=0.01) and low is None


def test_a_result_does_not_end_the_measurement() -> None:
    signal = sine(997, 4, 48_000, -20, channels=2)
    meter = LoudnessMeter(48_000, 2)
    meter.add(signal[:50_000])
    assert meter.loudness() == pytest.approx(-20, abs=0.1)
    meter.add(signal[50_000:])
    assert meter.loudness() == pytest.approx(measured(signal, 48_000).loudness(), abs=1e-9)


@pytest.mark.parametrize("signal", [np.zeros((96_000, 2), np.float32), np.zeros((0, 2), np.float32)])
def test_silence_has_neither_loudness_nor_peak(signal: Signal) -> None:
    meter = measured(signal, 48_000)
    assert meter.loudness() is None and meter.peak_db() is None


def test_audio_under_400_ms_has_no_loudness() -> None:
    assert measured(sine(997, 0.399, 48_000), 48_000).loudness() is None
    assert measured(sine(997, 0.4, 48_000), 48_000).loudness() is not None
