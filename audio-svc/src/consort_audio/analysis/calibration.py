"""Turn a score into a confidence: the probability to be right, by a piecewise-linear table fitted on known answers."""

from collections.abc import Sequence

import numpy as np


def calibrated(score: float, table: Sequence[tuple[float, float]]) -> float:
    """Return the probability at a score. `table` has pairs of score and probability, with rising scores.

    Scores outside the table have the probability of its nearest end.
    """
    scores, probabilities = zip(*table, strict=True)
    return float(np.interp(score, scores, probabilities))
