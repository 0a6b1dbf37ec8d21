"""The probability that a segment is a note that was played: logistic regression on what is known about it.

The weights were fitted on all tasks with one voice of the tune part of the truth set, and on recorded percussion, which
has no notes. The result is calibrated: of the notes with a confidence near p, about the share p is right (onset within
50 ms, pitch within 50 cents), also on instruments and pieces that were left out of the fit. Players' takes have fewer
right notes at a low confidence, and the sounds that the onsets were trained on have more.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.calibration import logistic
from consort_audio.analysis.pitch.notes.note_starts import Segment
from consort_audio.analysis.pitch.track.pitch_track import PitchTrack
from consort_audio.signals.arrays import Floats

FEATURES = (
    "model weight (of YIN where it has none)", "agreement of both", "duration (log)", "rise at the start",
    "short and no rise", "level below the loudest", "pitch spread", "repeat", "doubt of a repeat",
)  # fmt: skip
WEIGHTS = np.array([2.349, 1.579, -0.085, 0.155, -1.34, 0.097, -2.031, 0.417, -5.658])
BIAS = -3.114


def note_features(segment: Segment, track: PitchTrack, pitch: Floats, loudest: float) -> NDArray[np.float64]:
    """Return the FEATURES of a segment. `loudest` is the level of the loudest frames of the recording, in dB."""
    frames = slice(segment.first, max(segment.end, segment.first + 1))
    yin = track.yin_weight[frames]
    without_model = track.model_weight[frames] == 0
    model = np.where(without_model, yin, track.model_weight[frames])
    level = float(track.level[frames].max())
    duration = max(segment.end_s - segment.start_s, 0.01)
    rise = min(segment.rise_db, 30.0)
    spread = float(np.std(np.clip(pitch[frames] - np.median(pitch[frames]), -1, 1)))
    agreement = np.where(without_model, yin > 0.5, np.abs(track.model[frames] - track.yin[frames]) < 0.5)
    return np.array(
        [
            model.mean(),
            agreement.mean(),
            np.log(duration),
            rise,
            (duration < 0.12) * (30 - rise) / 30,
            max(level - loudest, -40.0),
            spread,
            float(segment.is_repeat),
            segment.doubt,
        ],
        dtype=np.float64,
    )


def probability(features: NDArray[np.float64]) -> float:
    return float(logistic(features @ WEIGHTS + BIAS))
