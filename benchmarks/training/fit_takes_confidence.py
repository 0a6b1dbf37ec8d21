"""Fit the confidence of compare_audio: how much each doubtful note lowers the chance that the differences are right.

    python -m benchmarks.training.fit_takes_confidence

It compares takes of the tune part of the truth set with numbers that are not measured: a noisy take with the clean
sound of the same performance, both ways, and a take without faults with the same take with faults, clean and noisy. A
comparison is right if it reports the true differences and no others. Printed are the constants of
`comparison/two_takes.py`, and the confidence of the takes that were left out (each fifth in turn) beside their share of
right comparisons.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.listening.fault_scores import GROUPS, FaultCounts, TimedFault
from benchmarks.listening.our_comparison import injected
from benchmarks.training.confidence_tables import confidence_table
from benchmarks.training.logistic import fit_logistic
from consort_audio.comparison.two_takes import doubtful_notes, likeness_of
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, Recording, recording_from_samples
from evaluation.sounds import SoundItem

NUMBERS = range(150, 198)
FOLDS = 5
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def comparisons() -> Iterator[tuple[int, int, bool]]:
    """Yield the number of a take, how many of its notes are doubtful, and whether the differences are right."""
    for number in NUMBERS:
        sounds, differences = {}, []
        for task in ("practice", "noisy", "flawless"):
            samples, truth = SoundItem(task, "tune", number).load()
            sounds[task] = recording_from_samples(samples, RATE)
            if task == "practice":
                differences = [fault for fault in injected(truth) if fault.group != "restart"]
        for first, second, expected in (
            ("practice", "noisy", []),
            ("noisy", "practice", []),
            ("flawless", "practice", differences),
            ("flawless", "noisy", differences),
        ):
            yield number, *_judged(sounds[first], sounds[second], expected)


def _judged(first: Recording, second: Recording, differences: Sequence[TimedFault]) -> tuple[int, bool]:
    likeness, _ = likeness_of(first, second)
    counts = FaultCounts()
    counts.add(differences, [TimedFault(GROUPS[fault.kind], fault.time) for fault in likeness.faults])
    return doubtful_notes(first, likeness), counts.f == 1


def main() -> None:
    rows = list(comparisons())
    folds = np.array([number % FOLDS for number, _, _ in rows])
    features: Numbers = np.array([[float(count)] for _, count, _ in rows])
    is_right = np.array([right for _, _, right in rows])
    judged: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        model = fit_logistic(features[folds != fold], is_right[folds != fold])
        judged += zip(model(features[folds == fold]).tolist(), is_right[folds == fold].tolist(), strict=True)
    print(f"{len(rows)} comparisons, {is_right.mean():.2f} right")
    print("confidence and share of right comparisons", confidence_table(judged, BINS))
    print(fit_logistic(features, is_right).text())


if __name__ == "__main__":
    main()
