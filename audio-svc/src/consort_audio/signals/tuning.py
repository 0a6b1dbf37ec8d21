"""The tuning of a recording: how far its notes lie from A4 = 440 Hz.

The peaks of a spectrum are interpolated by a parabola through the logarithms of three bins. Each peak counts with its
magnitude in a histogram of its distance from the nearest semitone, in cents; the histogram wraps round at 50 cents and
is smoothed, and its highest place is the tuning. At most `_MOST_FRAMES` frames, spread over the recording, are used.
"""

import numpy as np

from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, Recording

_SIZE = 4096
_MOST_FRAMES = 1200
_LOWEST_HZ, _HIGHEST_HZ = 110.0, 2000.0
_PEAKS_OVER = 0.05
"""The least share of its frame's highest peak that a peak has, and of the loudest frame that its frame has."""
_SMOOTHING_CENTS = 5.0
_FEWEST_PEAKS = 20


def tuning_of(recording: Recording) -> float:
    """Return the tuning in semitones above A4 = 440 Hz, from -0.5 to 0.5, computed once. 0 if there are no tones."""
    return recording.feature("tuning", estimate_tuning)


def estimate_tuning(recording: Recording) -> float:
    samples = recording.samples
    if len(samples) < _SIZE:
        return 0.0
    count = min(_MOST_FRAMES, 1 + (len(samples) - _SIZE) // (_SIZE // 4))
    starts = np.linspace(0, len(samples) - _SIZE, count).astype(int)
    framed = np.lib.stride_tricks.sliding_window_view(samples, _SIZE)
    window = np.hanning(_SIZE)
    first, last = (round(hz * _SIZE / RATE) for hz in (_LOWEST_HZ, _HIGHEST_HZ))
    found = []
    for chunk in np.array_split(starts, -(-count // 256)):
        spectrum = np.abs(np.fft.rfft(framed[chunk] * window, axis=1)[:, first - 1 : last + 1])
        found.append(_peaks(spectrum, first))
    bins, heights, loudest = (np.concatenate(parts) for parts in zip(*found, strict=True))
    loud = loudest > _PEAKS_OVER * loudest.max() if len(loudest) else np.zeros(0, bool)
    bins, heights = bins[loud], heights[loud]
    if len(bins) < _FEWEST_PEAKS:
        return 0.0
    semitones = 12 * np.log2(bins * RATE / _SIZE / 440.0)
    cents = np.floor((semitones - np.floor(semitones)) * 100).astype(int) % 100
    histogram = np.bincount(cents, weights=heights, minlength=100)
    distance = np.minimum(np.arange(100), 100 - np.arange(100))
    smooth = np.exp(-0.5 * (distance / _SMOOTHING_CENTS) ** 2)
    smoothed = np.fft.irfft(np.fft.rfft(histogram) * np.fft.rfft(smooth), 100)
    best = (int(smoothed.argmax()) + 0.5) / 100
    return best if best < 0.5 else best - 1.0


def _peaks(spectrum: Numbers, first: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the places (in bins), the heights and their frame's highest value of all peaks."""
    middle = spectrum[:, 1:-1]
    highest = middle.max(axis=1, keepdims=True)
    is_peak = (
        (middle > spectrum[:, :-2]) & (middle >= spectrum[:, 2:]) & (middle > _PEAKS_OVER * highest) & (middle > 1e-6)
    )
    rows, columns = np.nonzero(is_peak)
    below, here, above = (np.log(spectrum[rows, columns + shift] + 1e-12) for shift in (0, 1, 2))
    bend = below - 2 * here + above
    offset = 0.5 * (below - above) / np.where(np.abs(bend) > 1e-9, bend, 1.0)
    places = np.asarray(columns + first + np.clip(offset, -0.5, 0.5), np.float64)
    return places, middle[rows, columns], np.asarray(highest[rows, 0])
