"""Halve the sample rate again and again, because low notes need long windows but few samples (an octave pyramid).

Level 0 is the audio, level 1 has half its sample rate, and so on. Each step is a binomial filter, 1 4 6 4 1, whose
response is cos⁴(π f / rate). It damps what would be mirrored into the rows of a level by 41 dB or more, because a level
is used only up to a fifth of its sample rate. What it damps within that range is compensated (`octave_gain`).
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.pictures.measuring.columns import ChannelSamples

_RATE_PER_HZ = 5.0
_OVERLAP = 2  # samples before the first one that a step needs
_OUTER, _INNER, _MIDDLE = (np.float32(weight / 16) for weight in (1, 4, 6))


def highest_level(frequencies: NDArray[np.float64], sample_rate: int) -> NDArray[np.intp]:
    """Return the highest level that can be used for each frequency, in hertz."""
    return np.maximum(np.floor(np.log2(sample_rate / (_RATE_PER_HZ * frequencies))), 0).astype(np.intp)


def octave_gain(frequencies: NDArray[np.float64], sample_rate: int, level: int) -> NDArray[np.float64]:
    """Return the factor by which the filters change the power of these frequencies, in hertz, up to a level."""
    rates = sample_rate / 2.0 ** np.arange(level)
    return np.asarray(np.prod(np.cos(np.pi * frequencies[:, None] / rates) ** 8, axis=1))


class RateHalver:
    """Halves the sample rate of consecutive blocks. Sample n of the result is at sample 2n of the input."""

    def __init__(self, channels: int) -> None:
        self._waiting: ChannelSamples = np.zeros((channels, _OVERLAP), dtype=np.float32)

    def halve(self, samples: ChannelSamples) -> ChannelSamples:
        """Return the samples that can be computed so far. The first block starts at an even sample."""
        joined = np.concatenate([self._waiting, samples], axis=1)
        even, odd = joined[:, ::2], joined[:, 1::2]
        count = max(0, even.shape[1] - 2)
        self._waiting = joined[:, 2 * count :].copy()
        even, odd = np.ascontiguousarray(even), np.ascontiguousarray(odd)
        halved = even[:, 1 : count + 1] * _MIDDLE
        halved += (even[:, :count] + even[:, 2 : count + 2]) * _OUTER
        halved += (odd[:, :count] + odd[:, 1 : count + 1]) * _INNER
        return halved
