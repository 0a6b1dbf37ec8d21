"""How well each chord fits each frame, by the chord network.

The score of a chord is the sum of the logarithms of the network's probabilities of its triad, bass, seventh and sixth,
with the weights below.
"""

import numpy as np

from consort_audio.analysis.chords.chord_path import Scores
from consort_audio.analysis.chords.vocabulary import STATES
from consort_audio.neural.chord_network import ChordLogProbabilities

BASS_WEIGHT = 1.0
SEVENTH_WEIGHT = 1.0
SIXTH_WEIGHT = 1.0

_TRIADS = np.array([0] + [1 + 12 * state.kind.triad + state.root for state in STATES])
_BASSES = np.array([0] + [1 + state.bass for state in STATES])
_SEVENTHS = np.array([0] + [state.kind.seventh for state in STATES])
_SIXTHS = np.array([0] + [int(state.kind.sixth) for state in STATES])


def network_scores(
    parts: ChordLogProbabilities,
    bass_weight: float = BASS_WEIGHT,
    seventh_weight: float = SEVENTH_WEIGHT,
    sixth_weight: float = SIXTH_WEIGHT,
) -> Scores:
    """Return the score of each chord (columns: no chord, then STATES) in each frame."""
    scores = parts.triad[:, _TRIADS] + np.float32(bass_weight) * parts.bass[:, _BASSES]
    scores[:, 1:] += np.float32(seventh_weight) * parts.seventh[:, _SEVENTHS[1:]]
    scores[:, 1:] += np.float32(sixth_weight) * parts.thirteenth[:, _SIXTHS[1:]]
    return scores
