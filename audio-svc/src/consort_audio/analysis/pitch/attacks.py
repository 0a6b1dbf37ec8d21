"""Find the moments at which a new note may begin, in the onset strength of the spectrum and in the level.

A candidate is a peak of the onset strength. Its strength is the peak's height divided by the height that one quarter
of the recording's strongest peaks reach, so that 1 is a clear attack in this recording, loud or soft.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.yin import Floats
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, onset_strength
from consort_audio.signals.recording import Recording

_REACH = round(0.03 * FRAMES_PER_SECOND)
"""A peak is the highest value within so many frames on either side (30 ms)."""
_LEAST_RISE = 0.02
"""Onset strength below this is not heard as an attack."""
_FULL_RISE = 0.35
"""The onset strength of a clear attack, if the recording has no clearer ones."""


@dataclass(frozen=True)
class Attacks:
    times: NDArray[np.float64]
    """In seconds, rising."""
    strengths: NDArray[np.float64]
    """Relative to a clear attack, which is 1."""
    level_rises: NDArray[np.float64]
    """By how many dB the level rises from the quietest of the 60 ms before to the loudest of the 80 ms after."""

    def between(self, start: float, end: float) -> slice:
        first, last = np.searchsorted(self.times, [start, end])
        return slice(int(first), int(last))


def find_attacks(recording: Recording) -> Attacks:
    """Return the candidates for the beginnings of notes, computed once."""
    return recording.feature("attacks of one voice", _find)


def _find(recording: Recording) -> Attacks:
    strength = onset_strength(recording)
    rise = strength.rise
    highest = _sliding_extreme(rise, _REACH, _REACH)
    peaks = np.flatnonzero((rise >= highest) & (rise > _LEAST_RISE))
    peaks = peaks[np.insert(np.diff(peaks) > 1, 0, True)] if len(peaks) else peaks
    heights = rise[peaks].astype(np.float64)
    scale = min(float(np.percentile(heights, 75)), _FULL_RISE) if len(heights) else 1.0
    level = (20 * np.log10(strength.level + 1e-6)).astype(np.float32)
    before = -_sliding_extreme(-level, round(0.06 * FRAMES_PER_SECOND), 0)
    after = _sliding_extreme(level, 0, round(0.08 * FRAMES_PER_SECOND))
    return Attacks(peaks / FRAMES_PER_SECOND, heights / max(scale, _LEAST_RISE), (after - before)[peaks].astype(float))


def _sliding_extreme(values: Floats, before: int, after: int) -> Floats:
    """Return the highest of each value, the `before` values before it and the `after` values after it."""
    if not len(values):
        return values
    padded = np.pad(values, (before, after), mode="edge")
    highest: Floats = np.lib.stride_tricks.sliding_window_view(padded, before + after + 1).max(axis=1)
    return highest
