"""Find the outline of an audio file for drawing its waveform: the lowest and highest sample of each stretch of time."""

from pathlib import Path

import numpy as np

from consort_audio.codecs.decoding import open_audio

DIGITS = 4


def peaks(path: Path, frames: int, count: int = 1000) -> list[list[float]]:
    """Return up to `count` pairs [lowest, highest], one for each of `count` equal stretches; all channels together.

    `frames` is the length of the file. A file with fewer frames than `count` gives one pair per frame.
    """
    count = min(count, frames)
    lowest, highest = np.full(count, np.inf, np.float32), np.full(count, -np.inf, np.float32)
    position = 0
    with open_audio(path) as audio:
        for block in audio.blocks():
            stretch = np.minimum(
                np.arange(position, position + len(block), dtype=np.int64) * count // frames, count - 1
            )
            first_of_each = np.flatnonzero(np.diff(stretch, prepend=-1))
            found = stretch[first_of_each]
            lowest[found] = np.minimum(lowest[found], np.minimum.reduceat(block.min(axis=1), first_of_each))
            highest[found] = np.maximum(highest[found], np.maximum.reduceat(block.max(axis=1), first_of_each))
            position += len(block)
    pairs = np.round(np.stack((lowest, highest), axis=1).astype(np.float64), DIGITS)
    return [[float(low), float(high)] for low, high in pairs[np.isfinite(pairs).all(axis=1)]]
