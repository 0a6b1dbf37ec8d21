"""The probability that a segment is a note that was played: logistic regression on what is known about it.

The weights were fitted on the tune part of the truth set, with recorded percussion as sounds without notes. The result
is calibrated: of the notes with a confidence near p, about the share p is right (onset within 50 ms, pitch within 50
cents).
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.note_starts import Segment
from consort_audio.analysis.pitch.pitch_track import PitchTrack
from consort_audio.signals.arrays import Floats

FEATURES = (
    "model weight (of YIN where it has none)", "YIN weight", "agreement of both",
    "duration (log)", "rise at the start", "short and no rise", "level below the loudest",
    "level change from the note before", "pitch spread", "repeat", "doubt of a repeat", "weight at its loudest",
)  # fmt: skip
WEIGHTS = np.array([4.383, -0.059, 1.575, 0.192, 0.141, -1.283, 0.197, -0.066, -2.344, 0.696, -4.306, -2.936])
BIAS = -0.405


def note_features(
    segment: Segment, before: Segment | None, track: PitchTrack, pitch: Floats, loudest: float
) -> NDArray[np.float64]:
    """Return the FEATURES of a segment. `loudest` is the level of the loudest frames of the recording, in dB."""
    frames = slice(segment.first, max(segment.end, segment.first + 1))
    yin = track.yin_weight[frames]
    without_model = track.model_weight[frames] == 0
    model = np.where(without_model, yin, track.model_weight[frames])
    level = float(track.level[frames].max())
    change = 0.0
    if before is not None and segment.start_s - before.end_s < 0.5:
        change = level - float(track.level[before.first : max(before.end, before.first + 1)].max())
    duration = max(segment.end_s - segment.start_s, 0.01)
    rise = min(segment.rise_db, 30.0)
    spread = float(np.std(np.clip(pitch[frames] - np.median(pitch[frames]), -1, 1)))
    agreement = np.where(without_model, yin > 0.5, np.abs(track.model[frames] - track.yin[frames]) < 0.5)
    return np.array(
        [
            model.mean(),
            yin.mean(),
            agreement.mean(),
            np.log(duration),
            rise,
            (duration < 0.12) * (30 - rise) / 30,
            max(level - loudest, -40.0),
            np.clip(change, -30, 10),
            spread,
            float(segment.is_repeat),
            segment.doubt,
            max(float(model.max()), float(yin.max())),
        ],
        dtype=np.float64,
    )


def probability(features: NDArray[np.float64]) -> float:
    return float(1 / (1 + np.exp(-(features @ WEIGHTS + BIAS))))
