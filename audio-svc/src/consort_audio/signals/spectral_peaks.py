"""Tones or noise: how much of the power of a spectrum lies in clear peaks.

A peak is a local maximum whose power is at least `PEAK_RATIO` times the median power around it (`AROUND_BINS` to both
sides), with the bins of its main lobe. In white noise about 3% of the power is in such peaks by chance.
"""

import numpy as np

from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, Mono, Recording

PEAK_RATIO = 12.0
AROUND_BINS = 16
LOBE_BINS = 2
WINDOW = 4096
_MOST_FRAMES = 200
_LOWEST_BIN = round(40 * WINDOW / RATE)


def tonal_share_of(recording: Recording) -> float:
    """Return the share of tones in a recording, computed once: near 1 for tones, under 0.1 for noise or silence."""
    return recording.feature("tonal share", lambda it: tonal_share(it.samples))


def tonal_share(samples: Mono) -> float:
    """Return the mean share over frames that are spread over the samples, weighted by their level."""
    padded = np.pad(samples, (0, max(0, WINDOW - len(samples))))
    count = min(_MOST_FRAMES, 1 + (len(padded) - WINDOW) // (WINDOW // 2))
    starts = np.linspace(0, len(padded) - WINDOW, count).astype(int)
    framed = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[starts]
    power = np.square(np.abs(np.fft.rfft(framed * np.hanning(WINDOW), axis=1)))[:, _LOWEST_BIN:]
    levels = np.sqrt(power.sum(axis=1))
    return float(levels @ peak_share(power) / levels.sum()) if levels.sum() > 1e-6 else 0.0


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
