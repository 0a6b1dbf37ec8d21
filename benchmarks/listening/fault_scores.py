"""Compare the faults that were found in takes with those that were injected.

A fault is found if one of the same group is reported within 100 ms. Early and late are one group, sharp and flat
another. What is reported and was not injected lowers the precision, also if its kind was never injected (`long`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import mir_eval
import numpy as np

TIME_TOLERANCE_S = 0.1
GROUPS = {
    "wrong": "wrong", "wrong_note": "wrong", "wrong_octave": "wrong", "missing": "missing", "missing_note": "missing",
    "extra": "extra", "extra_note": "extra", "late": "late/early", "early": "late/early", "flat": "flat/sharp",
    "sharp": "flat/sharp", "short": "short", "too_short": "short", "too_long": "long", "restart": "restart",
}  # fmt: skip
"""The group of each kind, in the truth's and in the tool's words."""


class TimedFault(NamedTuple):
    group: str
    time: float


class FaultCounts:
    """Counts of injected, reported and found faults by group."""

    def __init__(self) -> None:
        self.injected: Counter[str] = Counter()
        self.reported: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.places_found = 0
        """Reported within 100 ms of an injected fault, whatever the kind."""

    def add(self, injected: Sequence[TimedFault], reported: Sequence[TimedFault]) -> None:
        self.injected.update(fault.group for fault in injected)
        self.reported.update(fault.group for fault in reported)
        for group in {fault.group for fault in injected}:
            self.found[group] += _matches(
                [fault.time for fault in injected if fault.group == group],
                [fault.time for fault in reported if fault.group == group],
            )
        self.places_found += _matches([fault.time for fault in injected], [fault.time for fault in reported])

    def precision(self, groups: Iterable[str] | None = None) -> float:
        return _share(self.found, self.reported, groups)

    def recall(self, groups: Iterable[str] | None = None) -> float:
        return _share(self.found, self.injected, groups)

    @property
    def f(self) -> float:
        both = self.injected.total() + self.reported.total()
        return 2 * self.found.total() / both if both else 1.0


def _matches(true_times: Sequence[float], times: Sequence[float]) -> int:
    if not true_times or not times:
        return 0
    return len(mir_eval.util.match_events(np.array(sorted(true_times)), np.array(sorted(times)), TIME_TOLERANCE_S))


def _share(found: Counter[str], of: Counter[str], groups: Iterable[str] | None) -> float:
    chosen = list(groups) if groups is not None else list({*found, *of})
    whole = sum(of[group] for group in chosen)
    return sum(found[group] for group in chosen) / whole if whole else float("nan")
