"""Chroma: how strong each of the 12 pitch classes (from C = 0) sounds in each frame of the constant-Q transform.

The three bins of a semitone are added with the weights 1/2, 1, 1/2, compressed (`log(1 + c x / m)`, where m is the 99th
percentile of all semitones of the recording), and added over octaves with a weight that is highest in the range of the
melody and harmony (`chroma_of`) or of the bass (`bass_chroma_of`). Each frame of a chroma is divided by its length as a
vector; frames without sound are zeros.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.constant_q import BINS, LOWEST_MIDI, constant_q_of
from consort_audio.signals.recording import Recording

Chroma = NDArray[np.float32]
"""One row per frame, one column per pitch class."""

SEMITONES = BINS // 3
_COMPRESSION = 10.0
_CHUNK_FRAMES = 4096
_SILENT = 1e-3
"""The share of the recording's level (m) below which a frame is silent."""
_LEAST_LEVEL = 1e-3


def semitones_of(recording: Recording) -> NDArray[np.float32]:
    """Return the compressed strength of each semitone from `LOWEST_MIDI` in each frame, from 0, computed once."""
    return recording.feature("semitones", _semitones)


def chroma_of(recording: Recording) -> Chroma:
    """Return the chroma from about E2 to C7, computed once."""
    return recording.feature("chroma", lambda it: _folded(semitones_of(it), 40.0, 96.0))


def bass_chroma_of(recording: Recording) -> Chroma:
    """Return the chroma from about A0 to D#3, computed once."""
    return recording.feature("bass chroma", lambda it: _folded(semitones_of(it), 24.0, 51.0))


def _semitones(recording: Recording) -> NDArray[np.float32]:
    bins = constant_q_of(recording)
    result = np.empty((len(bins), SEMITONES), np.float32)
    for start in range(0, len(bins), _CHUNK_FRAMES):
        chunk = bins[start : start + _CHUNK_FRAMES]
        below = np.concatenate((np.zeros((len(chunk), 1), np.float32), chunk[:, 2:-1:3]), axis=1)
        result[start : start + _CHUNK_FRAMES] = chunk[:, ::3] + (below + chunk[:, 1::3]) / 2
    level = max(_LEAST_LEVEL, float(np.percentile(result[:: max(1, len(result) // 4000)], 99)))
    result[result.max(axis=1) < _SILENT * level] = 0.0
    result *= np.float32(_COMPRESSION / level)
    return np.log1p(result, out=result)


def _folded(semitones: NDArray[np.float32], lowest: float, highest: float) -> Chroma:
    """Add the octaves. Semitones between these MIDI numbers count fully, those within an octave outside less."""
    numbers = LOWEST_MIDI + np.arange(SEMITONES)
    weights = np.clip(np.minimum((numbers - lowest) / 12 + 1, (highest - numbers) / 12 + 1), 0, 1)
    fold = np.zeros((SEMITONES, 12), np.float32)
    fold[np.arange(SEMITONES), numbers % 12] = weights
    chroma = semitones @ fold
    lengths = np.sqrt(np.square(chroma).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(chroma, lengths, out=np.zeros_like(chroma), where=lengths > 0), np.float32)
