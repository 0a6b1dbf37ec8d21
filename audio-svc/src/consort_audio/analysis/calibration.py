"""Turn a score into a confidence: the probability to be right, by what was fitted on known answers."""

from collections.abc import Sequence
from typing import overload

import numpy as np

from consort_audio.signals.arrays import Numbers


def calibrated(score: float, table: Sequence[tuple[float, float]]) -> float:
    """Return the probability at a score by a piecewise-linear table: pairs of score and probability, scores rising.

    Scores outside the table have the probability of its nearest end.
    """
    scores, probabilities = zip(*table, strict=True)
    return float(np.interp(score, scores, probabilities))


@overload
def logistic(score: float) -> float: ...
@overload
def logistic(score: Numbers) -> Numbers: ...
def logistic(score: float | Numbers) -> float | Numbers:
    """Return the probability of log odds, such as the sum of weighted features of a logistic regression."""
    probability: Numbers = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return probability
