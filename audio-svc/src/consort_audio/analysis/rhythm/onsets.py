"""Find where notes begin: `find_onsets`.

Every candidate (see `onset_features`) gets two numbers from a small network, one hidden layer of tanh units whose
weights are in `onset_network.json`: the probability that a note begins there, and how long before the peak of the onset
strength it begins. That latency is about 10 ms for plucked and struck notes, and 20 to 60 ms for soft attacks, such as
those of strings and winds; without it good players would seem late. Candidates below `LEAST_PROBABILITY` are no onsets,
and of two within `LEAST_GAP_S` the more probable one stays.

The network is trained by `benchmarks/training/train_onset_network.py` on the tune part of the truth set, on the
same tunes played by other instruments, and on tones that rise slowly or glide.
"""

import json
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.calibration import calibrated, logistic
from consort_audio.analysis.rhythm.onset_features import NAMES, onset_candidates
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import Recording

Attack = Literal["sharp", "soft"]

LEAST_PROBABILITY = 0.45
CONFIDENCE_MAP = (
    (0.0, 0.0),
    (0.47, 0.54),
    (0.55, 0.64),
    (0.63, 0.67),
    (0.68, 0.73),
    (0.77, 0.82),
    (0.88, 0.9),
    (0.94, 0.95),
    (0.98, 0.99),
    (1.0, 1.0),
)
"""From the network's probability to the share of such onsets that are right within 50 ms, in tunes whose pieces the
network did not learn."""
LEAST_GAP_S = 0.05
SOFT_FROM_S = 0.016
"""An attack is soft if the onset is at least so long before the peak of the onset strength."""
LATENCY_SCALE = 0.05
"""In seconds: the network's second output is the latency in this unit."""
EARLIEST_S, LATEST_S = 0.09, 0.05
"""The onset is at most so long before and after the peak."""
_FILE = Path(__file__).with_name("onset_network.json")


class Onset(NamedTuple):
    time: float
    """In seconds."""
    confidence: float
    """The probability that a note begins there, from 0 to 1."""
    attack: Attack


class OnsetNetwork(NamedTuple):
    mean: Numbers
    deviation: Numbers
    """Of each feature."""
    hidden_weights: Numbers
    hidden_bias: Numbers
    output_weights: Numbers
    output_bias: Numbers

    def __call__(self, features: Numbers) -> tuple[Numbers, Numbers]:
        """Return the probability of an onset, and how many seconds it is after the peak (negative: before)."""
        hidden = np.tanh((features - self.mean) / self.deviation @ self.hidden_weights + self.hidden_bias)
        output = hidden @ self.output_weights + self.output_bias
        shift = np.clip(LATENCY_SCALE * output[:, 1], -EARLIEST_S, LATEST_S)
        return logistic(output[:, 0]), shift


def find_onsets(recording: Recording) -> list[Onset]:
    """Return the onsets of a recording in order, computed once."""
    return recording.feature("onsets", _find)


def choose_onsets(times: Numbers, probabilities: Numbers) -> NDArray[np.int64]:
    """Return the indices of the onsets among candidates, in the order of their times."""
    order = np.argsort(times, kind="stable")
    kept: list[int] = []
    for index in order[probabilities[order] >= LEAST_PROBABILITY].tolist():
        if not kept or times[index] - times[kept[-1]] >= LEAST_GAP_S:
            kept.append(index)
        elif probabilities[index] > probabilities[kept[-1]]:
            kept[-1] = index
    return np.array(kept, dtype=np.int64)


@cache
def onset_network() -> OnsetNetwork:
    arrays = {name: np.array(values, dtype=np.float64) for name, values in json.loads(_FILE.read_text()).items()}
    network = OnsetNetwork(**arrays)
    assert len(network.mean) == len(NAMES), "onset_network.json was trained with other features: train it again"
    return network


def _find(recording: Recording) -> list[Onset]:
    candidates = onset_candidates(recording)
    if not len(candidates.times):
        return []
    probabilities, shifts = onset_network()(candidates.features)
    times = np.maximum(0, candidates.times + shifts)
    return [
        Onset(
            float(times[at]),
            calibrated(probabilities[at], CONFIDENCE_MAP),
            "soft" if shifts[at] <= -SOFT_FROM_S else "sharp",
        )
        for at in choose_onsets(times, probabilities)
    ]
