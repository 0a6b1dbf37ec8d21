"""Find where a string is struck again, softly, while it rings.

Such a strike hardly changes the level, but it brings back the partials that have faded: the stronger half of their
rises, in dB within 50 ms, is `STRUCK_DB` or more in the mean. Without a strike every partial falls, apart from slow
beats.
"""

from typing import NamedTuple

import numpy as np

from consort_audio.analysis.pitch.track.pitch_track import to_hz
from consort_audio.signals.recording import RATE, Recording

STRUCK_DB = 6.6
_SIZE, _HOP = 1024, 128
_PARTIALS, _HIGHEST_HZ = 10, 0.45 * RATE
_FAR_FRAMES, _NEAR_FRAMES = 8, 3
"""Before and after a strike, the level is the mean of the frames from the near to the far one."""
_SILENT_DB = 50.0
"""Partials that are so far below the strongest one do not count."""


class Strike(NamedTuple):
    time: float
    rise_db: float


def strongest_strike(recording: Recording, pitch: float, first: float, last: float) -> Strike:
    """Return where the partials of a pitch (MIDI number) rise most between two times, and by how much."""
    around = _FAR_FRAMES * _HOP / RATE
    levels = _levels(recording, pitch, first - around, last + around)
    width = _FAR_FRAMES - _NEAR_FRAMES
    means = np.lib.stride_tricks.sliding_window_view(levels, width, axis=0).mean(axis=2)
    apart = width + 2 * _NEAR_FRAMES
    before, after = means[:-apart], means[apart:]
    is_heard = np.maximum(before, after) > levels.max() - _SILENT_DB
    rises = np.sort(np.where(is_heard, after - before, np.nan), axis=1)  # NaN comes last
    strongest = Strike(first, 0.0)
    for place, (row, heard) in enumerate(zip(rises, is_heard.sum(axis=1), strict=True)):
        rise = float(row[heard // 2 : heard].mean()) if heard else 0.0
        if rise > strongest.rise_db:
            strongest = Strike(first + place * _HOP / RATE, rise)
    return strongest


def _levels(recording: Recording, pitch: float, first: float, last: float) -> np.ndarray:
    """Return the level of each partial in dB, every 6 ms between two times."""
    hertz = to_hz(pitch)
    numbers = np.arange(1, max(min(_PARTIALS, int(_HIGHEST_HZ / hertz)), 1) + 1)
    waves = np.exp(-2j * np.pi * hertz / RATE * np.outer(np.arange(_SIZE), numbers)) * np.hanning(_SIZE)[:, None]
    count = max(int((last - first) * RATE / _HOP), 4 * _FAR_FRAMES) + 1
    begin = round(first * RATE) - _SIZE // 2
    sound = np.zeros((count - 1) * _HOP + _SIZE)
    samples = recording.samples[max(begin, 0) : max(begin + len(sound), 0)]
    sound[max(-begin, 0) : max(-begin, 0) + len(samples)] = samples
    frames = np.lib.stride_tricks.sliding_window_view(sound, _SIZE)[::_HOP]
    return np.asarray(20 * np.log10(np.abs(frames @ waves) + 1e-7))
