"""How likely an expected note of a chord was played, from the probabilities of the network basic-pitch.

Among other notes a note is easily lost by free transcription, but not when one knows where to look. The chance is a
logistic regression on what the network says about its pitch around the time at which it was due. `train_chord_takes`
fitted it on chords of piano and guitar: expected notes that were played, others near them that were not, and notes
that still rang and were not played again.
"""

import numpy as np

from consort_audio.analysis.calibration import logistic
from consort_audio.neural.note_posteriors import FRAMES_PER_SECOND, LOWEST_PITCH, NotePosteriors
from consort_audio.signals.arrays import Floats, Numbers

FEATURES = (
    "begins", "sounds", "sounds most", "sounded before", "neighbour begins", "pitch", "pitch squared", "length (log)",
)  # fmt: skip
WEIGHTS = np.array([3.273, 1.032, 1.099, -0.993, 0.645, -0.943, 0.327, 0.234])
BIAS = -1.385
MISSING_BELOW = 0.005
"""A note counts as missing if its chance is lower: nearly all notes of a take are played."""
_BEFORE_S, _AFTER_S = 0.08, 0.1
_LONGEST_S, _FIRST_S = 0.3, 0.2
_EARLIER_S, _JUST_BEFORE_S = 0.14, 0.06
_MIDDLE_PITCH = 60


def chance_of_expected(posteriors: NotePosteriors, pitch: int, due: float, length: float) -> float:
    """Return the probability that a note of this pitch (MIDI number) was played at about this time."""
    return float(logistic(float(expected_note_features(posteriors, pitch, due, length) @ WEIGHTS) + BIAS))


def expected_note_features(posteriors: NotePosteriors, pitch: int, due: float, length: float) -> Numbers:
    """Return the features of a note that was due at a time."""
    column = min(max(pitch - LOWEST_PITCH, 0), posteriors.note.shape[1] - 1)
    begins = _between(posteriors.onset, due - _BEFORE_S, due + _AFTER_S)
    sounds = _between(posteriors.note, due, due + min(max(length, 0.05), _LONGEST_S))[:, column]
    first = _between(posteriors.note, due, due + _FIRST_S)[:, column]
    before = _between(posteriors.note, due - _EARLIER_S, due - _JUST_BEFORE_S)[:, column]
    neighbours = begins[:, [max(column - 1, 0), min(column + 1, begins.shape[1] - 1)]]
    register = (pitch - _MIDDLE_PITCH) / 12
    chances = (begins[:, column].max(), sounds.mean(), first.max(), before.mean(), neighbours.max())
    return np.array([*(_odds(float(each)) for each in chances), register, register**2, np.log(max(length, 0.05))])


def _between(values: Floats, first: float, last: float) -> Floats:
    """Return the frames between two times, at least one."""
    begin = min(max(round(first * FRAMES_PER_SECOND), 0), len(values) - 1)
    return values[begin : max(round(last * FRAMES_PER_SECOND) + 1, begin + 1)]


def _odds(chance: float) -> float:
    """Return the log odds of a probability of the network, which is rarely below 0.1."""
    return float(np.log((chance + 0.02) / (1.02 - chance)))
