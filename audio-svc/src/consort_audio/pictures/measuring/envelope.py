"""Measure the envelope of a waveform: lowest, highest and RMS value of each column, and where it is clipped.

Stereo has two lanes. More channels are mixed down to one lane, because eight thin lanes show nothing.

- The RMS value of a column is the square root of the mean of its squared samples.
- Clipped: at least three samples in a row, in any channel, at 99.9% of full scale or above. A single sample at full
  scale is what normalising produces.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.pictures.measuring.columns import ChannelSamples, Columns

CLIPPED_LEVEL = 0.999
CLIPPED_IN_A_ROW = 3
MOST_LANES = 2
_FEW_FRAMES = 4
"""If there are at most this many frames for each column, the samples themselves are kept, to draw a curve."""


class Envelope:
    """Collects the envelope. Call `add` with all samples of the columns in order, then read the arrays.

    Arrays have the shape (lanes, columns), `clipped` and `clipped_samples` exclude lanes.
    """

    def __init__(self, columns: Columns, channels: int) -> None:
        self.columns = columns
        self.channels = channels
        self.lanes = channels if channels <= MOST_LANES else 1
        shape = self.lanes, columns.count
        self.low = np.full(shape, np.inf, dtype=np.float32)
        self.high = np.full(shape, -np.inf, dtype=np.float32)
        self.clipped = np.zeros(columns.count, dtype=bool)
        self.peak = 0.0
        self.samples: ChannelSamples | None = None
        if columns.frames <= _FEW_FRAMES * columns.count:
            self.samples = np.zeros((self.lanes, columns.frames), dtype=np.float32)
        self._edges = columns.edges()
        self._squares = np.zeros(shape)
        self._carried = np.zeros((channels, CLIPPED_IN_A_ROW - 1), dtype=bool)

    def add(self, at: int, samples: ChannelSamples) -> None:
        """Add the samples that start at frame `at` of the file."""
        if not samples.shape[1]:
            return
        self._find_clipping(at, samples)
        lanes = samples if samples.shape[0] == self.lanes else samples.mean(axis=0, keepdims=True, dtype=np.float32)
        if self.samples is not None:
            begin = at - self.columns.first
            self.samples[:, begin : begin + lanes.shape[1]] = lanes
        first = int(np.searchsorted(self._edges, at, side="right")) - 1
        last = int(np.searchsorted(self._edges, at + lanes.shape[1], side="left"))
        starts = np.maximum(self._edges[first:last] - at, 0)
        filled = np.flatnonzero(np.diff(np.append(starts, lanes.shape[1])))  # short audio has empty columns
        here, starts = first + filled, starts[filled]
        low, high = (extreme.reduceat(lanes, starts, axis=1) for extreme in (np.minimum, np.maximum))
        self.low[:, here] = np.minimum(self.low[:, here], low)
        self.high[:, here] = np.maximum(self.high[:, here], high)
        self._squares[:, here] += np.add.reduceat(np.square(lanes), starts, axis=1)

    @property
    def rms(self) -> NDArray[np.float64]:
        """The RMS value of each column; 0 for a column without samples."""
        means = self._squares / np.maximum(np.diff(self._edges), 1)
        return np.asarray(np.sqrt(means))

    def _find_clipping(self, at: int, samples: ChannelSamples) -> None:
        loudest = float(np.abs(samples).max())
        self.peak = max(self.peak, loudest)
        if loudest < CLIPPED_LEVEL:
            self._carried[:] = False
            return
        full = np.concatenate([self._carried, np.abs(samples) >= CLIPPED_LEVEL], axis=1)
        runs = full[:, :-2] & full[:, 1:-1] & full[:, 2:]
        ends = at + np.flatnonzero(runs.any(axis=0))
        self.clipped[np.searchsorted(self._edges, ends, side="right") - 1] = True
        self._carried = full[:, -(CLIPPED_IN_A_ROW - 1) :]
