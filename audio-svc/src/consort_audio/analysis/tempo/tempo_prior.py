"""Estimate how probable each tempo is before beats are tracked, from the autocorrelation of a beat activation."""

import numpy as np

from consort_audio.analysis.tempo.beat_path import FRAMES_PER_SECOND, TEMPOS
from consort_audio.signals.arrays import Numbers

MULTIPLES = ((1.0, 1.0), (2.0, 0.5), (3.0, 0.25), (4.0, 0.25), (0.5, 0.4))
"""Multiples of a period, and the weight of the autocorrelation there."""
CENTRE = 115.0
"""The tempo that listeners prefer, in beats per minute."""
WIDTH = 0.75
"""The standard deviation of the preference, in octaves."""
HINT_WIDTH = 0.08
"""The same around a tempo that the caller expects."""


def periodicity(activation: Numbers) -> Numbers:
    """Return how strongly the activation repeats at each of `TEMPOS`, at most 1: a comb of its autocorrelation."""
    centred = activation - activation.mean()
    count = len(centred)
    spectrum = np.fft.rfft(centred, 2 * count)
    correlation = np.fft.irfft(np.abs(spectrum) ** 2)[:count]
    correlation *= count / (correlation[0] + 1e-9) / np.maximum(1, count - np.arange(count))
    correlation[count * 3 // 4 :] = 0  # too few frames overlap
    lags = 60 * FRAMES_PER_SECOND / TEMPOS
    comb = sum(
        weight * np.interp(lags * multiple, np.arange(count), correlation, right=0) for multiple, weight in MULTIPLES
    )
    strongest = float(np.max(comb))
    return np.maximum(comb, 1e-3) / max(strongest, 1e-3)


def preference(bpm_hint: float | None) -> Numbers:
    """Return the log probability of each tempo without hearing anything: log-normal around `CENTRE` or the hint."""
    if bpm_hint is None:
        return -0.5 * (np.log2(TEMPOS / CENTRE) / WIDTH) ** 2
    return -0.5 * (np.log2(TEMPOS / bpm_hint) / HINT_WIDTH) ** 2
