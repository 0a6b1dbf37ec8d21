"""Velocity and exact times of intervals: two networks with one hidden layer each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.arrays import NetworkArray


class IntervalAttributes(NamedTuple):
    velocity: NDArray[np.int64]
    """The most probable MIDI velocity."""
    shift: NetworkArray
    """(intervals, 2): what to add to the first and the last frame, from -0.5 to 0.5 frames."""
    is_inside: NDArray[np.bool_]
    """(intervals, 2): whether the note really begins or ends there, if that is the first or the last frame."""


def interval_attributes(features: NetworkArray, weights: dict[str, NetworkArray]) -> IntervalAttributes:
    velocities = _network(features, weights, "velocity")
    refinement = _network(features, weights, "refinement")
    shift = (_mean_of_continuous_bernoulli(refinement[:, :2]) - 0.5) / 0.99
    return IntervalAttributes(velocities.argmax(axis=1), np.clip(shift, -0.5, 0.5), refinement[:, 2:] > 0)


def _network(x: NetworkArray, weights: dict[str, NetworkArray], name: str) -> NetworkArray:
    hidden = x @ weights[f"{name}_0"] + weights[f"{name}_0_bias"]
    hidden = 0.5 * hidden * (1 + _error_function(hidden / np.sqrt(2)))  # GELU
    return (hidden @ weights[f"{name}_1"] + weights[f"{name}_1_bias"]).astype(np.float32)


def _mean_of_continuous_bernoulli(logit: NetworkArray) -> NetworkArray:
    """Return `1 / (1 - exp(-x)) - 1 / x`, and its Taylor series where that is 0 / 0."""
    x = logit.astype(np.float64)
    small = np.abs(x) < 1e-2
    safe = np.clip(np.where(small, 1.0, x), -80, 80)
    return np.where(small, 0.5 + x / 12, 1 / -np.expm1(-safe) - 1 / safe).astype(np.float32)


def _error_function(x: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return erf(x) by formula 7.1.26 of Abramowitz and Stegun (error below 2e-7)."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    result: NDArray[np.floating] = np.sign(x) * (1 - series * np.exp(-x * x))
    return result
