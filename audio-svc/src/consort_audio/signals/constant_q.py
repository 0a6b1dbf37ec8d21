"""A hybrid constant-Q transform: the magnitude of 36 bins per octave from F#0 to 5.8 kHz, 43 times a second.

Bins from about 2.2 kHz have windows that are shorter than two hops: for them the magnitudes of one STFT are summed with
the magnitudes of the filters. Below, each octave is filtered in the frequency domain, then the signal is halved in rate
and the same filters give the octave below (recursive downsampling). A bin's value is the inner product with a windowed
complex sinusoid of `Q` periods, times the square root of its length in samples. The lowest bin is moved by the tuning
of the recording, so that the middle one of three bins lies on the played semitone.

Reference: C. Schörkhuber, A. Klapuri: Constant-Q transform toolbox for music processing (2010). The scale and the split
are those of librosa's `hybrid_cqt`, because the chord network was trained on it.
"""

import math
from collections.abc import Iterator

import numpy as np
import soxr
from numpy.typing import NDArray

from consort_audio.signals.onset_strength import windows_between
from consort_audio.signals.recording import RATE, Mono, Recording
from consort_audio.signals.tuning import tuning_of

HOP = 512
"""Samples at `RATE` from one frame to the next. Frame k is centred at sample k x HOP."""
FRAME_RATE = RATE / HOP
"""Frames per second."""
BINS_PER_OCTAVE = 36
BINS = 288
LOWEST_MIDI = 18
"""The MIDI number of the first bin, F#0."""

_RATIO = 2 ** (2 / BINS_PER_OCTAVE)
_PERIODS = (_RATIO + 1) / (_RATIO - 1)
"""Q: the number of periods in a window, for which neighbouring bins overlap."""
_LONGEST_SHORT_WINDOW = HOP
_SHORT_FFT = 2 * HOP
_OCTAVE_FFT = HOP
_CHUNK_FRAMES = 2048
_KEPT = 1e-3
"""The share of a filter's largest magnitude below which its spectrum is left out."""

Complex = NDArray[np.complex64]
Bins = NDArray[np.float32]
"""Magnitudes: one row per frame, one column per bin."""


def constant_q_of(recording: Recording) -> Bins:
    """Return the transform of a recording, tuned to it, computed once."""
    return recording.feature("constant-Q", lambda it: constant_q(it.samples, tuning_of(it)))


def constant_q(samples: Mono, tuning: float = 0.0) -> Bins:
    """Return one row of `BINS` magnitudes for each frame. `tuning` is in semitones above A4 = 440 Hz."""
    frames = 1 + len(samples) // HOP
    result = np.empty((frames, BINS), np.float32)
    lowest = 440.0 * 2 ** ((LOWEST_MIDI - 69 + tuning) / 12)
    split = first_short_bin(lowest)
    _add_short(result[:, split:], samples, lowest * 2 ** (split / BINS_PER_OCTAVE))
    octave = lowest * 2 ** ((split - BINS_PER_OCTAVE + np.arange(BINS_PER_OCTAVE)) / BINS_PER_OCTAVE)
    begin, filters = _filter_spectra(octave, RATE / 2, _OCTAVE_FFT)
    filters *= np.sqrt(_PERIODS * RATE / octave).astype(np.float32)
    signal, hop, last = samples, HOP, split
    while last > 0:
        signal, hop = _halve(signal), hop // 2
        first = max(0, last - BINS_PER_OCTAVE)
        _add_octave(result[:, first:last], signal, hop, begin, filters[:, first - last :])
        filters, last = filters * np.float32(math.sqrt(2)), first
    return result


def first_short_bin(lowest: float) -> int:
    """Return the first bin whose window is at most one hop long."""
    return math.ceil(BINS_PER_OCTAVE * math.log2(_PERIODS * RATE / _LONGEST_SHORT_WINDOW / lowest))


def _halve(signal: Mono) -> Mono:
    return soxr.resample(signal, 2, 1, quality="HQ") if len(signal) else signal


def _add_octave(result: Bins, signal: Mono, hop: int, begin: int, filters: Complex) -> None:
    """Fill the columns of one octave, or of its upper part, from the signal at this octave's rate."""
    for start, framed in _frames(signal, _OCTAVE_FFT, hop, len(result)):
        # numpy transforms double precision faster than single precision
        spectrum = np.fft.rfft(framed.astype(np.float64), axis=1)[:, begin : begin + len(filters)]
        result[start : start + len(framed)] = np.abs(spectrum.astype(np.complex64) @ filters)


def _add_short(result: Bins, signal: Mono, lowest: float) -> None:
    """Fill the columns with short windows from the magnitudes of one STFT."""
    frequencies = lowest * 2 ** (np.arange(result.shape[1]) / BINS_PER_OCTAVE)
    begin, filters = _filter_spectra(frequencies, RATE, _SHORT_FFT)
    weights = np.abs(filters) * (_PERIODS * RATE / frequencies / math.sqrt(_SHORT_FFT)).astype(np.float32)
    window = np.hanning(_SHORT_FFT + 1)[:-1]
    for start, framed in _frames(signal, _SHORT_FFT, HOP, len(result)):
        spectrum = np.fft.rfft(framed * window, axis=1)[:, begin : begin + len(weights)]
        result[start : start + len(framed)] = np.abs(spectrum).astype(np.float32) @ weights


def _frames(signal: Mono, size: int, hop: int, count: int) -> Iterator[tuple[int, Mono]]:
    """Yield the index of the first frame and the frames (one per row) of each chunk. Frame k is centred at k x hop."""
    for start in range(0, count, _CHUNK_FRAMES):
        yield start, windows_between(signal, size, hop, start, min(count, start + _CHUNK_FRAMES))


def _filter_spectra(frequencies: NDArray[np.float64], rate: float, size: int) -> tuple[int, Complex]:
    """Return the first bin of an FFT that the filters need, and their spectra from there: one column per filter."""
    times = np.arange(size) - size // 2
    lengths = _PERIODS * rate / frequencies
    windows = np.cos(np.pi * times[:, None] / lengths) ** 2
    windows[np.abs(times[:, None]) >= lengths / 2] = 0.0
    sinusoids = windows * np.exp(2j * np.pi * times[:, None] * frequencies / rate)
    sinusoids /= windows.sum(axis=0)
    spectra = np.fft.fft(sinusoids, axis=0)[: size // 2 + 1].conj() / size
    used = np.flatnonzero((np.abs(spectra) > _KEPT * np.abs(spectra).max(axis=0)).any(axis=1))
    return int(used[0]), spectra[used[0] : used[-1] + 1].astype(np.complex64)
