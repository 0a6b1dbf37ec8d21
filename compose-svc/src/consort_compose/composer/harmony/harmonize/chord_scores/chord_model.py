"""Estimates the probability that Bach would use each chord at each beat of a melody.

A neural network with one hidden layer (tanh) scores each chord class from the features of a beat. A linear-chain
conditional random field (CRF) adds scores for moves between chord classes, with a separate table for each kind of
arrival at a beat (`beat_features.py`). The forward-backward algorithm gives the probability of each class at each beat;
its running time is O(beats * classes²). No numerical library is needed.

The weights are signed bytes in `chord_model_weights.json`. `benchmarks/training/train_chord_model.py` trained them on
chorales of music21's corpus. The tunes held out from training are listed in `evaluation/corpora/chorales/split.json`.
"""

import base64
import json
import zlib
from array import array
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, tanh
from operator import mul

from consort_compose.composer.harmony.harmonize.chord_scores.beat_features import beat_arrivals, beat_features
from consort_compose.composer.harmony.melody_grid import MelodyGrid

ChordClass = tuple[int, int]
"""A root in semitones above the tonic, and a family of chords (`degree_chords.py`)."""
LEAST = 1e-4
"""Lower bound for probabilities. It is used for classes that the model does not have, and to avoid log(0)."""


@dataclass(frozen=True)
class ChordModel:
    """The trained weights. `moves` and `start` are already exponentiated, because they are multiplied, not added."""

    states: list[ChordClass]
    hidden: list[list[float]]
    """For each feature, its weights to the hidden layer. The last row is the bias."""
    output: list[list[float]]
    """For each chord class, its weights from the hidden layer."""
    moves: list[list[list[float]]]
    """`moves[arrival][from][to]`: for arrivals see `beat_features.py`."""
    start: list[float]
    """For each chord class, its weight at the first beat."""

    def emissions(self, features: list[list[int]]) -> list[list[float]]:
        """Return the score of each chord class at each beat, exponentiated and scaled so that the largest is 1."""
        bias = self.hidden[-1]
        found = []
        for beat in features:
            sums = [sum(column) for column in zip(bias, *(self.hidden[feature] for feature in beat), strict=True)]
            active = list(map(tanh, sums))
            scores = [sum(map(mul, active, row)) for row in self.output]
            highest = max(scores)
            found.append([exp(score - highest) for score in scores])
        return found

    def probabilities(self, features: list[list[int]], arrivals: list[int]) -> list[list[float]]:
        """Return the probability of each chord class at each beat, by the forward-backward algorithm."""
        emissions = self.emissions(features)
        into = [list(zip(*table, strict=True)) for table in self.moves]
        forward = [_normalized(list(map(mul, emissions[0], self.start)))]
        for emission, arrival in zip(emissions[1:], arrivals[1:], strict=True):
            before = forward[-1]
            forward.append(
                _normalized(
                    [own * sum(map(mul, before, row)) for own, row in zip(emission, into[arrival], strict=True)]
                )
            )
        backward = [1.0] * len(self.states)
        found = [forward[-1]]
        for index in range(len(emissions) - 2, -1, -1):
            after = list(map(mul, emissions[index + 1], backward))
            backward = _normalized([sum(map(mul, after, row)) for row in self.moves[arrivals[index + 1]]])
            found.append(_normalized(list(map(mul, forward[index], backward))))
        return found[::-1]


def chord_probabilities(grid: MelodyGrid, tonic: int, minor: bool) -> list[dict[ChordClass, float]]:
    """Return the probability of each chord class at each beat of a melody."""
    model = load_model()
    rows = model.probabilities(beat_features(grid, tonic, minor), beat_arrivals(grid))
    return [dict(zip(model.states, row, strict=True)) for row in rows]


@cache
def load_model() -> ChordModel:
    kept = json.loads(files(__package__).joinpath("chord_model_weights.json").read_text())
    width = kept["hidden"]
    count = len(kept["states"])
    moves = [[exp(value) for value in row] for row in _table(kept["moves"], count)]
    return ChordModel(
        states=[(root, family) for root, family in kept["states"]],
        hidden=_table(kept["features_to_hidden"], width),
        output=_table(kept["hidden_to_states"], width),
        moves=[moves[at : at + count] for at in range(0, len(moves), count)],
        start=[exp(value) for value in _table(kept["start"], count)[0]],
    )


def _table(kept: dict[str, float | str], width: int) -> list[list[float]]:
    """Unpack rows of signed bytes and multiply them by their scale."""
    values = array("b", zlib.decompress(base64.b64decode(str(kept["bytes"]))))
    scale = float(kept["scale"])
    return [[value * scale for value in values[at : at + width]] for at in range(0, len(values), width)]


def _normalized(values: list[float]) -> list[float]:
    total = sum(values)
    return [value / total for value in values]
