"""Turn what the engine computes into probabilities: piecewise-linear maps that were fitted on the tune part of the
truth set, so that of the answers with confidence c a share of about c is right."""

import numpy as np

from consort_audio.analysis.tempo.bars import HeardBars
from consort_audio.analysis.tempo.beat_activation import BeatActivation
from consort_audio.analysis.tempo.readings import Frames, largest_near

TEMPO_MAP = ((0.0, 0.0), (0.3, 0.22), (0.45, 0.43), (0.65, 0.63), (0.75, 0.66), (0.85, 0.75), (0.93, 0.87), (1.0, 0.97))
"""From the probability of a reading to the share of right tempos."""
METRE_MAP = ((0.0, 0.5), (0.05, 0.52), (0.1, 0.6), (0.15, 0.67), (0.32, 0.81), (0.6, 0.88))
"""From the margin of the bars in nats per beat to the share of right downbeats."""
CLEAR_BEAT = 0.35
"""The mean onset strength on the beat (0..1) above which there is a beat to hear."""

ENOUGH_BEATS = 8


def tempo_confidence(chance: float, activation: BeatActivation, frames: Frames, has_hint: bool) -> float:
    """Return the probability that the tempo is right. A weak beat, as in noise, and few beats lower it."""
    clear = min(1.0, float(largest_near(activation.onsets, frames).mean()) / CLEAR_BEAT, len(frames) / ENOUGH_BEATS)
    mapped = interpolate(TEMPO_MAP, 0.9 if has_hint else chance)
    return round(mapped * clear, 3)


def metre_confidence(bars: HeardBars) -> float:
    """Return the probability that a downbeat is right."""
    return interpolate(METRE_MAP, bars.margin)


def interpolate(table: tuple[tuple[float, float], ...], value: float) -> float:
    return float(np.interp(value, [x for x, _ in table], [y for _, y in table]))
