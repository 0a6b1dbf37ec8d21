"""Train the weights of `song_model`: a structured support vector machine on printed chords of songs and dances.

    python -m benchmarks.training.train_song_model

The tunes are the tune split of `evaluation/corpora/lead_sheets.py`. Each slot should have the root that is printed for
most of its beats. The stochastic subgradient method is used; the weights are the mean over all steps. It prints the
share of beats with the printed root in a cross-validation, then writes the weights.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from consort_compose.composer.harmony.degree_chords import DegreeChord, Family, chord_on
from consort_compose.composer.harmony.harmonize.chord_scores import song_model
from consort_compose.composer.harmony.harmonize.chord_scores.slot_scores import mean_log_roots
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import harmony_slots
from consort_compose.composer.harmony.harmonize.slots.melody_demands import MelodyDemand
from consort_compose.composer.harmony.melody_grid import melody_grid
from consort_compose.composer.tonality import harmonic_key
from evaluation.corpora.lead_sheets import LeadSheet, lead_sheets

WeightVector = NDArray[np.float64]
CHORDS: dict[bool, tuple[tuple[int, str], ...]] = {
    False: ((1, ""), (2, "m"), (3, "m"), (4, ""), (5, "7"), (6, "m")),
    True: ((1, "m"), (3, ""), (4, "m"), (5, "m"), (5, "7"), (6, ""), (7, "")),
}
_FAULT = 50.0
_EPOCHS = 12
_RATE, _DECAY, _RIDGE = 0.1, 0.3, 0.01
_FOLDS = 5
_SEED = 1
_DIGITS = 3


class Tune:
    """A tune with the features of its slots and moves, as arrays."""

    def __init__(self, sheet: LeadSheet, numbers: dict[str, int]) -> None:
        key, grid = harmonic_key(sheet.melody), melody_grid(sheet.melody)
        slots = harmony_slots(grid, "per_measure")
        printed = {int(beat * grid.ticks): (root - key.tonic) % 12 for beat, root in sheet.roots if root is not None}
        self.chords: list[DegreeChord] = [chord_on(*chord, minor=key.is_minor) for chord in CHORDS[key.is_minor]]
        states: list[tuple[int, Family]] = [(chord.root, chord.family) for chord in self.chords]
        self.roots = np.array([root for root, _ in states])
        bach = mean_log_roots(grid, key, [slot.span for slot in slots])
        self.printed = [
            Counter(
                printed[beat.start] for beat in grid.beats[slot.span.first : slot.span.last] if beat.start in printed
            )
            for slot in slots
        ]
        self.faults = np.array([
            [_FAULT * (MelodyDemand(grid, key.tonic, slot.span).fault(chord) > 0) for chord in self.chords]
            for slot in slots
        ])  # fmt: skip
        self.own: list[list[list[tuple[int, float]]]] = []
        self.moves: list[list[list[int]]] = []
        for index, slot in enumerate(slots):
            view = song_model.SongSlot(grid, slots, index, key.tonic, key.is_minor, bach[index])
            self.own.append([
                [(numbers.setdefault(name, len(numbers)), value) for name, value in view.features(*state)]
                for state in states
            ])  # fmt: skip
            self.moves.append([
                [
                    numbers.setdefault(name, len(numbers))
                    for name in (song_model.move_feature(before, after, slot.is_second) for before in states)
                ]
                for after in states
            ])  # fmt: skip

    def best(self, weights: WeightVector, extra: WeightVector | None = None) -> list[int]:
        """Return the best path (Viterbi). `extra` is added to the scores of the states."""
        own = np.array([
            [sum(weights[number] * value for number, value in state) for state in slot] for slot in self.own
        ])  # fmt: skip
        own -= self.faults
        if extra is not None:
            own += extra
        score, back = own[0], []
        for index in range(1, len(own)):
            moved = weights[np.array(self.moves[index])] + score
            back.append(moved.argmax(axis=1))
            score = moved.max(axis=1) + own[index]
        path = [int(score.argmax())]
        for row in reversed(back):
            path.append(int(row[path[-1]]))
        return path[::-1]

    def total(self, path: Sequence[int], count: int) -> WeightVector:
        """Return the sum of the features of a path."""
        found = np.zeros(count)
        for index, state in enumerate(path):
            for number, value in self.own[index][state]:
                found[number] += value
            if index:
                found[self.moves[index][state][path[index - 1]]] += 1
        return found

    def losses(self) -> WeightVector:
        """Return 1 for each wrong state of each slot that has a printed chord."""
        return np.array([
            (self.roots != printed.most_common(1)[0][0]) * 1.0 if printed else np.zeros(len(self.roots))
            for printed in self.printed
        ])  # fmt: skip

    def same_beats(self, path: Sequence[int]) -> tuple[int, int]:
        """Return the number of beats with the printed root, and of all beats with a printed chord."""
        same = sum(printed[self.roots[state]] for printed, state in zip(self.printed, path, strict=True))
        return same, sum(printed.total() for printed in self.printed)


def train(tunes: Sequence[Tune], count: int) -> WeightVector:
    weights, mean, steps = np.zeros(count), np.zeros(count), 0
    rng = random.Random(_SEED)
    for epoch in range(_EPOCHS):
        rate = _RATE / (1 + _DECAY * epoch)
        for tune in rng.sample(tunes, len(tunes)):
            losses = tune.losses()
            worst = tune.best(weights, losses)
            right = tune.best(weights, -1000 * losses)
            weights = weights * (1 - rate * _RIDGE) + rate * (tune.total(right, count) - tune.total(worst, count))
            mean += weights
            steps += 1
    return np.asarray(mean / steps)


def agreement(tunes: Sequence[Tune], weights: WeightVector) -> tuple[int, int]:
    counts = [tune.same_beats(tune.best(weights)) for tune in tunes]
    return sum(same for same, _ in counts), sum(beats for _, beats in counts)


def main() -> None:
    numbers: dict[str, int] = {}
    tunes = [Tune(sheet, numbers) for sheet in lead_sheets("tune")]
    order = random.Random(_SEED).sample(tunes, len(tunes))
    same = beats = 0
    for fold in range(_FOLDS):
        held = order[fold::_FOLDS]
        found = agreement(held, train([tune for tune in order if tune not in held], len(numbers)))
        same, beats = same + found[0], beats + found[1]
    weights = train(tunes, len(numbers))
    own = agreement(tunes, weights)
    print(f"printed roots: {same / beats:.3f} in a cross-validation, {own[0] / own[1]:.3f} on the training tunes")
    kept = {name: round(float(weights[number]), _DIGITS) for name, number in sorted(numbers.items())}
    file = Path(song_model.__file__).with_name("song_model_weights.json")
    file.write_text(json.dumps({name: weight for name, weight in kept.items() if weight}, indent=1) + "\n")


if __name__ == "__main__":
    main()
