"""The level of a recording over time, measured while it is decoded, at the file's own rate and on all of its channels.

Each value belongs to one piece of 100 ms. A place is clipped if four or more samples in a row have the same value
(within one step of 16 bits) and lie above half of full scale, or if a sample lies above full scale.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.codecs.loudness import HOPS_PER_S, LoudnessMeter
from consort_audio.codecs.samples import Samples

_SAME = 3.2e-5
_FLAT_FROM = 0.5
_OVER = 1.0001


class Levels(NamedTuple):
    powers: NDArray[np.float64]
    """K-weighted power (ITU-R BS.1770), added over channels."""
    peaks: NDArray[np.float32]
    """The highest sample of any channel; full scale is 1."""
    clipped: NDArray[np.int64]
    """The number of clipped samples."""


class LevelMeter:
    """Measures `Levels` block by block."""

    def __init__(self, sample_rate: int, channels: int) -> None:
        self._loudness = LoudnessMeter(sample_rate, channels)
        self._rate = sample_rate
        self._frames = 0
        self._peaks = np.zeros(0, np.float32)
        self._clipped = np.zeros(0, np.int64)

    def add(self, block: Samples) -> None:
        """Measure the next frames. A block has one row per frame and one column per channel."""
        if not len(block):
            return
        self._loudness.add(block)
        first = self._frames * HOPS_PER_S // self._rate
        last = (self._frames + len(block) - 1) * HOPS_PER_S // self._rate
        missing = last + 1 - len(self._peaks)
        if missing > 0:
            self._peaks = np.pad(self._peaks, (0, missing))
            self._clipped = np.pad(self._clipped, (0, missing))
        starts = -(-np.arange(first, last + 1) * self._rate // HOPS_PER_S) - self._frames
        starts[0] = 0
        highest = np.maximum.reduceat(block, starts, axis=0).max(axis=1)
        lowest = np.minimum.reduceat(block, starts, axis=0).min(axis=1)
        found = np.maximum(highest, -lowest)
        np.maximum(self._peaks[first : last + 1], found, out=self._peaks[first : last + 1])
        if found.max() > _FLAT_FROM:
            places = np.flatnonzero(_clipped(block).any(axis=1))
            np.add.at(self._clipped, (places + self._frames) * HOPS_PER_S // self._rate, 1)
        self._frames += len(block)

    def levels(self) -> Levels:
        return Levels(self._loudness.hop_powers(), self._peaks, self._clipped)


def measured_levels(samples: NDArray[np.float32], sample_rate: int) -> Levels:
    """Return the levels of samples of one channel that are all there."""
    meter = LevelMeter(sample_rate, 1)
    for start in range(0, len(samples), 1 << 18):
        meter.add(samples[start : start + (1 << 18), None])
    return meter.levels()


def _clipped(block: Samples) -> NDArray[np.bool_]:
    """Return which samples are clipped. Runs of equal samples across the border of two blocks are not found."""
    result = np.abs(block) > _OVER
    same = (np.abs(np.diff(block, axis=0)) < _SAME) & (np.abs(block[1:]) > _FLAT_FROM)
    if len(same) >= 3:
        runs = same[:-2] & same[1:-1] & same[2:]
        for shift in range(4):
            result[shift : shift + len(runs)] |= runs
    return np.asarray(result)
