"""How well each chord fits each frame, by the chord network.

The score of a chord is the sum of the logarithms of the network's probabilities of its triad, bass, seventh and sixth,
plus `SEVENTH_BONUS` for the usual sevenths, which the network misses too often, less `RARE_PENALTY` for rare kinds.
"""

import numpy as np

from consort_audio.analysis.chords.chord_path import Scores
from consort_audio.analysis.chords.template_scores import CHUNK_FRAMES
from consort_audio.analysis.chords.vocabulary import STATES
from consort_audio.neural.chord_network import ChordLogProbabilities

SEVENTH_BONUS = 0.4
RARE_PENALTY = 1.5
USUAL = ("maj", "min", "7", "maj7", "min7")

_TRIADS = np.array([0] + [1 + 12 * state.kind.triad + state.root for state in STATES])
_BASSES = np.array([0] + [1 + state.bass for state in STATES])
_SEVENTHS = np.array([0] + [state.kind.seventh for state in STATES])
_SIXTHS = np.array([0] + [int(state.kind.sixth) for state in STATES])
_BONUS = np.array([0.0 if s.kind.suffix in USUAL else -RARE_PENALTY for s in STATES], np.float32) + np.array(
    [SEVENTH_BONUS if s.kind.suffix in USUAL and s.kind.seventh else 0.0 for s in STATES], np.float32
)


def add_network_scores(scores: Scores, parts: ChordLogProbabilities, share: float) -> None:
    """Add the score of each chord (columns: no chord, then STATES) in each frame, times `share`."""
    for start in range(0, len(scores), CHUNK_FRAMES):
        part = slice(start, start + CHUNK_FRAMES)
        own = parts.triad[part][:, _TRIADS] + parts.bass[part][:, _BASSES]
        own[:, 1:] += parts.seventh[part][:, _SEVENTHS[1:]] + parts.thirteenth[part][:, _SIXTHS[1:]] + _BONUS
        scores[part] += np.float32(share) * own
