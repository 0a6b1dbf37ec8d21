"""Describe the moments at which a note may begin, for the classifier in `onsets`.

Candidates are the peaks of the onset strength (150 values a second), and peaks of the change of harmony where the onset
strength has none. Each is described by `NAMES`: the height of its peak, the level before and after, which frequencies
rise, and how the semitones change.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals import semitone_spectrum as semitones
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, GROUPS, OnsetStrength, onset_strength
from consort_audio.signals.recording import Recording

LEAST_RISE = 0.006
"""Peaks lower than this above the mean around them are no candidates."""
LEAST_HARMONIC_CHANGE = 0.08
_REACH_S = 0.02
_MEAN_BEFORE_S, _MEAN_AFTER_S = 0.12, 0.06
_NO_PEAK_WITHIN_S = 0.06
_END_S = 0.05
"""The end of a recording cuts sounds off, which is no onset."""
_SMALL = 0.005
_LEVEL_TIMES = (-0.12, -0.08, -0.04, 0.0, 0.04, 0.08, 0.12)

NAMES = (
    "height", "height in the recording", "mean rise within 1 s", "height within 150 ms", "height within 400 ms",
    "rise now", "strong height in the recording", "level",
    *(f"level at {time:+.2f} s" for time in _LEVEL_TIMES if time), "quietest before to loudest after",
    *(f"rise of band {group}" for group in range(GROUPS)),
    "harmonic change, 80 ms", "harmonic change, 120 ms", "harmonic change within 150 ms", "new semitones",
)  # fmt: skip


class OnsetCandidates(NamedTuple):
    times: Numbers
    """In seconds: the peaks, which are later than the onsets."""
    features: Numbers
    """One row per candidate, one column for each of `NAMES`."""
    heights: Numbers
    """Of the onset strength above the mean around it."""


def onset_candidates(recording: Recording) -> OnsetCandidates:
    """Return the candidates of a recording in order."""
    strength = onset_strength(recording)
    rise = strength.rise.astype(float)
    before, after = _frames(_MEAN_BEFORE_S), _frames(_MEAN_AFTER_S)
    above = rise - windows(rise, before, after).mean(axis=1)
    change = _harmonic_change(semitones.semitone_spectrum(recording))
    peaks = _peaks(above, rise, change)
    columns = [
        *_height_columns(peaks, above, rise),
        *_level_columns(peaks, strength),
        *np.log(strength.groups[peaks].T + _SMALL),
        *_harmony_columns(peaks, change, semitones.semitone_spectrum(recording)),
    ]
    return OnsetCandidates(peaks / FRAMES_PER_SECOND, np.stack(columns, axis=1), above[peaks])


def windows(curve: Numbers, before: int, after: int) -> Numbers:
    """Return the values from `before` frames before each frame to `after` frames after it, one row per frame."""
    padded = np.pad(curve, (before, after), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, before + after + 1)


def _frames(seconds: float) -> int:
    return round(seconds * FRAMES_PER_SECOND)


def _peaks(above: Numbers, rise: Numbers, change: Numbers) -> NDArray[np.int64]:
    reach = _frames(_REACH_S)
    is_peak = (rise >= windows(rise, reach, reach).max(axis=1)) & (above > LEAST_RISE)
    found = np.flatnonzero(is_peak)
    found = found[np.diff(found, prepend=-reach) > 1]
    changes = 1 + np.flatnonzero(
        (change[1:-1] > change[:-2]) & (change[1:-1] >= change[2:]) & (change[1:-1] > LEAST_HARMONIC_CHANGE)
    )
    frames = np.round(changes * (FRAMES_PER_SECOND / semitones.FRAMES_PER_SECOND)).astype(np.int64)
    frames = frames[frames < len(rise)]
    apart = _frames(_NO_PEAK_WITHIN_S)
    if len(found) and len(frames):
        after = np.searchsorted(found, frames).clip(0, len(found) - 1)
        nearest = np.minimum(np.abs(found[after] - frames), np.abs(found[after.clip(1) - 1] - frames))
        frames = frames[nearest > apart]
    peaks = np.sort(np.concatenate([found, frames]))
    return peaks[peaks < len(rise) - _frames(_END_S)]


def _height_columns(peaks: NDArray[np.int64], above: Numbers, rise: Numbers) -> list[Numbers]:
    heights = np.maximum(above[peaks], 0)
    clear = heights[heights > 0.02]
    usual = float(np.percentile(clear, 80)) if len(clear) else 0.02
    strong = float(np.percentile(clear, 95)) if len(clear) else 0.02
    second, near, far = _frames(0.5), _frames(0.15), _frames(0.4)
    positive = np.maximum(above, 0)
    return [
        np.log(heights + _SMALL),
        np.log((heights + _SMALL) / (usual + _SMALL)),
        np.log(windows(rise, second, second)[peaks].mean(axis=1) + _SMALL),
        (heights + _SMALL) / (windows(positive, near, near)[peaks].max(axis=1) + _SMALL),
        (heights + _SMALL) / (windows(positive, far, far)[peaks].max(axis=1) + _SMALL),
        np.log(rise[peaks] + _SMALL),
        np.log((heights + _SMALL) / (strong + _SMALL)),
    ]


def _level_columns(peaks: NDArray[np.int64], strength: OnsetStrength) -> list[Numbers]:
    level = 20 * np.log10(strength.level.astype(float) + 1e-5)
    loud = float(np.percentile(level, 95))
    now = level[peaks]
    around = [level[np.clip(peaks + _frames(time), 0, len(level) - 1)] - now for time in _LEVEL_TIMES if time]
    quietest = windows(level, _frames(0.1), 0)[peaks].min(axis=1)
    loudest = windows(level, 0, _frames(0.1))[peaks].max(axis=1)
    return [
        (now - loud) / 20,
        *(np.clip(each, -30, 30) / 10 for each in around),
        np.clip(loudest - quietest, 0, 40) / 10,
    ]


def _harmonic_change(spectrum: NDArray[np.float32], lag: int = 2) -> Numbers:
    """Return 1 - cosine between the semitones `lag` frames (of 40 ms) before and after each frame."""
    padded = np.pad(spectrum, ((lag, lag), (0, 0)), mode="edge").astype(float)
    first, second = padded[: -2 * lag], padded[2 * lag :]
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    change: Numbers = 1 - ((first * second).sum(axis=1) + 1e-3) / (norms + 1e-3)
    return np.maximum(change, 0)


def _harmony_columns(peaks: NDArray[np.int64], change: Numbers, spectrum: NDArray[np.float32]) -> list[Numbers]:
    ratio = semitones.FRAMES_PER_SECOND / FRAMES_PER_SECOND
    places = peaks * ratio
    axis = np.arange(len(change))
    wide = _harmonic_change(spectrum, 3)
    padded = np.pad(spectrum, ((3, 3), (0, 0)), mode="edge").astype(float)
    at = np.clip(np.round(places).astype(int), 0, len(spectrum) - 1) + 3
    new = np.maximum(0, padded[at + 3] - np.maximum(padded[at - 2], padded[at - 1])).mean(axis=1)
    now = np.interp(places, axis, change)
    return [now, np.interp(places, axis, wide), (now + 0.01) / (windows(change, 4, 4).max(axis=1)[at - 3] + 0.01), new]
