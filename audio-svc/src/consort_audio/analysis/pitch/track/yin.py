"""Find the period of every frame with YIN (de Cheveigné and Kawahara, 2002), computed by FFT for many frames at once.

The difference function of a frame is d(lag) = sum over `WINDOW` samples of (x[j] - x[j + lag])^2. Divided by its own
mean over all smaller lags it is d'(lag), which is near 0 at the period of a periodic sound and near 1 in noise.
Frames are centred at multiples of `HOP` samples at `PITCH_RATE`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.arrays import Floats
from consort_audio.signals.onset_strength import framed

PITCH_RATE = 16_000
"""In Hz. The swift-f0 model takes the same rate."""
HOP = 256
"""Samples between frames, as in the swift-f0 model: 16 ms."""
WINDOW = 1024
LONGEST_LAG = 640
"""The period of 25 Hz, in samples."""
SHORTEST_LAG = 7
"""Higher tones (over about 2,100 Hz) have too few samples in a period: see `partials`."""
DIP = 0.15
NEARLY_AS_DEEP = 0.08
"""The period is the first minimum of d' that is below DIP, or no more than this above the lowest value."""

_FFT = 2048
_FRAME = WINDOW + LONGEST_LAG
_FRAMES_AT_ONCE = 512
_TINY = 1e-12


@dataclass(frozen=True)
class YinFrames:
    """One value per frame."""

    frequency: Floats
    """In Hz: the first deep dip of d', or its lowest value."""
    aperiodicity: Floats
    """d' at that lag: 0 periodic, 1 noise."""
    exact: Floats
    """The given frequency, in Hz, corrected to the nearest dip of the difference function."""
    exact_aperiodicity: Floats
    """d' at the period of the given frequency."""


def yin_frames(samples: Floats, given: Floats, offset: float = 0.0) -> YinFrames:
    """Find the frequency of each frame; `given` has a first guess per frame (in Hz) from another method, or 0.

    `offset` is the mean of the samples.
    """
    count = len(given)
    frequency, aperiodicity, exact, exact_aperiodicity = (np.zeros(count, np.float32) for _ in range(4))
    for number, frames in enumerate(framed(samples, _FRAME, HOP, _FRAMES_AT_ONCE, offset)):
        chunk = slice(number * _FRAMES_AT_ONCE, number * _FRAMES_AT_ONCE + len(frames))
        difference = _difference(frames)
        normalised = _normalised(difference)
        lag = _first_dip(normalised)
        rows = np.arange(len(lag))
        aperiodicity[chunk] = normalised[rows, lag]
        guess = PITCH_RATE / np.maximum(_parabolic(difference, lag), 1)
        frequency[chunk] = _exact(difference, guess.astype(np.float32))
        exact[chunk] = _exact(difference, given[chunk])
        period = np.clip(np.round(PITCH_RATE / np.maximum(given[chunk], 1)), 1, LONGEST_LAG).astype(int)
        near = np.clip(period[:, None] + np.arange(-1, 2), 1, LONGEST_LAG)
        exact_aperiodicity[chunk] = normalised[rows[:, None], near].min(axis=1)
    return YinFrames(frequency, aperiodicity, exact, exact_aperiodicity)


def _difference(frames: Floats) -> Floats:
    """Return d(lag) for lags 0 to LONGEST_LAG, a row per frame."""
    exact = frames.astype(np.float64)  # numpy transforms double precision faster, and single precision faster back
    cross = np.fft.rfft(exact, _FFT)
    cross *= np.fft.rfft(exact[:, :WINDOW], _FFT).conj()
    correlation = np.fft.irfft(cross.astype(np.complex64), _FFT)[:, : LONGEST_LAG + 1]
    power = np.zeros((len(frames), _FRAME + 1))
    np.cumsum(np.square(exact, out=exact), axis=1, out=power[:, 1:])
    energy = power[:, WINDOW : WINDOW + LONGEST_LAG + 1] - power[:, : LONGEST_LAG + 1]
    return np.maximum(energy[:, :1] + energy - 2 * correlation, 0).astype(np.float32)


def _normalised(difference: Floats) -> Floats:
    mean = np.cumsum(difference, axis=1) / np.maximum(np.arange(LONGEST_LAG + 1), 1)
    return np.where(mean > _TINY, difference / np.maximum(mean, _TINY), 1).astype(np.float32)


def _first_dip(normalised: Floats) -> NDArray[np.intp]:
    """Return the lag of the first deep minimum in each row, or of the lowest value."""
    inner = normalised[:, SHORTEST_LAG:LONGEST_LAG]
    deep = np.maximum(inner.min(axis=1, keepdims=True) + NEARLY_AS_DEEP, DIP)
    dips = (inner < deep) & (inner <= normalised[:, SHORTEST_LAG - 1 : LONGEST_LAG - 1])
    dips &= inner < normalised[:, SHORTEST_LAG + 1 : LONGEST_LAG + 1]
    first, lowest = dips.argmax(axis=1), inner.argmin(axis=1)
    lag: NDArray[np.intp] = np.where(dips.any(axis=1), first, lowest) + SHORTEST_LAG
    return lag


def _parabolic(values: Floats, at: NDArray[np.intp]) -> Floats:
    """Return the position of the minimum near index `at` of each row, by a parabola through three values."""
    at = np.clip(at, 1, values.shape[1] - 2)
    rows = np.arange(len(at))
    left, middle, right = (values[rows, at + step].astype(np.float64) for step in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = np.where(bend > _TINY, 0.5 * (left - right) / np.maximum(bend, _TINY), 0)
    place: Floats = (at + np.clip(shift, -0.5, 0.5)).astype(np.float32)
    return place


def _exact(difference: Floats, guess: Floats) -> Floats:
    """Return frequencies corrected by the minimum near several periods, where a cent is more of a sample.

    A guess of 0 stays 0. A correction of more than 50 cents is not made.
    """
    period = PITCH_RATE / np.maximum(guess, 1)
    periods = np.clip(np.floor(420 / period), 1, 16)
    centre = periods * period
    reach = np.clip(np.minimum(0.012 * centre, period / 3), 1, 8)
    around = np.round(centre).astype(int)[:, None] + np.arange(-8, 9)
    allowed = (np.abs(around - centre[:, None]) <= reach[:, None] + 0.5) & (around > 0) & (around < LONGEST_LAG)
    rows = np.arange(len(guess))[:, None]
    values = np.where(allowed, difference[rows, np.clip(around, 0, LONGEST_LAG)], np.inf)
    lag = np.clip(around[rows[:, 0], values.argmin(axis=1)], 1, LONGEST_LAG - 1)
    found = PITCH_RATE * periods / _parabolic(difference, lag)
    ratio = found / np.maximum(guess, 1)
    usable = allowed.any(axis=1) & (np.abs(ratio - 1) < 0.03) & (guess > 0)
    return np.where(usable, found, guess).astype(np.float32)
