"""A recording in memory: one channel at `RATE`, its loudness over time, and the features that analyses share.

The file is decoded, mixed down and resampled block by block, so that a block at the file's own rate is all that is held
besides the result (30 minutes take 160 MB). Times are in seconds from the start of the file.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import soxr
from numpy.typing import NDArray

from consort_audio.codecs.decoding import open_audio
from consort_audio.signals.levels import LevelMeter, Levels, measured_levels

RATE = 22_050
"""Samples per second of `Recording.samples`."""

Mono = NDArray[np.float32]
"""The samples of one channel; full scale is 1."""

T = TypeVar("T")


class Recording:
    """Samples of one channel at `RATE`, and features that are computed when they are first asked for."""

    def __init__(self, samples: Mono, levels: Levels | None = None) -> None:
        self.samples = samples
        self._levels = levels
        self._features: dict[str, Any] = {}

    @property
    def duration(self) -> float:
        return len(self.samples) / RATE

    @property
    def levels(self) -> Levels:
        """The level over time, of all channels of the file; of the samples if they did not come from a file."""
        if self._levels is None:
            self._levels = measured_levels(self.samples, RATE)
        return self._levels

    def feature(self, name: str, compute: Callable[["Recording"], T]) -> T:
        """Return the feature with this name, which is computed by the first call and kept."""
        if name not in self._features:
            self._features[name] = compute(self)
        return cast(T, self._features[name])

    def at_rate(self, rate: int) -> Mono:
        """Return the samples at another rate."""
        if rate == RATE:
            return self.samples
        return self.feature(f"at {rate} Hz", lambda _: soxr.resample(self.samples, RATE, rate, quality="HQ"))


class _GrowingSamples:
    """Samples in one array that grows in place. A list of parts would leave as much memory unused when it is joined."""

    def __init__(self) -> None:
        self._samples = np.empty(1 << 20, np.float32)
        self._count = 0

    def add(self, part: Mono) -> None:
        end = self._count + len(part)
        if end > len(self._samples):
            self._samples.resize(max(end, len(self._samples) * 5 // 4), refcheck=False)
        self._samples[self._count : end] = part
        self._count = end

    def all(self) -> Mono:
        self._samples.resize(self._count, refcheck=False)
        return self._samples


def read_recording(path: Path) -> Recording:
    """Decode a file. Raise MusicError (INVALID_AUDIO, TOO_SHORT) if it cannot be decoded."""
    with open_audio(path) as reader:
        resampler = soxr.ResampleStream(reader.sample_rate, RATE, 1, dtype="float32", quality="HQ")
        meter = LevelMeter(reader.sample_rate, reader.channels)
        samples = _GrowingSamples()
        for block in reader.blocks():
            meter.add(block)
            samples.add(resampler.resample_chunk(block.mean(axis=1, dtype=np.float32)))
        samples.add(resampler.resample_chunk(np.zeros(0, np.float32), last=True))
    return Recording(samples.all(), meter.levels())


def recording_from_samples(samples: Mono, rate: int) -> Recording:
    """Return a recording of samples of one channel at any rate, as tests and benchmarks have them."""
    single = samples.astype(np.float32)
    return Recording(
        single if rate == RATE else soxr.resample(single, rate, RATE, quality="HQ"),
        None if rate == RATE else measured_levels(single, rate),
    )
