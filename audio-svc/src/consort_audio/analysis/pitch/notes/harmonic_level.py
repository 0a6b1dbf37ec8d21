"""Measure how loud the harmonics of one pitch are over time, by inner products with windowed sinusoids.

Where one note follows another, the harmonics of the new note begin to rise at its true start, even while the note
before still sounds. Values are amplitudes, `FRAMES_PER_SECOND` of them a second, on the grid of `onset_strength`.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.arrays import Floats
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, HOP
from consort_audio.signals.recording import RATE, Recording

HARMONICS = 6
SHORTEST_WINDOW = 1024
"""In samples; low pitches have longer ones."""
_HIGHEST_HZ = 10_000.0
_STEPS_PER_SEMITONE = 8
_FRAMES_AT_ONCE = 1024


def harmonic_levels(recording: Recording, pitch: float, other: float | None, first: int, end: int) -> Floats:
    """Return the amplitude of each harmonic of a pitch, a column each: see `harmonic_waves`."""
    return np.abs(_inner_products(recording, pitch, other, first, end))


def harmonic_waves(
    recording: Recording, pitch: float, other: float | None, first: int, end: int
) -> NDArray[np.complex64]:
    """Return amplitude and phase of each harmonic of a pitch (a MIDI number), a column each, from `first` to `end`.

    The phase is relative to a sinusoid of the harmonic's frequency, so that it stands still in a steady tone.

    Harmonics that `other`, the pitch of the note before, has too are left out, unless all are.
    """
    found = _inner_products(recording, pitch, other, first, end)
    step = round(pitch * _STEPS_PER_SEMITONE)
    numbers = _numbers(step, None if other is None else round(other * _STEPS_PER_SEMITONE), window_of(pitch))
    turns = np.arange(len(found)) * (_hertz(step) * HOP / RATE)
    turn = np.exp(-2j * np.pi * (turns % 1))
    powers = np.cumprod(np.broadcast_to(turn[:, None], (len(found), max(numbers))), axis=1)
    turned: NDArray[np.complex64] = found * powers[:, np.array(numbers) - 1].astype(np.complex64)
    return turned


def _inner_products(
    recording: Recording, pitch: float, other: float | None, first: int, end: int
) -> NDArray[np.complex64]:
    """Return the waves of the harmonics, whose phase is that at the middle of each frame."""
    step = round(pitch * _STEPS_PER_SEMITONE)
    waves = _waves(step, None if other is None else round(other * _STEPS_PER_SEMITONE))
    size = waves.shape[0]
    low = max(first * HOP - size // 2, 0)
    high = min((end - 1) * HOP + size // 2, len(recording.samples))
    before = max(size // 2 - first * HOP, 0)
    part = np.zeros((end - first - 1) * HOP + size, np.float32)
    part[before : before + max(high - low, 0)] = recording.samples[low:high]
    frames = np.lib.stride_tricks.as_strided(part, (end - first, size), (HOP * part.itemsize, part.itemsize))
    count = waves.shape[1] // 2
    found = np.empty((len(frames), count), np.complex64)
    for start in range(0, len(frames), _FRAMES_AT_ONCE):
        products = frames[start : start + _FRAMES_AT_ONCE] @ waves
        found.real[start : start + len(products)] = products[:, :count]
        found.imag[start : start + len(products)] = -products[:, count:]
    return found


def window_of(pitch: float) -> int:
    """Return the length of the window for a pitch, in samples."""
    hertz = _hertz(round(pitch * _STEPS_PER_SEMITONE))
    return SHORTEST_WINDOW * (1 if hertz > 160 else 2 if hertz > 80 else 4)


@lru_cache(maxsize=512)
def _waves(step: int, other: int | None) -> Floats:
    """Return the windowed cosines and sines of the harmonics, a column each. Low pitches have a longer window."""
    size = window_of(step / _STEPS_PER_SEMITONE)
    numbers = _numbers(step, other, size)
    phase = 2 * np.pi * _hertz(step) * np.outer(np.arange(size) - size / 2, numbers) / RATE
    window = np.hanning(size)[:, None] / (size / 4)
    return np.hstack([np.cos(phase) * window, np.sin(phase) * window]).astype(np.float32)


@lru_cache(maxsize=512)
def _numbers(step: int, other: int | None, size: int) -> list[int]:
    """Return which harmonics are measured."""
    fundamental = _hertz(step)
    numbers = [n for n in range(1, HARMONICS + 1) if n * fundamental < _HIGHEST_HZ] or [1]
    if other is None:
        return numbers
    before, apart = _hertz(other), 1.3 * RATE / size
    own = [n for n in numbers if abs(n * fundamental - max(round(n * fundamental / before), 1) * before) > apart]
    return own or numbers


def _hertz(step: int) -> float:
    return float(440 * 2 ** ((step / _STEPS_PER_SEMITONE - 69) / 12))


def frame_of(seconds: float) -> int:
    return round(seconds * FRAMES_PER_SECOND)
