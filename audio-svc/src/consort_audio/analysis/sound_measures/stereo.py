"""Measure what needs both channels: the balance of frequency bands, the width, and the dynamics of single hits.

- Balance of a band: 10 log10(P_band / P_rest), in dB within `MOST_DB`, with P the power of both channels in Hann
  windows of 4,096 samples at 22,050 Hz from 30 Hz up. 0 dB: the band has as much power as everything else.
- Width: P_side / (P_mid + P_side) with mid (left + right) / 2 and side (left - right) / 2: 0 for mono, 0.5 for two
  independent channels or one silent one, 1 for opposite ones.
- Dynamic range: the level of the loudest `HIT_S` less the mean level between the first and the last sound, in dB: a
  crest factor, as DR meters show it. A loop has no loud and soft passages; what counts is how far hits stand out.
"""

from pathlib import Path

import numpy as np
import soxr

from consort_audio.codecs.decoding import open_audio
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE

LOW_BELOW_HZ, HIGH_FROM_HZ = 250.0, 2500.0
MOST_DB = 40.0
HIT_S = 0.05
_LOWEST_HZ = 30.0
_WINDOW = 4096
_SILENT = 1e-12
"""Power below which there is nothing: -120 dBFS."""
_SOUNDING = 1e-4
"""Hits are heard if their power is within 40 dB of the loudest."""


def read_stereo(path: Path) -> Numbers:
    """Return the samples at RATE, a row per channel. One channel is doubled; of more than two the first two count."""
    with open_audio(path) as reader:
        channels = min(reader.channels, 2)
        resampler = soxr.ResampleStream(reader.sample_rate, RATE, channels, dtype="float32", quality="HQ")
        parts = [resampler.resample_chunk(np.ascontiguousarray(block[:, :channels])) for block in reader.blocks()]
        parts.append(resampler.resample_chunk(np.zeros((0, channels), np.float32), last=True))
    samples = np.concatenate([part.reshape(-1, channels) for part in parts]).T.astype(np.float64)
    return np.repeat(samples, 2, axis=0) if channels == 1 else samples


def balances(stereo: Numbers) -> tuple[float, float, float]:
    """Return the balance of low, middle and high frequencies, in dB."""
    frequencies = np.fft.rfftfreq(_WINDOW, 1 / RATE)
    powers = np.zeros(len(frequencies))
    window = np.hanning(_WINDOW)
    for channel in stereo:
        padded = np.pad(channel, (0, max(_WINDOW - len(channel), 0)))
        framed = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[:: _WINDOW // 2]
        for chunk in np.array_split(framed, -(-len(framed) // 128)):
            powers += np.square(np.abs(np.fft.rfft(chunk * window, axis=1))).sum(axis=0)
    powers[frequencies < _LOWEST_HZ] = 0
    low, high = frequencies < LOW_BELOW_HZ, frequencies >= HIGH_FROM_HZ
    return _balance(powers, low), _balance(powers, ~low & ~high), _balance(powers, high)


def _balance(powers: Numbers, band: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    inside, outside = float(powers[band].sum()), float(powers[~band].sum())
    if inside + outside < _SILENT:
        return 0.0
    return float(np.clip(10 * np.log10(max(inside, _SILENT) / max(outside, _SILENT)), -MOST_DB, MOST_DB))


def width_of(stereo: Numbers) -> float:
    middle = float(np.square(stereo[0] + stereo[1]).mean())
    side = float(np.square(stereo[0] - stereo[1]).mean())
    return side / (middle + side) if middle + side > _SILENT else 0.0


def hit_range(stereo: Numbers) -> float:
    """Return how far the loudest hit stands out of the mean level, in dB."""
    size = round(HIT_S * RATE)
    power = np.square(stereo).mean(axis=0)
    sums = np.concatenate(([0.0], np.cumsum(power)))
    levels = (sums[size:] - sums[:-size])[:: size // 4] / size
    if not len(levels) or levels.max() < _SILENT:
        return 0.0
    heard = np.flatnonzero(levels >= levels.max() * _SOUNDING)
    return float(10 * np.log10(levels.max() / levels[heard[0] : heard[-1] + 1].mean()))
