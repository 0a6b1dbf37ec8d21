"""Measure how strongly something begins at each moment: spectral flux with a maximum filter (SuperFlux, Böck 2013).

A Hann window of 1,024 samples (46 ms) moves by 147 samples (6.7 ms). The power spectrum is gathered in 96 triangular
bands, evenly spaced on the mel scale from 27.5 Hz to 11 kHz, after the recording was scaled so that its loud parts have
a fixed level. With L = log(1 + 20 · power), the rise of band b at frame t is

    max(0, L[t, b] - max(L[t - 3, b - 1], L[t - 3, b], L[t - 3, b + 1])),

and the maximum over neighbouring bands keeps vibrato from counting as onsets. Frame t is centred on t / 150 s.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.arrays import Floats, Numbers
from consort_audio.signals.recording import RATE, Recording

HOP = 147
FRAMES_PER_SECOND = RATE // HOP
WINDOW = 1024
BANDS = 96
GROUPS = 8
LAG = 3
"""In frames: 20 ms."""
LOUD_LEVEL = 0.1
"""The root mean square to which the loud parts (the 95th percentile of frames) are scaled."""
QUIETEST = 1e-4
"""The least root mean square that is scaled up to `LOUD_LEVEL`: below -80 dBFS is silence."""
_CHUNK = 128
_LOWEST, _HIGHEST = 27.5, 11_000.0
_BASS_BELOW = 200.0


class OnsetStrength(NamedTuple):
    """Curves with 150 values a second."""

    rise: Floats
    """The mean rise over all bands."""
    bass: Floats
    """The mean rise over the bands below 200 Hz."""
    level: Floats
    """The root mean square of each window, unscaled; full scale is 1."""
    groups: Floats
    """The mean rise over each eighth of the bands, the lowest first: one row per frame."""


def onset_strength(recording: Recording) -> OnsetStrength:
    """Return the onset strength of a recording, computed once."""
    return recording.feature("onset strength", _compute)


def _compute(recording: Recording) -> OnsetStrength:
    filters, bass = _filters()
    samples = recording.samples
    gain = LOUD_LEVEL / max(loud_level(samples), QUIETEST)
    parts: list[tuple[Floats, ...]] = []
    before = None
    for frames in framed(samples, WINDOW, HOP, _CHUNK):
        power = _power(frames, gain)
        level = np.sqrt(np.einsum("ij,ij->i", frames, frames) / WINDOW)
        bands = np.log1p(20 * (power @ filters))
        history = np.concatenate([np.repeat(bands[:1], LAG, axis=0) if before is None else before, bands])
        before = history[-LAG:]
        earlier = history[:-LAG]
        widest = earlier.copy()
        np.maximum(widest[:, 1:], earlier[:, :-1], out=widest[:, 1:])
        np.maximum(widest[:, :-1], earlier[:, 1:], out=widest[:, :-1])
        rises = np.maximum(bands - widest, 0)
        parts.append((rises.mean(axis=1), rises[:, :bass].mean(axis=1), level, _group_means(rises)))
    return OnsetStrength(*(np.concatenate(column).astype(np.float32) for column in zip(*parts, strict=True)))


def _group_means(rises: Floats) -> Floats:
    return np.asarray(rises.reshape(len(rises), GROUPS, -1).mean(axis=2))


def loud_level(samples: Floats) -> float:
    """Return the 95th percentile of the root mean square of pieces of 50 ms."""
    piece = RATE // 20
    if len(samples) < piece:
        return float(np.sqrt(np.mean(samples**2))) if len(samples) else 0.0
    whole = samples[: len(samples) // piece * piece].reshape(-1, piece)
    return float(np.percentile(np.sqrt(np.einsum("ij,ij->i", whole, whole) / piece), 95))


def framed(samples: Floats, window: int, hop: int, at_once: int, offset: float = 0.0) -> Iterator[Floats]:
    """Yield windows, `at_once` rows at a time, without copying all samples. Window k is centred on sample k x hop.

    `offset` is subtracted from the samples; outside of them there is silence.
    """
    count = len(samples) // hop + 1
    for start in range(0, count, at_once):
        yield windows_between(samples, window, hop, start, min(start + at_once, count), offset)


def windows_between(samples: Floats, window: int, hop: int, first: int, last: int, offset: float = 0.0) -> Floats:
    """Return the windows from `first` to before `last`, one per row. See `framed`."""
    begin = first * hop - window // 2
    end = (last - 1) * hop - window // 2 + window
    part = samples[max(begin, 0) : end] - np.float32(offset) if offset else samples[max(begin, 0) : end]
    part = np.pad(part, (max(-begin, 0), max(end - max(len(samples), begin), 0)))
    return np.lib.stride_tricks.sliding_window_view(part, window)[::hop]


def _power(frames: Floats, gain: float) -> Floats:
    spectrum = np.fft.rfft(frames * (gain * _window()), axis=1)  # double precision, which numpy transforms faster
    return np.asarray(spectrum.real**2 + spectrum.imag**2, dtype=np.float32)


@cache
def _window() -> Numbers:
    return np.hanning(WINDOW)


@cache
def _filters() -> tuple[Floats, int]:
    """Return the triangular filters as a matrix (frequencies, bands), each of area 1, and how many are below 200 Hz."""
    edges = _from_mel(np.linspace(_to_mel(_LOWEST), _to_mel(_HIGHEST), BANDS + 2))
    frequencies = np.fft.rfftfreq(WINDOW, 1 / RATE)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising = (frequencies - low) / (middle - low)
    falling = (high - frequencies) / (high - middle)
    filters = np.maximum(0, np.minimum(rising, falling)) * (2 / (high - low))
    return filters.astype(np.float32), int((middle < _BASS_BELOW).sum())


def _to_mel(hertz: float) -> float:
    return float(2595 * np.log10(1 + hertz / 700))


def _from_mel(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    hertz: NDArray[np.float64] = 700 * (10 ** (mel / 2595) - 1)
    return hertz
