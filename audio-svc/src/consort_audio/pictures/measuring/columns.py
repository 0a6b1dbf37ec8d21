"""Divide a part of a file into columns of equal length, one for each pixel of the time axis."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

ChannelSamples = NDArray[np.float32]
"""Audio of shape (channels, frames)."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The frames from `first` to `end` (not included) of a file, divided into `count` columns."""

    first: int
    end: int
    count: int
    sample_rate: int

    @property
    def frames(self) -> int:
        return self.end - self.first

    @property
    def frames_per_column(self) -> float:
        return self.frames / self.count

    @property
    def seconds_per_column(self) -> float:
        return self.frames_per_column / self.sample_rate

    @property
    def start_time(self) -> Fraction:
        return Fraction(self.first, self.sample_rate)

    @property
    def end_time(self) -> Fraction:
        return Fraction(self.end, self.sample_rate)

    def edges(self) -> NDArray[np.int64]:
        """Return the first frame of each column, counted from the start of the file, and the end of the last one."""
        return self.first + (np.arange(self.count + 1, dtype=np.int64) * self.frames) // self.count

    def centres(self, per_column: int) -> NDArray[np.int64]:
        """Return the frames in the middle of equal parts of each column, `per_column` of them for each."""
        parts = np.arange(self.count * per_column) + 0.5
        return self.first + (parts * self.frames_per_column / per_column).astype(np.int64)
