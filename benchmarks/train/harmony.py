"""Trains the harmony model: `python -m benchmarks.train.harmony` writes `weights.json` into compose-svc.

Only the training tunes of `benchmarks/chorales/split.json` are read. The model is what `composer/harmony/model.py`
describes: features of a beat, a hidden layer, scores of chords, and a linear chain; it is trained to give Bach's whole
sequence of chords a high probability (Adam, dropout on features and hidden units). Each time that a chorale is seen its
fermatas are told or not, by chance, so that the model can do without. Several small networks are trained from different
seeds and put side by side into one; their scores are averaged.

`--folds` measures instead of writing: five parts of the training tunes, each left out once.
"""

import argparse
import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.chorales.corpus import Chorale, chorales
from benchmarks.chorales.melodies import key_of, line_of
from benchmarks.chorales.roots import chords
from benchmarks.chorales.tunes import split
from consort_compose.composer.harmony import model as runtime
from consort_compose.composer.harmony.features import ARRIVALS, COUNT, beat_arrivals, beat_features

Array = NDArray[Any]

NETWORKS, HIDDEN = 2, 32
EPOCHS, BATCH, RATE = 20, 16, 5e-3
DROP_FEATURES, DROP_HIDDEN = 0.25, 0.4
DECAY, ARRIVAL_DECAY = 3e-4, 1e-3
TOLD = 0.5
"""How often a chorale's fermatas are told in training."""
RAREST = 12
"""A chord that Bach uses less often on the training tunes is not learned."""
FAMILIES = (0, 1, 2, 0, 1, 0, 2, 2)
"""Of the templates of `benchmarks.chorales.roots`: major, minor, diminished."""
WEIGHTS = Path(runtime.__file__).with_name("weights.json")


@dataclass(frozen=True)
class Example:
    tune: int
    is_first: bool
    """Whether it is the setting that stands for its tune in measurements."""
    features: Array
    unmarked: Array
    """The features with and without fermatas."""
    arrivals: tuple[Array, Array]
    """How each beat is arrived at, with and without fermatas."""
    states: Array
    roots: Array
    """In semitones above the tonic, -1 where there is none."""


@dataclass
class Network:
    hidden: Array
    bias: Array
    output: Array
    moves: Array
    """How well chords follow one another, whatever the beat."""
    by_arrival: Array
    """What is added to that for each kind of arrival."""
    start: Array

    def parameters(self) -> list[Array]:
        return [self.hidden, self.bias, self.output, self.moves, self.by_arrival, self.start]

    def scores(self, features: Array) -> Array:
        scores: Array = np.tanh(features @ self.hidden + self.bias) @ self.output
        return scores


def examples() -> tuple[list[Example], list[runtime.State]]:
    """The training chorales, and the chords that are learned, the most frequent first."""
    read = [
        (tune, index == 0, chorales()[name])
        for tune, names in enumerate(split().train)
        for index, name in enumerate(names)
    ]
    labelled = [(tune, first, chorale, _labels(chorale)) for tune, first, chorale in read]
    counts = Counter(label for *_, labels in labelled for label in labels if label is not None)
    states = [state for state, count in counts.most_common() if count >= RAREST]
    return [_example(*entry, states) for entry in labelled], states


def _labels(chorale: Chorale) -> list[runtime.State | None]:
    tonic = key_of(chorale).tonic
    return [None if chord is None else ((chord[0] - tonic) % 12, FAMILIES[chord[1]]) for chord in chords(chorale)]


def _example(
    tune: int, first: bool, chorale: Chorale, labels: list[runtime.State | None], states: list[runtime.State]
) -> Example:
    known = {state: index for index, state in enumerate(states)}
    return Example(
        tune,
        first,
        _features(chorale, fermatas=True),
        _features(chorale, fermatas=False),
        (np.array(beat_arrivals(line_of(chorale))), np.array(beat_arrivals(line_of(chorale, fermatas=False)))),
        np.array([0 if label is None else known.get(label, 0) for label in labels]),
        np.array([-1 if label is None else label[0] for label in labels]),
    )


def _features(chorale: Chorale, fermatas: bool) -> Array:
    key = key_of(chorale)
    rows = beat_features(line_of(chorale, fermatas), key.tonic, key.mode == "minor")
    features = np.zeros((len(rows), COUNT), np.float32)
    for index, row in enumerate(rows):
        features[index, row] = 1
    return features


def train(data: list[Example], count: int, seed: int) -> Network:
    random = np.random.default_rng(seed)
    network = Network(
        (random.standard_normal((COUNT, HIDDEN)) * 0.05).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        (random.standard_normal((HIDDEN, count)) * 0.1).astype(np.float32),
        np.zeros((count, count), np.float32),
        np.zeros((ARRIVALS, count, count), np.float32),
        np.zeros(count, np.float32),
    )
    decays = (DECAY, 0.0, DECAY, 1e-5, ARRIVAL_DECAY, 1e-5)
    first = [np.zeros_like(parameter) for parameter in network.parameters()]
    second = [np.zeros_like(parameter) for parameter in network.parameters()]
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS)
        order = random.permutation(len(data))
        for at in range(0, len(data), BATCH):
            batch = [data[index] for index in order[at : at + BATCH]]
            step += 1
            for place, gradient in enumerate(_gradients(network, batch, random)):
                parameter = network.parameters()[place]
                gradient = gradient - decays[place] * parameter
                first[place] = 0.9 * first[place] + 0.1 * gradient
                second[place] = 0.999 * second[place] + 0.001 * gradient * gradient
                mean, square = first[place] / (1 - 0.9**step), second[place] / (1 - 0.999**step)
                parameter += rate * mean / (np.sqrt(square) + 1e-8)
    return network


def _gradients(network: Network, batch: list[Example], random: np.random.Generator) -> list[Array]:
    """How the log probability of the batch, per beat, changes with each parameter."""
    told = [random.random() < TOLD for _ in batch]
    features = np.concatenate([e.features if is_told else e.unmarked for e, is_told in zip(batch, told, strict=True)])
    arrivals = [example.arrivals[not is_told] for example, is_told in zip(batch, told, strict=True)]
    features = features * ((random.random(features.shape, np.float32) > DROP_FEATURES) / np.float32(1 - DROP_FEATURES))
    active = np.tanh(features @ network.hidden + network.bias)
    kept = (random.random(active.shape, np.float32) > DROP_HIDDEN) / np.float32(1 - DROP_HIDDEN)
    lengths = [len(example.states) for example in batch]
    states = np.concatenate([example.states for example in batch])
    scores = np.split((active * kept) @ network.output, np.cumsum(lengths)[:-1])
    single, by_move = chain(scores, arrivals, network.moves + network.by_arrival, network.start)
    error = -np.concatenate(single)
    error[np.arange(len(states)), states] += 1
    by_move = -by_move
    for example, arrived in zip(batch, arrivals, strict=True):
        np.add.at(by_move, (arrived[1:], example.states[:-1], example.states[1:]), 1)
    by_start = error[np.cumsum([0, *lengths[:-1]])].sum(0)
    back = (error @ network.output.T) * kept * (1 - active * active)
    gradients = [features.T @ back, back.sum(0), (active * kept).T @ error, by_move.sum(0), by_move, by_start]
    return [(gradient / len(features)).astype(np.float32) for gradient in gradients]


def chain(scores: list[Array], arrivals: list[Array], moves: Array, start: Array) -> tuple[list[Array], Array]:
    """For each sequence the probability of each state at each beat; and how often each move is expected in all."""
    lengths = np.array([len(one) for one in scores])
    factors = np.ones((lengths.max(), len(scores), len(start)))
    arrived = np.zeros(factors.shape[:2], int)
    for index, (one, kinds) in enumerate(zip(scores, arrivals, strict=True)):
        factors[: len(one), index] = np.exp(one - one.max(1, keepdims=True))
        arrived[: len(one), index] = kinds
    steps = np.exp(moves.astype(np.float64))
    forward = np.empty_like(factors)
    forward[0] = _normalized(factors[0] * np.exp(start))
    for at in range(1, len(factors)):
        for kind, rows in _groups(arrived[at]):
            forward[at, rows] = _normalized(factors[at, rows] * (forward[at - 1, rows] @ steps[kind]))
    expected = np.zeros_like(steps)
    backward = np.ones_like(factors[0])
    single = np.empty_like(factors)
    single[-1] = forward[-1]
    for at in range(len(factors) - 2, -1, -1):
        after = factors[at + 1] * backward
        goes_on = (at + 1 < lengths)[:, None]
        for kind, rows in _groups(arrived[at + 1]):
            reached = after[rows] @ steps[kind].T
            share = forward[at, rows] * goes_on[rows] / (forward[at, rows] * reached).sum(1, keepdims=True)
            expected[kind] += (share.T @ after[rows]) * steps[kind]
            backward[rows] = np.where(goes_on[rows], _normalized(reached), 1.0)
        single[at] = _normalized(forward[at] * backward)
    return [single[:length, index] for index, length in enumerate(lengths)], expected


def _groups(arrived: Array) -> Iterator[tuple[int, Array]]:
    for kind in np.unique(arrived):
        yield int(kind), np.nonzero(arrived == kind)[0]


def _normalized(rows: Array) -> Array:
    shares: Array = rows / rows.sum(1, keepdims=True)
    return shares


def joined(networks: list[Network]) -> Network:
    """One network whose scores are the average of all."""
    share = 1 / len(networks)
    return Network(
        np.concatenate([network.hidden for network in networks], 1),
        np.concatenate([network.bias for network in networks]),
        np.concatenate([network.output * share for network in networks]),
        np.mean([network.moves for network in networks], 0),
        np.mean([network.by_arrival for network in networks], 0),
        np.mean([network.start for network in networks], 0),
    )


def agreement(network: Network, data: list[Example], states: list[runtime.State], fermatas: bool) -> float:
    """The share of beats at which the likeliest root is Bach's, one setting a tune."""
    roots = np.array([[state[0] == root for root in range(12)] for state in states], float)
    same = beats = 0
    for example in data:
        if example.is_first:
            scores = network.scores(example.features if fermatas else example.unmarked)
            arrivals = example.arrivals[not fermatas]
            (single,), _ = chain([scores], [arrivals], network.moves + network.by_arrival, network.start)
            known = example.roots >= 0
            same += int(((single @ roots).argmax(1) == example.roots)[known].sum())
            beats += int(known.sum())
    return same / beats


def write(network: Network, states: list[runtime.State]) -> None:
    kept = {
        "hidden": len(network.bias),
        "states": states,
        "features_to_hidden": _packed(np.vstack([network.hidden, network.bias])),
        "hidden_to_states": _packed(network.output.T),
        "moves": _packed((network.moves + network.by_arrival).reshape(-1, len(states))),
        "start": _packed(network.start[None]),
    }
    WEIGHTS.write_text(json.dumps(kept, separators=(",", ":")) + "\n")


def _packed(table: Array) -> dict[str, float | str]:
    scale = float(np.abs(table).max()) / 127
    values = np.round(table / scale).astype(np.int8)
    return {"scale": round(scale, 9), "bytes": base64.b64encode(zlib.compress(values.tobytes(), 9)).decode()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the harmony model on the training tunes.")
    parser.add_argument("--folds", action="store_true", help="measure on parts of the training tunes; write nothing")
    data, states = examples()
    if not parser.parse_args().folds:
        write(joined([train(data, len(states), seed) for seed in range(NETWORKS)]), states)
        return
    shares = []
    for fold in range(5):
        kept = [example for example in data if example.tune % 5 != fold]
        left_out = [example for example in data if example.tune % 5 == fold]
        network = joined([train(kept, len(states), seed) for seed in range(NETWORKS)])
        shares.append([100 * agreement(network, left_out, states, fermatas) for fermatas in (True, False)])
        print("fold {}: {:.1f}%, fermatas not told {:.1f}%".format(fold, *shares[-1]), flush=True)
    print("mean {:.1f}%, fermatas not told {:.1f}%".format(*np.mean(shares, 0)))


if __name__ == "__main__":
    main()
