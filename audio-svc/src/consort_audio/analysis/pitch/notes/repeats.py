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

from consort_audio.analysis.calibration import logistic
from consort_audio.analysis.pitch.notes.harmonic_level import frame_of, harmonic_waves
from consort_audio.analysis.pitch.notes.note_starts import Segment, rise_of
from consort_audio.analysis.pitch.track.pitch_track import FRAME_S
from consort_audio.analysis.rhythm.onsets import Onset, find_onsets
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
_NEAR_S = 0.06
_TINY = np.float32(1e-12)

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
    chances = logistic(features @ WEIGHTS + BIAS) if len(frames) else np.zeros(0)
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
    amplitude = np.abs(waves)
    total = _decibels(np.sqrt(np.square(amplitude).sum(axis=1)))
    level, rise = _decibels(strength.level[low:high]), strength.rise[low:high]
    short, long = _jump(waves, amplitude, 3), _jump(waves, amplitude, 6)
    score = long + short + np.minimum(4 * rise, 1)
    inside = slice(begin - low + _EARLIEST, max(end - low - _LATEST, 0))
    places = inside.start + np.flatnonzero(score[inside] > _LEAST_SCORE)
    places = places[score[places] >= _around(score, places, -6, 7).max(axis=1)]
    if not len(places):
        return nothing
    usual_jump = float(np.median(long[begin - low : end - low]))
    usual_rise = float(np.median(rise))
    strongest = _around(rise, places, -5, 8).max(axis=1)
    valley, level_valley = _around(total, places, -14, 4).min(axis=1), _around(level, places, -14, 4).min(axis=1)
    before, level_before = _around(total, places, -24, -3).max(axis=1), _around(level, places, -24, -3).max(axis=1)
    after = _around(total, places, 0, 16).max(axis=1)
    change = _around(total, places, 4, 20).mean(axis=1) - _around(total, places, -16, -3).mean(axis=1)
    longest_jump = _around(long, places, -4, 5).max(axis=1)
    near = [_onset_near(recording, frame) for frame in places + low]
    heard = np.array([onset.confidence if onset else 0.0 for onset in near])
    columns = (
        _around(short, places, -3, 4).max(axis=1),
        longest_jump,
        longest_jump - usual_jump,
        np.log(strongest + _SMALL),
        np.log((strongest + _SMALL) / (usual_rise + _SMALL)),
        np.minimum(before - valley, _CEILING_DB),
        np.minimum(after - valley, _CEILING_DB),
        np.minimum(level_before - level_valley, _CEILING_DB),
        after - total.max(),
        np.clip(change, -_CEILING_DB, _CEILING_DB),
        np.full(len(places), np.log(usual_jump + 0.02)),
        heard,
        np.log((heard + 0.03) / (1.03 - heard)),
    )
    return places + low, np.stack(columns, axis=1).astype(np.float64)


def _onset_near(recording: Recording, frame: int) -> Onset | None:
    """Return the surest onset of `analysis.rhythm` within 60 ms of a frame."""
    onsets = find_onsets(recording)
    times = recording.feature("times of onsets", lambda _: np.array([onset.time for onset in onsets]))
    middle = frame / FRAMES_PER_SECOND - 0.01
    first, end = np.searchsorted(times, (middle - _NEAR_S, middle + _NEAR_S))
    return max(onsets[first:end], key=lambda onset: onset.confidence, default=None)


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
    if onset := _onset_near(recording, frame):
        return onset.time, rise
    return min(max(start, (frame - 6) / FRAMES_PER_SECOND), time), rise


def _jump(waves: NDArray[np.complex64], amplitude: Floats, lag: int) -> Floats:
    jumps = np.zeros(len(waves), np.float32)
    if len(waves) <= 2 * lag:
        return jumps
    earlier, now, later = waves[: -2 * lag], waves[lag:-lag], waves[2 * lag :]
    size = amplitude[lag:-lag] * amplitude[: -2 * lag]
    turn = now * earlier.conj() / np.maximum(size, _TINY)
    expected = now * np.where(size > _TINY, turn, 1)
    scale = (amplitude[2 * lag :] + amplitude[lag:-lag]).sum(axis=1) + 1e-6
    jumps[lag:-lag] = np.abs(later - expected).sum(axis=1) / scale
    return jumps


def _decibels(level: Floats) -> Floats:
    decibels: Floats = (20 * np.log10(level + 1e-6)).astype(np.float32)
    return decibels


def _around(values: Floats, places: NDArray[np.intp], first: int, end: int) -> Floats:
    """Return the values from `first` to `end` frames after each place, a row each; the outermost ones go on."""
    found: Floats = values[np.clip(places[:, None] + np.arange(first, end), 0, len(values) - 1)]
    return found
