"""Keep the peaks of audio below a ceiling: a look-ahead limiter.

The gain that each frame needs is spread to the frames around it (sliding minimum) and then smoothed (moving average
over the same window). The average of values that are all small enough for a frame is small enough too, so no sample
exceeds the ceiling, and the gain changes slowly enough not to be heard as distortion. The cost is linear.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from consort_audio.codecs.samples import BLOCK_FRAMES, Samples

LOOK_AHEAD_S = 0.005
"""How long before a peak the gain begins to fall, and how long after it the gain has risen again, in seconds."""


ReadFrames = Callable[[int, int], Samples]
"""Returns the frames from the first number up to the second, which is not included."""


def limited_blocks(
    read: ReadFrames, frames: int, gain: float, ceiling: float, sample_rate: int, block_frames: int = BLOCK_FRAMES
) -> Iterator[Samples]:
    """Yield audio of this many frames multiplied by `gain`, in blocks, with all peaks limited to `ceiling`."""
    reach = max(1, round(LOOK_AHEAD_S * sample_rate))
    for start in range(0, frames, block_frames):
        end = min(start + block_frames, frames)
        first, last = max(0, start - 2 * reach), min(frames, end + 2 * reach)
        part = read(first, last) * np.float32(gain)
        level = np.abs(part).max(axis=1)
        if level.max() > ceiling:
            part *= _gains(level, ceiling, reach)[:, None]
        yield part[start - first : end - first]


def _gains(level: NDArray[np.float32], ceiling: float, reach: int) -> NDArray[np.float32]:
    """Return a smooth gain for each frame, at most `ceiling / level`."""
    needed = np.minimum(1, ceiling / np.maximum(level, ceiling)).astype(np.float64)
    lowest = _sliding_minimum(np.pad(needed, 2 * reach, constant_values=1.0), 2 * reach + 1)
    sums = np.concatenate(([0.0], np.cumsum(lowest)))
    smooth = (sums[2 * reach + 1 :] - sums[: -2 * reach - 1]) / (2 * reach + 1)
    return np.minimum(smooth, needed).astype(np.float32)


def _sliding_minimum(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Return the minimum of each `window` neighbouring values, by doubling the width of the window."""
    width = 1
    while width < window:
        step = min(width, window - width)
        values = np.minimum(values[step:], values[: len(values) - step])
        width += step
    return values
