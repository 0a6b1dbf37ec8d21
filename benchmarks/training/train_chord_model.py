"""Train the chord model: `python -m benchmarks.training.train_chord_model` writes `chord_model_weights.json`.

Only the training tunes of `evaluation/corpora/chorales/split.json` are read. `chord_model.py` in compose-svc describes
the model: features of a beat, a hidden layer, scores of chords, and a linear-chain conditional random field. Training
maximizes the probability of Bach's whole sequence of chords, with Adam and with dropout on features and hidden units.
Each time a chorale is used, its fermatas are given or left out at random, so that the model also works without
fermatas. Two small networks are trained from different seeds and combined into one network whose scores are their
average.

`--folds` runs five-fold cross-validation on the training tunes and writes nothing.
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

from consort_compose.composer.harmony.harmonize.chord_scores import chord_model as runtime
from consort_compose.composer.harmony.harmonize.chord_scores.beat_features import (
    ARRIVALS,
    COUNT,
    beat_arrivals,
    beat_features,
)
from evaluation.corpora.chorales.roots import chords
from evaluation.corpora.chorales.scores import Chorale, chorales
from evaluation.corpora.chorales.sopranos import soprano_grid, soprano_key
from evaluation.corpora.chorales.split import split

Array = NDArray[Any]

NETWORKS = 2
HIDDEN = 32
"""Hidden units of each network."""
EPOCHS = 20
BATCH = 16
"""Chorales in a batch."""
RATE = 5e-3
"""Learning rate of the first epoch. It decreases linearly to 0."""
DROP_FEATURES, DROP_HIDDEN = 0.25, 0.4
"""Probabilities of dropout."""
DECAY, ARRIVAL_DECAY = 3e-4, 1e-3
"""Weight decay of the layers, and of `Network.by_arrival`."""
FERMATAS_GIVEN = 0.5
"""Probability that a chorale's fermatas are given in training."""
MIN_OCCURRENCES = 12
"""Chords that occur less often than this in the training chorales are not learned."""
FAMILIES = (0, 1, 2, 0, 1, 0, 2, 2)
"""The family of each template of `evaluation.corpora.chorales.roots`: 0 major, 1 minor, 2 diminished."""
WEIGHTS = Path(runtime.__file__).with_name("chord_model_weights.json")


@dataclass(frozen=True)
class Example:
    tune: int
    is_first: bool
    """Whether this is the one harmonization of its tune that is used for evaluation."""
    features: Array
    unmarked: Array
    """The features without fermatas."""
    arrivals: tuple[Array, Array]
    """The kind of arrival at each beat, with and without fermatas."""
    states: Array
    """The index of Bach's chord at each beat; 0 if the chord is not learned."""
    roots: Array
    """The root of Bach's chord at each beat, in semitones above the tonic; -1 for no root."""


@dataclass
class Network:
    hidden: Array
    bias: Array
    output: Array
    moves: Array
    """`moves[a, b]` is the score of chord b after chord a."""
    by_arrival: Array
    """`by_arrival[kind, a, b]` is added to `moves[a, b]` at a beat with this kind of arrival."""
    start: Array
    """The score of each chord at the first beat."""

    def parameters(self) -> list[Array]:
        return [self.hidden, self.bias, self.output, self.moves, self.by_arrival, self.start]

    def scores(self, features: Array) -> Array:
        """Return the score of each chord at each beat, without the chain."""
        scores: Array = np.tanh(features @ self.hidden + self.bias) @ self.output
        return scores


def examples() -> tuple[list[Example], list[runtime.ChordClass]]:
    """Return the training chorales, and the chords to learn, most frequent first."""
    read = [
        (tune, index == 0, chorales()[name])
        for tune, names in enumerate(split().train)
        for index, name in enumerate(names)
    ]
    labelled = [(tune, first, chorale, _labels(chorale)) for tune, first, chorale in read]
    counts = Counter(label for *_, labels in labelled for label in labels if label is not None)
    states = [state for state, count in counts.most_common() if count >= MIN_OCCURRENCES]
    return [_example(*entry, states) for entry in labelled], states


def _labels(chorale: Chorale) -> list[runtime.ChordClass | None]:
    tonic = soprano_key(chorale).tonic
    return [None if chord is None else ((chord[0] - tonic) % 12, FAMILIES[chord[1]]) for chord in chords(chorale)]


def _example(
    tune: int, first: bool, chorale: Chorale, labels: list[runtime.ChordClass | None], states: list[runtime.ChordClass]
) -> Example:
    known = {state: index for index, state in enumerate(states)}
    return Example(
        tune,
        first,
        _features(chorale, fermatas=True),
        _features(chorale, fermatas=False),
        (
            np.array(beat_arrivals(soprano_grid(chorale))),
            np.array(beat_arrivals(soprano_grid(chorale, fermatas=False))),
        ),
        np.array([0 if label is None else known.get(label, 0) for label in labels]),
        np.array([-1 if label is None else label[0] for label in labels]),
    )


def _features(chorale: Chorale, fermatas: bool) -> Array:
    key = soprano_key(chorale)
    rows = beat_features(soprano_grid(chorale, fermatas), key.tonic, key.mode == "minor")
    features = np.zeros((len(rows), COUNT), np.float32)
    for index, row in enumerate(rows):
        features[index, row] = 1
    return features


def train(data: list[Example], count: int, seed: int) -> Network:
    """Train a network for `count` chords with Adam (D. P. Kingma and J. Ba, ICLR 2015)."""
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
    """Return the gradient of the batch's log probability per beat, for each parameter."""
    marked = [random.random() < FERMATAS_GIVEN for _ in batch]
    features = np.concatenate(
        [e.features if is_marked else e.unmarked for e, is_marked in zip(batch, marked, strict=True)]
    )
    arrivals = [example.arrivals[not is_marked] for example, is_marked in zip(batch, marked, strict=True)]
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
    """Run the forward-backward algorithm on several sequences at once.

    Return, for each sequence, the probability of each chord at each beat; and the expected count of each move over all
    sequences.
    """
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
    """Yield each kind of arrival with the indices of the sequences that have it."""
    for kind in np.unique(arrived):
        yield int(kind), np.nonzero(arrived == kind)[0]


def _normalized(rows: Array) -> Array:
    shares: Array = rows / rows.sum(1, keepdims=True)
    return shares


def combine(networks: list[Network]) -> Network:
    """Return one network whose scores are the average of the scores of `networks`."""
    share = 1 / len(networks)
    return Network(
        np.concatenate([network.hidden for network in networks], 1),
        np.concatenate([network.bias for network in networks]),
        np.concatenate([network.output * share for network in networks]),
        np.mean([network.moves for network in networks], 0),
        np.mean([network.by_arrival for network in networks], 0),
        np.mean([network.start for network in networks], 0),
    )


def agreement(network: Network, data: list[Example], states: list[runtime.ChordClass], fermatas: bool) -> float:
    """Return the share of beats at which the most probable root is Bach's, with one harmonization per tune."""
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


def write(network: Network, states: list[runtime.ChordClass]) -> None:
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
    """Return the table as signed bytes (compressed, base64) and the factor to multiply them with."""
    scale = float(np.abs(table).max()) / 127
    values = np.round(table / scale).astype(np.int8)
    return {"scale": round(scale, 9), "bytes": base64.b64encode(zlib.compress(values.tobytes(), 9)).decode()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the chord model on the training tunes.")
    parser.add_argument("--folds", action="store_true", help="run five-fold cross-validation; write nothing")
    data, states = examples()
    if not parser.parse_args().folds:
        write(combine([train(data, len(states), seed) for seed in range(NETWORKS)]), states)
        return
    shares = []
    for fold in range(5):
        kept = [example for example in data if example.tune % 5 != fold]
        left_out = [example for example in data if example.tune % 5 == fold]
        network = combine([train(kept, len(states), seed) for seed in range(NETWORKS)])
        shares.append([100 * agreement(network, left_out, states, fermatas) for fermatas in (True, False)])
        print("fold {}: {:.1f}%, without fermatas {:.1f}%".format(fold, *shares[-1]), flush=True)
    print("mean {:.1f}%, without fermatas {:.1f}%".format(*np.mean(shares, 0)))


if __name__ == "__main__":
    main()
