"""Find clear changes of key.

The evidence of windows of `WINDOW_S`, each `STEP_S` after the one before, gives the logarithm of the probability of
each key. The best sequence of keys is found by a Viterbi search in which a change costs `CHANGE`; a change is placed
where the windows of the two keys meet, so it is right within about `STEP_S`. Recordings under two windows have no
changes.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.key.evidence import key_evidence
from consort_audio.analysis.key.find import find_key, key_named, log_probabilities
from consort_audio.signals.recording import Recording
from consort_music.keys import Key

WINDOW_S = 16.0
STEP_S = 4.0
CHANGE = 12.0


def find_key_changes(recording: Recording) -> list[tuple[float, Key]]:
    """Return the time in seconds and the new key of each change."""
    if recording.duration < 2 * WINDOW_S or find_key(recording).key is None:
        return []
    starts = np.arange(0.0, recording.duration - WINDOW_S / 2, STEP_S)
    scores = [log_probabilities(key_evidence(recording, start, start + WINDOW_S)) for start in starts]
    path = _best_keys(np.array(scores))
    return [
        (float(starts[place]) + WINDOW_S / 2 - STEP_S / 2, key_named(after))
        for place, (before, after) in enumerate(pairwise(path), start=1)
        if before != after
    ]


def _best_keys(scores: NDArray[np.float64]) -> list[int]:
    """Return the number of the key of each window (Viterbi)."""
    total = scores[0].copy()
    came_from = []
    for row in scores[1:]:
        best = int(total.argmax())
        changed = total[best] - CHANGE
        came_from.append(np.where(total >= changed, np.arange(24), best))
        total = np.maximum(total, changed) + row
    path = [int(total.argmax())]
    for previous in reversed(came_from):
        path.append(int(previous[path[-1]]))
    return path[::-1]
