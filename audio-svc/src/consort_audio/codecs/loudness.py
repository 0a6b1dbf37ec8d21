"""Measure integrated loudness and the highest sample, block by block (ITU-R BS.1770-4).

Loudness is in LUFS, peaks in dB relative to full scale. The K-weighting filter is applied by FFT (overlap-save): its
impulse response has decayed below 1e-8 after `_SETTLE_S`, so that each part overlaps the part before by this time, and
the result equals that of the recursive filter. The mean square of each 100 ms is kept; four of them in a row make one
gating block of 400 ms with 75% overlap.
"""

import math

import numpy as np
from numpy.typing import NDArray

from consort_audio.codecs.samples import Samples

ABSOLUTE_GATE = -70.0
RELATIVE_GATE = -10.0
_OFFSET = -0.691
"""Makes a 997 Hz sine at full scale in one channel measure -3.01 LUFS."""
HOPS_PER_S = 10
"""How many powers a second `hop_powers` has."""
_HOPS_IN_BLOCK = 4
_SETTLE_S = 0.1

# The analogue prototypes of BS.1770's two filters, from which its coefficients for 48 kHz follow.
_SHELF_HZ, _SHELF_Q, _SHELF_DB, _SHELF_SLOPE = (
    1681.974450955533,
    0.7071752369554196,
    3.999843853973347,
    0.4996667741545416,
)
_HIGH_PASS_HZ, _HIGH_PASS_Q = 38.13547087602444, 0.5003270373238773

_SURROUND = 10**0.15
_WEIGHTS = {
    5: (1.0, 1.0, 1.0, _SURROUND, _SURROUND),
    6: (1.0, 1.0, 1.0, 0.0, _SURROUND, _SURROUND),
    8: (1.0, 1.0, 1.0, 0.0, 1.0, 1.0, _SURROUND, _SURROUND),
}
"""Weights by number of channels, in the order of WAV: left, right, centre, low, back, side. Other numbers: all 1."""


class LoudnessMeter:
    def __init__(self, sample_rate: int, channels: int) -> None:
        self._sample_rate = sample_rate
        self._weights = _WEIGHTS.get(channels, (1.0,) * channels)
        self._overlap = max(1, round(_SETTLE_S * sample_rate))
        self._size = 1 << math.ceil(math.log2(4 * self._overlap))
        self._response = _k_weighting(sample_rate, self._size)
        self._before = np.zeros((self._overlap, channels), np.float32)
        self._waiting: list[Samples] = []
        self._waiting_frames = 0
        self._hops = _HopSums(sample_rate)
        self._peak = 0.0

    def add(self, block: Samples) -> None:
        """Measure the next frames. A block has one row per frame and one column per channel."""
        if not len(block):
            return
        self._peak = max(self._peak, float(np.abs(block).max()))
        self._waiting.append(block.copy())
        self._waiting_frames += len(block)
        step = self._size - self._overlap
        if self._waiting_frames < step:
            return
        frames = np.concatenate(self._waiting)
        end = len(frames) - len(frames) % step
        for start in range(0, end, step):
            self._hops.add(self._weighted_squares(frames[start : start + step]))
            self._keep_overlap(frames[start : start + step])
        self._waiting, self._waiting_frames = [frames[end:]], len(frames) - end

    def loudness(self) -> float | None:
        """Return the integrated loudness in LUFS, or None if the audio is shorter than 400 ms or silent."""
        return gated_loudness(self.hop_powers())

    def hop_powers(self) -> NDArray[np.float64]:
        """Return the K-weighted power of each whole 100 ms: the mean square, added over channels by their weights."""
        hops = self._hops
        if self._waiting_frames:
            hops = hops.copy()
            hops.add(self._weighted_squares(np.concatenate(self._waiting)))
        return np.array(hops.finished) * HOPS_PER_S / self._sample_rate

    def peak_db(self) -> float | None:
        """Return the highest sample in dB relative to full scale, or None if every sample is zero."""
        return 20 * math.log10(self._peak) if self._peak > 0 else None

    def _weighted_squares(self, frames: Samples) -> NDArray[np.float64]:
        """Return the sum of the squares of all filtered channels for each frame. There are at most `step` frames."""
        joined = np.concatenate((self._before, frames))
        squares = np.zeros(len(frames))
        for channel, weight in enumerate(self._weights):
            # numpy transforms double precision three times as fast as single precision
            spectrum = np.fft.rfft(joined[:, channel].astype(np.float64), self._size)
            spectrum *= self._response
            filtered = np.fft.irfft(spectrum, self._size)[self._overlap : len(joined)]
            squares += weight * np.square(filtered)
        return squares

    def _keep_overlap(self, frames: Samples) -> None:
        self._before = np.concatenate((self._before, frames))[-self._overlap :]


class _HopSums:
    """The sum of the squares of each 100 ms, and of the part that has begun."""

    def __init__(self, sample_rate: int) -> None:
        self._sample_rate = sample_rate
        self._frames = 0
        self._begun = 0.0
        self.finished: list[float] = []

    def copy(self) -> "_HopSums":
        twin = _HopSums(self._sample_rate)
        twin._frames, twin._begun, twin.finished = self._frames, self._begun, list(self.finished)
        return twin

    def add(self, squares: NDArray[np.float64]) -> None:
        start = 0
        while start < len(squares):
            hop_end = self._end_of(len(self.finished)) - self._frames
            end = min(len(squares), start + hop_end)
            self._begun += float(squares[start:end].sum())
            self._frames += end - start
            if self._frames == self._end_of(len(self.finished)):
                self.finished.append(self._begun)
                self._begun = 0.0
            start = end

    def _end_of(self, hop: int) -> int:
        return (hop + 1) * self._sample_rate // HOPS_PER_S


def gated_loudness(hop_powers: NDArray[np.float64]) -> float | None:
    """Return the mean loudness of the 400 ms blocks that pass the absolute and then the relative gate, in LUFS.

    None if there is no such block.
    """
    if len(hop_powers) < _HOPS_IN_BLOCK:
        return None
    powers = np.convolve(hop_powers, np.full(_HOPS_IN_BLOCK, 1 / _HOPS_IN_BLOCK), mode="valid")
    loud = powers[powers > _power_of(ABSOLUTE_GATE)]
    if not len(loud):
        return None
    loud = loud[loud > loud.mean() * 10 ** (RELATIVE_GATE / 10)]
    return _OFFSET + 10 * math.log10(float(loud.mean()))


def loudness_of(powers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return K-weighted powers in LUFS, at least -120."""
    return np.asarray(_OFFSET + 10 * np.log10(np.maximum(powers, 1e-12)))


def _power_of(loudness: float) -> float:
    return float(10 ** ((loudness - _OFFSET) / 10))


def _k_weighting(sample_rate: int, size: int) -> NDArray[np.complex128]:
    """Return the response of the K-weighting filter at the frequencies of a real FFT of this size."""
    delay = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)

    def biquad(b: tuple[float, float, float], a: tuple[float, float, float]) -> NDArray[np.complex128]:
        top = b[0] + delay * (b[1] + delay * b[2])
        bottom = a[0] + delay * (a[1] + delay * a[2])
        return np.asarray(top / bottom, np.complex128)

    k = math.tan(math.pi * min(_SHELF_HZ / sample_rate, 0.49))
    high = 10 ** (_SHELF_DB / 20)
    band = high**_SHELF_SLOPE
    shelf = biquad(
        (high + band * k / _SHELF_Q + k * k, 2 * (k * k - high), high - band * k / _SHELF_Q + k * k),
        (1 + k / _SHELF_Q + k * k, 2 * (k * k - 1), 1 - k / _SHELF_Q + k * k),
    )
    k = math.tan(math.pi * min(_HIGH_PASS_HZ / sample_rate, 0.49))
    bottom = (1 + k / _HIGH_PASS_Q + k * k, 2 * (k * k - 1), 1 - k / _HIGH_PASS_Q + k * k)
    high_pass = biquad((bottom[0], -2 * bottom[0], bottom[0]), bottom)
    return np.asarray(shelf * high_pass, np.complex128)
