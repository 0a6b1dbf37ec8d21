"""The parts of chords in a recording, computed once for all analyses that need them."""

import numpy as np

from consort_audio.neural.chord_network import ChordLogProbabilities, chord_log_probabilities
from consort_audio.signals.constant_q import constant_q_of
from consort_audio.signals.recording import Recording

FOUR_MORE = (1, 2, 3, 4)
LONGEST_FOR_ALL_S = 90.0
"""All five networks are asked about recordings up to this length, about longer ones the first only."""


def chord_parts_of(recording: Recording) -> ChordLogProbabilities | None:
    """Return the log probabilities of the first chord network, or None if it is not installed."""
    return recording.feature("chord parts", lambda it: chord_log_probabilities(constant_q_of(it)))


def best_chord_parts_of(recording: Recording) -> ChordLogProbabilities | None:
    """Return the mean over all five chord networks, which is a little better and takes five times as long."""
    return recording.feature("best chord parts", _mean_of_all)


def _mean_of_all(recording: Recording) -> ChordLogProbabilities | None:
    first = chord_parts_of(recording)
    if first is None or recording.duration > LONGEST_FOR_ALL_S:
        return first
    others = chord_log_probabilities(constant_q_of(recording), FOUR_MORE)
    if others is None:
        return first
    return ChordLogProbabilities(
        *(np.log((np.exp(one) + 4 * np.exp(four)) / 5) for one, four in zip(first, others, strict=True))
    )
