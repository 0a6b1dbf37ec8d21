"""The parts of chords in a recording, computed once for all analyses that need them."""

from consort_audio.neural.chord_network import ChordLogProbabilities, chord_log_probabilities
from consort_audio.signals.constant_q import constant_q_of
from consort_audio.signals.recording import Recording


def chord_parts_of(recording: Recording) -> ChordLogProbabilities | None:
    """Return the chord network's log probabilities, or None if it is not installed."""
    return recording.feature("chord parts", lambda it: chord_log_probabilities(constant_q_of(it)))
