"""Logistic regression by Newton's method, with weights of the examples and a small penalty on the scaled weights."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.arrays import Numbers

_STEPS = 40


class LogisticModel(NamedTuple):
    weights: Numbers
    bias: float

    def __call__(self, features: Numbers) -> Numbers:
        """Return the probability of each row."""
        return np.asarray(1 / (1 + np.exp(-np.clip(features @ self.weights + self.bias, -30, 30))))

    def text(self) -> str:
        """Return the numbers as they are written in the engine's module."""
        return f"WEIGHTS = np.array({[round(float(each), 3) for each in self.weights]})\nBIAS = {self.bias:.3f}"


def fit_logistic(
    features: Numbers, labels: NDArray[np.bool_], importance: Numbers | None = None, penalty: float = 1.0
) -> LogisticModel:
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled = np.column_stack([(features - mean) / deviation, np.ones(len(features))])
    weight = np.ones(len(features)) if importance is None else importance
    found = np.zeros(scaled.shape[1])
    shrink = np.full(len(found), penalty)
    shrink[-1] = 1e-6
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ found, -30, 30)))
        slope = scaled.T @ (weight * (chance - labels)) + shrink * found
        curve = (scaled * (weight * chance * (1 - chance))[:, None]).T @ scaled + np.diag(shrink)
        found = found - np.linalg.solve(curve, slope)
    weights = found[:-1] / deviation
    return LogisticModel(weights, float(found[-1] - mean @ weights))
