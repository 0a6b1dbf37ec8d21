"""Which chord Bach would likely set under each beat of a melody: a small network and the chords before and after.

The network has one hidden layer; it sees the features of a beat and gives each chord a score. A linear chain over the
beats adds how well chords follow one another, on strong and on weak beats. What comes out is the probability of each
chord at each beat, all beats considered. The weights are whole numbers in `weights.json`, trained by
`benchmarks/train/harmony.py` on chorales of music21's corpus; see there for the tunes that it never saw.
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

from consort_compose.composer.harmony.features import beat_arrivals, beat_features
from consort_compose.composer.harmony.line import Line

State = tuple[int, int]
"""A root in semitones above the tonic, and a family of chords: see `chords.py`."""
LEAST = 1e-4
"""The probability of a chord that the model does not know."""


@dataclass(frozen=True)
class Model:
    states: list[State]
    hidden: list[list[float]]
    """For each feature its weights to the hidden layer, and the bias last."""
    output: list[list[float]]
    """For each state its weights from the hidden layer."""
    moves: list[list[list[float]]]
    """`moves[arrival][from][to]`, as factors; for arrivals see `features.py`."""
    start: list[float]

    def emissions(self, features: list[list[int]]) -> list[list[float]]:
        """For each beat the score of each state, as factors of which the largest is 1."""
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
        """For each beat the probability of each state, by the forward-backward method."""
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


def chord_probabilities(line: Line, tonic: int, minor: bool) -> list[dict[State, float]]:
    """For each beat of a melody the probability of each chord."""
    model = load_model()
    rows = model.probabilities(beat_features(line, tonic, minor), beat_arrivals(line))
    return [dict(zip(model.states, row, strict=True)) for row in rows]


@cache
def load_model() -> Model:
    kept = json.loads(files(__package__).joinpath("weights.json").read_text())
    width = kept["hidden"]
    count = len(kept["states"])
    moves = [[exp(value) for value in row] for row in _table(kept["moves"], count)]
    return Model(
        states=[(root, family) for root, family in kept["states"]],
        hidden=_table(kept["features_to_hidden"], width),
        output=_table(kept["hidden_to_states"], width),
        moves=[moves[at : at + count] for at in range(0, len(moves), count)],
        start=[exp(value) for value in _table(kept["start"], count)[0]],
    )


def _table(kept: dict[str, float | str], width: int) -> list[list[float]]:
    """Rows of signed bytes, packed, times a scale."""
    values = array("b", zlib.decompress(base64.b64decode(str(kept["bytes"]))))
    scale = float(kept["scale"])
    return [[value * scale for value in values[at : at + width]] for at in range(0, len(values), width)]


def _normalized(values: list[float]) -> list[float]:
    total = sum(values)
    return [value / total for value in values]
