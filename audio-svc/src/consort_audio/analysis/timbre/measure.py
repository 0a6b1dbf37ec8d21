"""Measure timbre. Frequencies are in Hz, times in seconds, shares from 0 to 1.

Spectra are of Hann windows of 4,096 samples at 22,050 Hz, so everything above 11 kHz is left out. A frame sounds if its
root mean square is above -60 dBFS and within `SOUNDING_DB` of the loudest frame. With m(f) the magnitude of a frame:

- spectral_centroid: sum(f m) / sum(m) per frame, averaged over sounding frames, weighted by their root mean square.
- brightness: log2(spectral_centroid / 200) / 5, limited to 0..1: 0 at 200 Hz or less, 1 at 6.4 kHz or more.
- warmth: the share of sum(m) below `WARM_BELOW_HZ`, averaged in the same way.
- harmonic_ratio: the share of the power in clear peaks (`signals.spectral_peaks`), averaged in the same way: about 1
  for a steady tone or chord, about 0 for noise; glides and percussion lie between.
- attack_time: the median, over the notes that begin clearly, of the time in which the level rises from 10% to 90% of
  the note's highest level within `ATTACK_S`. The level is the root mean square of windows of 256 samples, each 64
  samples after the one before; the rise of a step in this measure is subtracted in quadrature. None if no note begins
  clearly.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from consort_audio.analysis.rhythm.onsets import find_onsets
from consort_audio.signals.recording import RATE, Mono, Recording
from consort_audio.signals.spectral_peaks import peak_share

WINDOW = 4096
SOUNDING_DB = 40.0
LEAST_LEVEL = 1e-3
DARK_HZ, BRIGHT_OCTAVES = 200.0, 5.0
WARM_BELOW_HZ = 1000.0
ATTACK_S = 0.6
_MOST_FRAMES = 1500
_LOWEST_HZ = 40.0
_LEVEL_WINDOW, _LEVEL_HOP = 256, 64
_STEP_RISE_S = 0.0165
"""What is measured for a note that is at its level at once."""
_MOST_NOTES = 400
_LEAST_RISE_RATIO = 2.0
"""The level must rise to this many times the level before the note."""


class Timbre(NamedTuple):
    spectral_centroid: float
    brightness: float
    warmth: float
    harmonic_ratio: float
    attack_time: float | None
    notes: int
    """How many notes attack_time is the median of."""
    sounding_s: float


def measure_timbre(recording: Recording) -> Timbre | None:
    """Return the timbre of a recording, or None if it is silent."""
    frames, seconds = _sounding_frames(recording.samples)
    if not len(frames):
        return None
    window = np.hanning(WINDOW)
    frequencies = np.fft.rfftfreq(WINDOW, 1 / RATE)
    used = frequencies >= _LOWEST_HZ
    sums = np.zeros(4)
    for chunk in np.array_split(frames, -(-len(frames) // 128)):
        levels = np.sqrt(np.mean(np.square(chunk), axis=1, dtype=np.float64))
        magnitudes = np.abs(np.fft.rfft(chunk * window, axis=1))[:, used]
        totals = np.maximum(magnitudes.sum(axis=1), 1e-12)
        centroids = magnitudes @ frequencies[used] / totals
        warm = magnitudes[:, frequencies[used] < WARM_BELOW_HZ].sum(axis=1) / totals
        sums += [levels.sum(), levels @ centroids, levels @ warm, levels @ peak_share(np.square(magnitudes))]
    centroid, warmth, harmonic = (float(total / sums[0]) for total in sums[1:])
    brightness = float(np.clip(np.log2(max(centroid, 1.0) / DARK_HZ) / BRIGHT_OCTAVES, 0, 1))
    rises = attack_times(recording)
    attack = float(np.median(rises)) if len(rises) else None
    return Timbre(centroid, brightness, warmth, harmonic, attack, len(rises), seconds)


def _sounding_frames(samples: Mono) -> tuple[Mono, float]:
    """Return at most `_MOST_FRAMES` frames that sound, one per row, and for how many seconds there is sound."""
    if len(samples) < WINDOW:
        samples = np.pad(samples, (0, WINDOW - len(samples)))
    framed = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[:: WINDOW // 2]
    levels = np.sqrt(np.einsum("ij,ij->i", framed, framed, dtype=np.float64) / WINDOW)
    loud = np.flatnonzero(levels > max(LEAST_LEVEL, float(levels.max()) * 10 ** (-SOUNDING_DB / 20)))
    chosen = loud[np.linspace(0, len(loud) - 1, min(len(loud), _MOST_FRAMES)).astype(int)]
    return framed[chosen], len(loud) * WINDOW / 2 / RATE


def attack_times(recording: Recording) -> list[float]:
    """Return the rise time of each note that begins clearly, in seconds."""
    times = [onset.time for onset in find_onsets(recording)]
    edges = [*times[: _MOST_NOTES + 1], recording.duration]
    return [
        found
        for time, end in list(pairwise(edges))[:_MOST_NOTES]
        if end - time > 0.05 and (found := _rise_time(recording.samples, time, end)) is not None
    ]


def _rise_time(samples: Mono, onset: float, end: float) -> float | None:
    """Return the time from 10% to 90% of a note's highest level, or None if the level does not rise clearly."""
    first = max(0, round((onset - 0.08) * RATE))
    part = samples[first : round((min(end, onset + ATTACK_S)) * RATE)]
    if len(part) < 2 * _LEVEL_WINDOW:
        return None
    framed = np.lib.stride_tricks.sliding_window_view(part, _LEVEL_WINDOW)[::_LEVEL_HOP]
    level = np.sqrt(np.einsum("ij,ij->i", framed, framed, dtype=np.float64) / _LEVEL_WINDOW)
    level = np.convolve(np.pad(level, 2, mode="edge"), np.full(5, 0.2), mode="valid")
    highest = int(level.argmax())
    low = int(level[: highest + 1].argmin())
    bottom, top = float(level[low]), float(level[highest])
    if top < LEAST_LEVEL or top < _LEAST_RISE_RATIO * bottom:
        return None
    climb = level[low : highest + 1]
    until = int(np.argmax(climb >= bottom + 0.9 * (top - bottom)))
    since = int(np.flatnonzero(climb[: until + 1] <= bottom + 0.1 * (top - bottom))[-1])
    measured = (until - since) * _LEVEL_HOP / RATE
    return float(np.sqrt(max(measured**2 - _STEP_RISE_S**2, 0.0)))
