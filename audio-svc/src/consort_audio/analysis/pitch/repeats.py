"""Find where a pitch is played again without a break: logistic regression on features of candidate moments.

In a steady tone each harmonic's amplitude and phase follow from the moments before. A new attack breaks both, even if
the tone never stops: the *jump* of a frame is the sum over harmonics of |c[t + L] - p| / (|c[t + L]| + |p|), where c is
the complex amplitude and p its linear extrapolation in phase from c[t - L] and c[t]. Candidates are peaks of the jump
plus the onset strength. Onsets that `analysis.rhythm` hears there count too. The weights were fitted on the tune part
of the truth set.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.harmonic_level import frame_of, harmonic_waves
from consort_audio.analysis.pitch.note_starts import Segment, rise_of
from consort_audio.analysis.pitch.pitch_track import FRAME_S
from consort_audio.analysis.rhythm.onsets import find_onsets
from consort_audio.signals.arrays import Floats
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, onset_strength
from consort_audio.signals.recording import Recording

THRESHOLD = 0.35
SHORTEST_S = 0.06
_MARGIN = 24
"""Frames of context on either side of a segment."""
_EARLIEST = 9
"""In frames: a repeated note begins so long after the start, and 6 frames before the end."""
_LATEST = 6
_LEAST_SCORE = 0.12
_CEILING_DB = 15.0
_SMALL = 0.003

FEATURES = (
    "jump over 20 ms", "jump over 40 ms", "jump above the median", "onset strength (log)",
    "onset strength above the median", "dip of the harmonics", "rise of the harmonics",
    "dip of the level", "level below the loudest", "louder after", "median jump (log)",
    "confidence of an onset", "confidence of an onset (log odds)",
)  # fmt: skip
WEIGHTS = np.array([4.188, -4.587, 9.51, 1.141, -0.813, 0.125, -0.298, 0.184, 0.134, 0.168, 0.176, 1.518, 0.639])
BIAS = 3.581


def cut_at_repeats(recording: Recording, segment: Segment) -> list[Segment]:
    """Return the parts of a segment, which is cut where the same pitch is played again."""
    frames, features = repeat_candidates(recording, segment)
    chances = 1 / (1 + np.exp(-(features @ WEIGHTS + BIAS))) if len(frames) else np.zeros(0)
    parts = [segment]
    for frame, chance in _chosen(frames, chances):
        last = parts[-1]
        start, rise = _exact_start(recording, segment, frame)
        if start - last.start_s < SHORTEST_S or last.end_s - start < SHORTEST_S:
            continue
        at = min(max(round(start / FRAME_S), last.first + 1), last.end - 1)
        again = replace(last, first=at, start_s=start, rise_db=rise, is_repeat=True, doubt=1 - chance)
        parts.append(again)
        last.end, last.end_s = at, start
    return parts


def repeat_candidates(recording: Recording, segment: Segment) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the frames where the note may be played again, and a row of FEATURES for each."""
    strength = onset_strength(recording)
    begin, end = frame_of(segment.start_s), frame_of(segment.end_s)
    low, high = max(begin - _MARGIN, 0), min(end + _MARGIN, len(strength.rise))
    nothing = np.zeros(0, np.intp), np.zeros((0, len(FEATURES)))
    if end - begin < 2 * _EARLIEST:
        return nothing
    waves = harmonic_waves(recording, segment.pitch, None, low, high)
    total = _decibels(np.sqrt(np.square(np.abs(waves)).sum(axis=1)))
    level, rise = _decibels(strength.level[low:high]), strength.rise[low:high]
    short, long = _jump(waves, 3), _jump(waves, 6)
    score = long + short + np.minimum(4 * rise, 1)
    inside = slice(begin - low + _EARLIEST, max(end - low - _LATEST, 0))
    peaks = _highest(score, 6, 6)
    places = np.flatnonzero((score >= peaks) & (score > _LEAST_SCORE))
    places = places[(places >= inside.start) & (places < inside.stop)]
    if not len(places):
        return nothing
    usual_jump = float(np.median(long[begin - low : end - low]))
    usual_rise = float(np.median(rise))
    strongest = _highest(rise, 5, 7)[places]
    valley, level_valley = -_highest(-total, 14, 3)[places], -_highest(-level, 14, 3)[places]
    before, level_before = _highest(total, 24, -4)[places], _highest(level, 24, -4)[places]
    after = _highest(total, 0, 15)[places]
    longest_jump = _highest(long, 4, 4)[places]
    heard = _onset_confidence(recording, (places + low) / FRAMES_PER_SECOND)
    columns = (
        _highest(short, 3, 3)[places],
        longest_jump,
        longest_jump - usual_jump,
        np.log(strongest + _SMALL),
        np.log((strongest + _SMALL) / (usual_rise + _SMALL)),
        np.minimum(before - valley, _CEILING_DB),
        np.minimum(after - valley, _CEILING_DB),
        np.minimum(level_before - level_valley, _CEILING_DB),
        after - total.max(),
        np.clip(_mean(total, 4, 20)[places] - _mean(total, -16, -3)[places], -_CEILING_DB, _CEILING_DB),
        np.full(len(places), np.log(usual_jump + 0.02)),
        heard,
        np.log((heard + 0.03) / (1.03 - heard)),
    )
    return places + low, np.stack(columns, axis=1).astype(np.float64)


def _onset_confidence(recording: Recording, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the confidence of the surest onset of `analysis.rhythm` within 60 ms of each time, or 0."""
    onsets = find_onsets(recording)
    if not onsets:
        return np.zeros(len(times))
    near = np.abs(np.array([onset.time for onset in onsets]) - times[:, None] + 0.01) < 0.06
    return np.asarray(np.where(near, [onset.confidence for onset in onsets], 0.0).max(axis=1))


def _chosen(frames: NDArray[np.intp], chances: NDArray[np.float64]) -> list[tuple[int, float]]:
    """Return the likely candidates and their chances in order of time, without those within 80 ms of a likelier one."""
    kept: list[tuple[int, float]] = []
    for index in np.argsort(-chances):
        if chances[index] < THRESHOLD:
            break
        if all(abs(frames[index] - other) > 0.08 * FRAMES_PER_SECOND for other, _ in kept):
            kept.append((int(frames[index]), float(chances[index])))
    return sorted(kept)


def _exact_start(recording: Recording, segment: Segment, frame: int) -> tuple[float, float]:
    """Return where the rise around a candidate begins, at most 40 ms before it, and the rise in dB.

    An onset that `analysis.rhythm` hears within 60 ms decides instead.
    """
    first = max(frame - 8, 0)
    waves = harmonic_waves(recording, segment.pitch, None, first, frame + 14)
    start, rise = rise_of(np.sqrt(np.square(np.abs(waves)).sum(axis=1)), frame - first, first, segment.pitch)
    time = frame / FRAMES_PER_SECOND
    onsets = [onset for onset in find_onsets(recording) if abs(onset.time - time + 0.01) < 0.06]
    if onsets:
        return max(onsets, key=lambda onset: onset.confidence).time, rise
    return min(max(start, (frame - 6) / FRAMES_PER_SECOND), time), rise


def _jump(waves: NDArray[np.complex64], lag: int) -> Floats:
    jumps = np.zeros(len(waves), np.float32)
    if len(waves) <= 2 * lag:
        return jumps
    earlier, now, later = waves[: -2 * lag], waves[lag:-lag], waves[2 * lag :]
    turn = now * earlier.conj()
    expected = now * np.where(np.abs(turn) > 1e-12, turn / np.maximum(np.abs(turn), 1e-12), 1)
    scale = (np.abs(later) + np.abs(expected)).sum(axis=1) + 1e-6
    jumps[lag:-lag] = np.abs(later - expected).sum(axis=1) / scale
    return jumps


def _decibels(level: Floats) -> Floats:
    decibels: Floats = (20 * np.log10(level + 1e-6)).astype(np.float32)
    return decibels


def _highest(values: Floats, before: int, after: int) -> Floats:
    """Return the highest of the values from `before` frames before to `after` frames after each (both included)."""
    padded = np.pad(values, (before, max(after, 0)), mode="edge")
    highest: Floats = np.lib.stride_tricks.sliding_window_view(padded, before + after + 1).max(axis=1)[: len(values)]
    return highest


def _mean(values: Floats, first: int, end: int) -> Floats:
    """Return the mean of the values from `first` to `end` frames after each."""
    reach = max(abs(first), abs(end))
    padded = np.pad(values, reach, mode="edge")
    means: Floats = np.lib.stride_tricks.sliding_window_view(padded, end - first).mean(axis=1)
    return means[reach + first : reach + first + len(values)]
