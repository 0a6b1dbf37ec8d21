"""Integrated loudness by the recursive filters of ITU-R BS.1770-4, at 48 kHz, sample by sample. Slow and simple."""

import math

import numpy as np
from numpy.typing import NDArray

RATE = 48_000
_SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (-1.69065929318241, 0.73248077421585))
_HIGH_PASS = ((1.0, -2.0, 1.0), (-1.99004745483398, 0.99007225036621))
"""The coefficients of the two filters at 48 kHz, from tables 1 and 2 of the recommendation."""


def integrated_loudness(samples: NDArray[np.float64], sample_rate: int) -> float:
    """Return the loudness in LUFS. One row per frame; sound at another rate is resampled linearly to 48 kHz."""
    count = int(len(samples) * RATE / sample_rate)
    times = np.arange(count) * sample_rate / RATE
    power = np.zeros(count)
    for channel in samples.T:
        power += np.square(_filter(_filter(np.interp(times, np.arange(len(channel)), channel), _SHELF), _HIGH_PASS))
    block, step = round(0.4 * RATE), round(0.1 * RATE)
    blocks = np.array([power[start : start + block].mean() for start in range(0, count - block + 1, step)])
    heard = blocks[_loudness(blocks) > -70]
    heard = heard[_loudness(heard) > _loudness(heard.mean()) - 10]
    return float(_loudness(heard.mean()))


def _loudness(power: NDArray[np.float64]) -> NDArray[np.float64]:
    return -0.691 + 10 * np.log10(np.maximum(power, 1e-20))


def _filter(
    sound: NDArray[np.float64], coefficients: tuple[tuple[float, float, float], tuple[float, float]]
) -> NDArray[np.float64]:
    (b0, b1, b2), (a1, a2) = coefficients
    out = []
    x1 = x2 = y1 = y2 = 0.0
    for x in sound.tolist():
        y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x2, x1, y2, y1 = x1, x, y1, y
        out.append(y)
    assert math.isfinite(y1)
    return np.array(out)
