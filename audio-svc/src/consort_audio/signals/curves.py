"""Windows and peaks of a curve, such as the onset strength."""

import numpy as np

from consort_audio.signals.arrays import Numbers


def moving(curve: Numbers, width: int) -> Numbers:
    """Return the values around each frame, one window per row. The curve is mirrored at its ends."""
    before = width // 2
    padded = np.pad(curve, (before, width - 1 - before), mode="symmetric")
    return np.lib.stride_tricks.sliding_window_view(padded, width)


def local_peaks(curve: Numbers, least: float, reach: int) -> Numbers:
    """Return the places above `least` that are the largest within `reach`."""
    is_largest = curve >= moving(curve, 2 * reach + 1).max(axis=1)
    return np.flatnonzero(is_largest & (curve > least) & (np.diff(curve, prepend=np.inf) != 0)).astype(float)
