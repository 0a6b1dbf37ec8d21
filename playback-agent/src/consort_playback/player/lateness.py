"""How late messages left, in bins of 10 microseconds: cheap to count while playing, exact enough to report."""

from bisect import bisect_left
from itertools import accumulate

BIN_NS = 10_000
_BINS = 2000


class Lateness:
    def __init__(self) -> None:
        self._bins = [0] * (_BINS + 1)  # the last one is for all that is later
        self.count = 0
        self.worst = 0

    def add(self, late: int) -> None:
        index = late // BIN_NS
        self._bins[index if index < _BINS else _BINS] += 1
        self.count += 1
        if late > self.worst:
            self.worst = late

    def told(self) -> dict[str, float]:
        """In milliseconds."""
        seen = list(accumulate(self._bins))
        return {
            "count": self.count,
            "p50": self._quantile(seen, 0.5),
            "p99": self._quantile(seen, 0.99),
            "max": round(self.worst / 1e6, 3),
        }

    def _quantile(self, seen: list[int], share: float) -> float:
        """The upper end of the bin in which it lies."""
        index = bisect_left(seen, share * self.count)
        return round(min((index + 1) * BIN_NS if index < _BINS else self.worst, self.worst) / 1e6, 3)
