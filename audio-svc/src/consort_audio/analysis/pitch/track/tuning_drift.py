"""The tuning of one voice, in semitones from A4 = 440 Hz, and how it drifts, as a choir without instruments does.

The tuning is the circular mean of the pitch, averaged over 0.18 s (a period of vibrato) where it is steady. The drift
is the straight line that makes this mean clearest: of all drifts up to `LARGEST` from the first to the last frame, the
one whose circular mean is longest, if it is longer by `CLEARER` than that without drift.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.track.pitch_track import FRAME_S, PitchTrack
from consort_audio.signals.arrays import Floats

VIBRATO = 11
"""In frames: about one period of vibrato."""
LARGEST = 1.2
"""In semitones."""
SMALLEST = 0.2
CLEARER = 0.08
SHORTEST_S = 4.0
"""In less sound no drift is heard."""
_STEPS = 48


class TuningLine(NamedTuple):
    start: float
    """The tuning at the start of the recording, in semitones, from -0.5 to 0.5."""
    drift: float
    """By how many semitones it rises from the start to the end; 0 if it stays."""
    duration: float
    """Of the recording in seconds."""

    def drifted(self, seconds: float) -> float:
        """Return how far the tuning at a time is above that at the start."""
        return self.drift * seconds / max(self.duration, FRAME_S)

    def of_frames(self) -> NDArray[np.float64]:
        count = round(self.duration / FRAME_S)
        return self.start + self.drift * np.arange(count) / max(count, 1)

    def at(self, seconds: float) -> float:
        return self.start + self.drifted(seconds)


def tuning_line(track: PitchTrack) -> TuningLine:
    """Return a first guess of the tuning; the notes make it exact later."""
    duration = len(track.level) * FRAME_S
    pitch, weight = _steady_pitch(track)
    total = float(weight.sum())
    if not total > 0:
        return TuningLine(0.0, 0.0, duration)
    place = (np.arange(len(pitch)) + VIBRATO // 2) / len(track.level)
    used = weight > 0
    turns, weight, place = 2j * np.pi * pitch[used], weight[used], place[used]
    still = np.sum(weight * np.exp(turns))
    drift = 0.0
    if total * FRAME_S >= SHORTEST_S:
        drifts = np.linspace(-LARGEST, LARGEST, 2 * _STEPS + 1)
        sums = [np.sum(weight * np.exp(turns - 2j * np.pi * each * place)) for each in drifts]
        best = int(np.abs(sums).argmax())
        if abs(drifts[best]) >= SMALLEST and (abs(sums[best]) - abs(still)) / total > CLEARER:
            drift, still = float(drifts[best]), sums[best]
    start = float(np.angle(still) / (2 * np.pi)) if abs(still) > 1e-6 else 0.0
    return TuningLine(start, drift, duration)


def _steady_pitch(track: PitchTrack) -> tuple[Floats, Floats]:
    """Return the pitch averaged over a period of vibrato, and its weight, which is 0 where the pitch is not steady."""
    uses_model = bool(track.model_weight.any())
    pitch, weight = (track.model, track.model_weight) if uses_model else (track.yin, track.yin_weight)
    if len(pitch) < VIBRATO:
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    around = np.lib.stride_tricks.sliding_window_view(pitch, VIBRATO)
    steady = np.ptp(around, axis=1) < 1.5
    least = np.lib.stride_tricks.sliding_window_view(weight, VIBRATO).min(axis=1)
    return around.mean(axis=1), np.where(steady & (least > 0.5), least, 0).astype(np.float32)
