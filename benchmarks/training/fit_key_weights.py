"""Fit the weights and confidence tables of `consort_audio.analysis.key.find`, and print them.

    python -m benchmarks.training.fit_key_weights --data DIR

It learns from the tune part of the truth set, and of the pop songs in DIR (see `evaluation.sounds.data_folder`): four
clips of each. Parts of the same sounds, without their end, teach what is not at the end of a piece.

Few pieces are known, and many weights do almost equally well, so the weights are not the best ones: `SAMPLES` weights
are drawn around `START`, and the mean of the best twentieth is taken. Best is the MIREX score plus `LIKELIHOOD` times
the log likelihood, the mean over the tasks. Five folds are left out in turn; the figures of the left-out ones are
printed, and the confidence tables, from the softmax to the share of right answers, are fitted on them.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.listening.scores import key_score
from benchmarks.training.confidence_tables import confidence_table
from consort_audio.analysis.key.evidence import KeyEvidence, key_evidence
from consort_audio.analysis.key.find import key_named
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, Recording, recording_from_samples
from consort_music.keys import parse_key
from evaluation.sounds import SoundItem, items
from evaluation.sounds.data_folder import DataItem, data_items

TASKS = {"key": 1.5, "pop": 1.0, "chords": 0.6, "tempo": 0.6, "steadiness": 0.3}
"""How much each task counts."""
POP_CLIPS = (0.2, 0.4, 0.6, 0.0)
START = {
    True: (1.5, 1.2, 6.0, 1.4, 1.2, 4.0, 0.5, 2.0, 0.6, 1.5, 0.4, 6.0, 1.0),
    False: (3.8, 2.0, 0.0, 0.0, 7.0, 0.0, 0.4, 1.6, 0.6, 1.5, 0.4, 6.0, 0.0),
}
"""The weights around which others are drawn, with the networks and without: rounded results of a logistic regression
on the rendered tasks."""
SAMPLES, SPREAD, LEFT_OUT, KEPT = 2000, 0.5, 0.1, 0.05
LIKELIHOOD = 0.4
FOLDS = 5
PART_WEIGHT = 0.25
SHORTEST_S = 14.0
_BINS = (0.0, 0.4, 0.55, 0.7, 0.8, 0.88, 0.94, 0.98, 1.0001)


class KeyExample(NamedTuple):
    task: str
    fold: int
    key: int
    """`tonic + 12 * is_minor`."""
    is_whole: bool
    evidence: KeyEvidence

    @property
    def weight(self) -> float:
        return 1.0 if self.is_whole else PART_WEIGHT


def examples(data: Path) -> Iterator[tuple[KeyExample, KeyExample]]:
    """Yield each sound, and each part, as it is heard with the networks and without."""
    for task in TASKS:
        for number, item in enumerate(_items(task, data)):
            samples, truth = item.load()
            if truth.key is None:
                continue
            recording = recording_from_samples(samples, RATE)
            plain = without_networks(recording)
            fold = sum(map(ord, item.name)) % FOLDS if task == "pop" else number % FOLDS
            for start, end in ((0.0, None), *parts(task, recording.duration)):
                known = (task, fold, number_of(truth.key), end is None)
                yield (
                    KeyExample(*known, key_evidence(recording, start, end)),
                    KeyExample(*known, key_evidence(plain, start, end)),
                )


def parts(task: str, duration: float) -> list[tuple[float, float]]:
    """Return the start and the end of each part that is learned from besides the whole sound."""
    if task == "pop":
        return [(0.0, 20.0), (10.0, 30.0)]
    return [(0.0, 0.65 * duration)] if task != "steadiness" and duration > SHORTEST_S else []


def without_networks(recording: Recording) -> Recording:
    """Return the same recording as if no network were installed."""
    plain = Recording(recording.samples)
    for name in ("chord parts", "active notes"):
        plain.feature(name, lambda _: None)
    return plain


def number_of(key: str) -> int:
    parsed = parse_key(key)
    return parsed.tonic % 12 + 12 * parsed.is_minor


def _items(task: str, data: Path) -> Sequence[SoundItem | DataItem]:
    if task != "pop":
        return items(task, "tune")
    return [replace(item, skipped_share=share) for share in POP_CLIPS for item in data_items(data, task, "tune")]


class DrawnWeights(NamedTuple):
    """How well each of the weights that were drawn does for each example."""

    weights: Numbers
    scores: Numbers
    """(examples, samples): MIREX score plus likelihood."""


def draw(known: list[KeyExample], start: Sequence[float]) -> DrawnWeights:
    numbers = np.random.default_rng(0)
    size = (SAMPLES, len(start))
    weights = np.array(start) * np.exp(numbers.normal(0, SPREAD, size)) * (numbers.random(size) > LEFT_OUT)
    rows = []
    for example in known:
        scores = weights @ example.evidence.table.T
        likely = scores[:, example.key] - scores.max(axis=1)
        likely -= np.log(np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1))
        rows.append(_MIREX[example.key, scores.argmax(axis=1)] + LIKELIHOOD * likely)
    return DrawnWeights(weights, np.array(rows))


def mean_of_best(known: list[KeyExample], drawn: DrawnWeights, use: NDArray[np.bool_]) -> Numbers:
    """Return the mean of the best weights for the examples to use."""
    total = np.zeros(SAMPLES)
    for task, share in TASKS.items():
        weights = np.array([example.weight * (example.task == task) for example in known]) * use
        if weights.any():
            total += share * weights @ drawn.scores / weights.sum()
    return np.asarray(drawn.weights[np.argsort(-total)[: round(KEPT * SAMPLES)]].mean(axis=0))


def fit(known: list[KeyExample], start: Sequence[float]) -> None:
    """Print weights, the figures of left-out sounds, and the confidence table."""
    drawn = draw(known, start)
    folds = np.array([example.fold for example in known])
    figures: dict[str, list[float]] = {}
    judged = []
    for fold in range(FOLDS):
        weights = mean_of_best(known, drawn, folds != fold)
        for example in (known[place] for place in np.flatnonzero(folds == fold)):
            scores = example.evidence.table @ weights
            best = int(scores.argmax())
            name = example.task if example.is_whole else f"{example.task}, parts"
            figures.setdefault(name, []).append(float(_MIREX[example.key, best]))
            if example.is_whole:
                judged.append((float(1 / np.exp(scores - scores[best]).sum()), best == example.key))
    for name, row in sorted(figures.items()):
        print(f"  {name} ({len(row)}): {np.mean(row):.3f}")
    print("  weights", np.round(mean_of_best(known, drawn, folds >= 0), 2).tolist())
    print("  confidence", confidence_table(judged, _BINS))


_NAMES = [key_named(number).name for number in range(24)]
_MIREX = np.array([[key_score(true, heard) for heard in _NAMES] for true in _NAMES])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    pairs = list(examples(parser.parse_args().data))
    for title, has_networks in (("with the networks", True), ("without", False)):
        print(title)
        fit([pair[0 if has_networks else 1] for pair in pairs], START[has_networks])


if __name__ == "__main__":
    main()
