"""Probabilities of beats and downbeats, by the networks of BeatNet.

Features, at 50 frames per second: magnitudes of frames of 1,411 samples (Hann window) centred on `i / 50` seconds, in
24 triangular bands per octave from 30 Hz to 17 kHz (136 bands, each normalised to an area of 1), as `log10(1 + x)`,
followed by their positive differences from the frame before.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.sessions import session
from consort_audio.signals.onset_strength import windows_between
from consort_audio.signals.recording import RATE, Recording

FRAMES_PER_SECOND = 50
_HOP = RATE // FRAMES_PER_SECOND
_WINDOW = 1411
_FFT_BINS = _WINDOW // 2
_BANDS_PER_OCTAVE = 24
_LOWEST_HZ, _HIGHEST_HZ = 30.0, 17_000.0
_CELLS = 150
_FRAMES_AT_ONCE = 250


def beat_activations(recording: Recording, networks: Sequence[int] = (1,)) -> NDArray[np.float32] | None:
    """Return the probabilities of a beat (no downbeat) and of a downbeat, or None if the model is not installed.

    The shape is (frames, 2), at 50 frames per second. The mean of several of the networks 1, 2 and 3 can be asked for.
    """
    found = [session(f"beatnet-{number}") for number in networks]
    sessions = [each for each in found if each is not None]
    if not sessions or len(sessions) < len(found):
        return None
    count = -(-len(recording.samples) // _HOP)
    total = np.zeros((count, 2), np.float32)
    states = [[np.zeros((2, 1, _CELLS), np.float32)] * 2 for _ in sessions]
    for first in range(0, count, _FRAMES_AT_ONCE):
        last = min(first + _FRAMES_AT_ONCE, count)
        features = _features(recording.samples, first, last)
        for index, network in enumerate(sessions):
            hidden, cell = states[index]
            activations, *states[index] = network.run(
                ["activations", "new_hidden", "new_cell"], {"features": features, "hidden": hidden, "cell": cell}
            )
            total[first:last] += activations[:, :2]
    total /= len(sessions)
    return total


def _features(samples: NDArray[np.float32], first: int, last: int) -> NDArray[np.float32]:
    """Return the features of the frames from `first` to before `last`."""
    start = max(first - 1, 0)  # one more frame for the difference
    frames = windows_between(samples, _WINDOW, _HOP, start, last)
    # in double precision, which numpy transforms faster
    magnitudes = np.abs(np.fft.rfft(frames * np.hanning(_WINDOW), axis=1)[:, :_FFT_BINS]).astype(np.float32)
    bands = np.log10(1 + magnitudes @ _filterbank())
    differences = np.maximum(np.diff(bands, axis=0, prepend=bands[:1]), 0)
    return np.hstack([bands, differences])[first - start :]


@cache
def _filterbank() -> NDArray[np.float32]:
    """Return the triangular bands as a matrix (FFT bins, bands).

    The centres are 440 Hz times powers of `2 ** (1 / 24)`, rounded to FFT bins without repetition. A band reaches from
    the centre of the band before to that of the band after; the lowest bands are one bin wide.
    """
    steps = np.arange(
        np.floor(_BANDS_PER_OCTAVE * np.log2(_LOWEST_HZ / 440)), np.ceil(_BANDS_PER_OCTAVE * np.log2(_HIGHEST_HZ / 440))
    )
    centres_hz = 440 * 2 ** (steps / _BANDS_PER_OCTAVE)
    centres_hz = centres_hz[(centres_hz >= _LOWEST_HZ) & (centres_hz <= _HIGHEST_HZ)]
    bins = np.unique(np.clip(np.rint(centres_hz / (RATE / (2 * _FFT_BINS))), 0, _FFT_BINS - 1).astype(int))
    matrix = np.zeros((_FFT_BINS, len(bins) - 2), np.float32)
    for band, (start, centre, stop) in enumerate(zip(bins[:-2], bins[1:-1], bins[2:], strict=True)):
        if stop - start < 2:
            centre, stop = start, start + 1
        rising = np.linspace(0, 1, centre - start, endpoint=False)
        falling = np.linspace(1, 0, stop - centre, endpoint=False)
        shape = np.concatenate([rising, falling])
        matrix[start:stop, band] = shape / shape.sum()
    return matrix
