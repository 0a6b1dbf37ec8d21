"""How likely a note that nobody expected was played, and is no trace of the notes that were.

The partials of a note are heard as higher notes, notes that share partials as a lower one, and strings that still ring
as notes again. The chance is a logistic regression on the confidence of the transcription and on which notes sound,
fitted by `train_chord_takes`.
"""

from collections.abc import Sequence

import numpy as np

from consort_audio.analysis.calibration import logistic
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.played_notes import PlayedNote

FEATURES = (
    "confidence (log odds)", "length (log)", "octave below", "twelfth below", "higher partial", "partial of ringing",
    "octave above", "partials begin", "partials ring", "rings",
)  # fmt: skip
WEIGHTS = np.array([1.523, -0.129, -0.922, -1.193, -0.495, -0.03, -0.186, -1.167, 0.955, 0.948])
BIAS = 0.332
EXTRA_FROM = 0.98
WRONG_FROM = 0.9
"""From which chance on a note counts as extra, and as a wrong one instead of another that is missing."""
_PARTIALS = (12, 19, 24, 28, 31, 34, 36)
"""Semitones from a note to its partials 2 to 8."""
_NOW_S = 0.1
_RINGS_S = 0.3
_ECHO_S = 0.12


def chance_of_unexpected(note: PlayedNote, others: Sequence[PlayedNote]) -> float:
    """Return the probability that a note was played. `others` are the notes that were certainly played."""
    if is_echo(note, others):
        return 0.0
    return float(logistic(float(unexpected_note_features(note, others) @ WEIGHTS) + BIAS))


def is_echo(note: PlayedNote, others: Sequence[PlayedNote]) -> bool:
    """Return whether the same pitch begins shortly before or after: one note that was heard twice."""
    return any(abs(other.start - note.start) <= _ECHO_S and round(other.pitch) == round(note.pitch) for other in others)


def unexpected_note_features(note: PlayedNote, others: Sequence[PlayedNote]) -> Numbers:
    now = {round(other.pitch - note.pitch) for other in others if abs(other.start - note.start) < _NOW_S}
    rings = {
        round(other.pitch - note.pitch)
        for other in others
        if other.start <= note.start - _NOW_S and other.end > note.start - _RINGS_S
    }
    confidence = min(max(note.confidence, 0.01), 0.99)
    return np.array(
        [
            np.log(confidence / (1 - confidence)),
            np.log(max(note.end - note.start, 0.02)),
            -12 in now,
            -19 in now,
            any(-partial in now for partial in _PARTIALS[2:]),
            any(-partial in rings for partial in _PARTIALS),
            12 in now,
            sum(partial in now for partial in _PARTIALS),
            sum(partial in rings for partial in _PARTIALS),
            0 in rings,
        ],
        np.float64,
    )
