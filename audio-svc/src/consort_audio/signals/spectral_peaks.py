"""Tones or noise: how much of the power of a spectrum lies in clear peaks.

A peak is a local maximum whose power is at least `PEAK_RATIO` times the median power around it (`AROUND_BINS` to both
sides), with the bins of its main lobe. In white noise about 3% of the power is in such peaks by chance.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

PEAK_RATIO = 12.0
AROUND_BINS = 16
LOBE_BINS = 2


def peak_share(power: Numbers) -> Numbers:
    """Return the share of the power of each row that lies in clear peaks. A row is the power of one Hann window."""
    padded = np.pad(power, ((0, 0), (AROUND_BINS, AROUND_BINS)), mode="reflect")
    # every fourth bin of the neighbourhood is enough for a median
    shifts = [padded[:, shift : shift + power.shape[1]] for shift in range(0, 2 * AROUND_BINS + 1, 4)]
    floor = np.median(np.stack(shifts), axis=0)
    is_top = np.zeros(power.shape, bool)
    is_top[:, 1:-1] = (power[:, 1:-1] >= power[:, :-2]) & (power[:, 1:-1] >= power[:, 2:])
    is_top &= power > PEAK_RATIO * np.maximum(floor, 1e-12)
    in_lobe = is_top.copy()
    for shift in range(1, LOBE_BINS + 1):
        in_lobe[:, shift:] |= is_top[:, :-shift]
        in_lobe[:, :-shift] |= is_top[:, shift:]
    totals = np.maximum(power.sum(axis=1), 1e-12)
    return np.asarray(np.where(in_lobe, power, 0.0).sum(axis=1) / totals)
