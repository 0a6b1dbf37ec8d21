"""Turn what the engine computes into probabilities: piecewise-linear maps that were fitted on the tune part of the
truth set, so that of the answers with confidence c a share of about c is right."""

from consort_audio.analysis.calibration import calibrated
from consort_audio.analysis.tempo.bars import HeardBars
from consort_audio.analysis.tempo.beat_activation import BeatActivation
from consort_audio.analysis.tempo.reading_features import Frames, largest_near

TEMPO_MAP = (
    (0.0, 0.0),
    (0.29, 0.47),
    (0.4, 0.52),
    (0.57, 0.56),
    (0.7, 0.64),
    (0.8, 0.8),
    (0.89, 0.86),
    (0.98, 0.97),
    (1.0, 0.99),
)
"""From the probability of a reading to the share of right tempos."""
METRE_MAP = ((0.0, 0.5), (0.05, 0.52), (0.1, 0.6), (0.15, 0.67), (0.32, 0.81), (0.6, 0.88))
"""From the margin of the bars in nats per beat to the share of right downbeats."""
CLEAR_BEAT = 0.35
"""The mean onset strength on the beat (0..1) above which there is a beat to hear."""

ENOUGH_BEATS = 8


def tempo_confidence(chance: float, activation: BeatActivation, frames: Frames, has_hint: bool) -> float:
    """Return the probability that the tempo is right. A weak beat, as in noise, and few beats lower it."""
    clear = min(1.0, float(largest_near(activation.onsets, frames).mean()) / CLEAR_BEAT, len(frames) / ENOUGH_BEATS)
    mapped = calibrated(0.9 if has_hint else chance, TEMPO_MAP)
    return round(mapped * clear, 3)


def metre_confidence(bars: HeardBars) -> float:
    """Return the probability that a downbeat is right."""
    return calibrated(bars.margin, METRE_MAP)
