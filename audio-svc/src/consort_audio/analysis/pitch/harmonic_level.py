"""Measure how loud the harmonics of one pitch are over time, by inner products with windowed sinusoids.

Where one note follows another, the harmonics of the new note begin to rise at its true start, even while the note
before still sounds. Values are amplitudes, `FRAMES_PER_SECOND` of them a second, on the grid of `onset_strength`.
"""

from functools import lru_cache

import numpy as np

from consort_audio.analysis.pitch.yin import Floats
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, HOP
from consort_audio.signals.recording import RATE, Recording

HARMONICS = 6
_HIGHEST_HZ = 10_000.0
_STEPS_PER_SEMITONE = 8
_FRAMES_AT_ONCE = 1024


def harmonic_levels(recording: Recording, pitch: float, other: float | None, first: int, end: int) -> Floats:
    """Return the amplitude of each harmonic of a pitch (a MIDI number), a column each, in the frames `first` to `end`.

    Harmonics that `other`, the pitch of the note before, has too are left out, unless all are.
    """
    step = round(pitch * _STEPS_PER_SEMITONE)
    waves = _waves(step, None if other is None else round(other * _STEPS_PER_SEMITONE))
    size = waves.shape[0]
    low = max(first * HOP - size // 2, 0)
    high = min((end - 1) * HOP + size // 2, len(recording.samples))
    before = max(size // 2 - first * HOP, 0)
    part = np.zeros((end - first - 1) * HOP + size, np.float32)
    part[before : before + max(high - low, 0)] = recording.samples[low:high]
    frames = np.lib.stride_tricks.sliding_window_view(part, size)[::HOP]
    count = waves.shape[1] // 2
    levels = np.empty((len(frames), count), np.float32)
    for start in range(0, len(frames), _FRAMES_AT_ONCE):
        found = np.square(frames[start : start + _FRAMES_AT_ONCE] @ waves)
        levels[start : start + len(found)] = np.sqrt(found[:, :count] + found[:, count:])
    return levels


@lru_cache(maxsize=512)
def _waves(step: int, other: int | None) -> Floats:
    """Return the windowed cosines and sines of the harmonics, a column each. Low pitches have a longer window."""
    fundamental = 440 * 2 ** ((step / _STEPS_PER_SEMITONE - 69) / 12)
    size = 1024 if fundamental > 160 else 2048
    numbers = [n for n in range(1, HARMONICS + 1) if n * fundamental < _HIGHEST_HZ] or [1]
    if other is not None:
        before = 440 * 2 ** ((other / _STEPS_PER_SEMITONE - 69) / 12)
        apart = 1.3 * RATE / size
        own = [n for n in numbers if abs(n * fundamental - max(round(n * fundamental / before), 1) * before) > apart]
        numbers = own or numbers
    phase = 2 * np.pi * fundamental * np.outer(np.arange(size) - size / 2, numbers) / RATE
    window = np.hanning(size)[:, None] / (size / 4)
    return np.hstack([np.cos(phase) * window, np.sin(phase) * window]).astype(np.float32)


def frame_of(seconds: float) -> int:
    return round(seconds * FRAMES_PER_SECOND)
