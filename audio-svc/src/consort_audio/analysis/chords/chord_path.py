"""The best sequence of chords: a Viterbi search in which every change of chord costs the same.

The score of a sequence is the sum of the scores of its frames, plus for each change the (negative) `change` score of
that frame and the `entering` score of the new chord. Because the cost of a change does not depend on the old chord, one
step needs the best score of the frame before only: time is frames x states.
"""

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


def best_path(scores: Scores, change: Scores, entering: Scores) -> NDArray[np.int32]:
    """Return the state of each frame.

    `scores` has one row per frame and one column per state, `change` the score of a change at each frame, `entering`
    that of a change to each state. Both are at most 0.
    """
    frames, states = scores.shape
    if not frames:
        return np.zeros(0, np.int32)
    came_from = np.empty(frames, np.int32)
    stayed = np.ones((frames, states), bool)
    total = scores[0] + entering
    for frame in range(1, frames):
        best = int(total.argmax())
        entered = entering + (total[best] + change[frame])
        came_from[frame] = best
        np.greater_equal(total, entered, out=stayed[frame])
        np.maximum(total, entered, out=total)
        total += scores[frame]
        if frame % 512 == 0:
            total -= total.max()  # keeps the precision of single floats
    path = np.empty(frames, np.int32)
    path[-1] = total.argmax()
    for frame in range(frames - 1, 0, -1):
        state = path[frame]
        path[frame - 1] = state if stayed[frame, state] else came_from[frame]
    return path


def path_score(scores: Scores, change: Scores, entering: Scores, path: NDArray[np.int32]) -> float:
    """Return the score of a sequence: what `best_path` maximises."""
    if not len(path):
        return 0.0
    changed = np.flatnonzero(np.diff(path)) + 1
    changes = float(change[changed].sum() + entering[path[changed]].sum())
    return float(scores[np.arange(len(path)), path].sum(dtype=np.float64) + entering[path[0]]) + changes
