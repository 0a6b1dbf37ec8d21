"""A histogram of how late messages were sent. Adding a message is fast; percentiles are exact to one bin (10 µs)."""

from bisect import bisect_left
from itertools import accumulate

from consort_playback.protocol.commands import LatenessReport

BIN_NS = 10_000
"""Width of a bin in nanoseconds."""
BINS = 2000
"""Number of bins. One more bin counts all messages that were later than the last of these."""


class Lateness:
    def __init__(self) -> None:
        self._bins = [0] * (BINS + 1)
        self.count = 0
        self.worst = 0

    def add(self, late: int) -> None:
        """Count a message that was sent `late` nanoseconds after it was due."""
        index = late // BIN_NS
        self._bins[index if index < BINS else BINS] += 1
        self.count += 1
        if late > self.worst:
            self.worst = late

    def report(self) -> LatenessReport:
        sums = list(accumulate(self._bins))
        worst = round(self.worst / 1e6, 3)
        return LatenessReport(self.count, self._quantile(sums, 0.5), self._quantile(sums, 0.99), worst)

    def _quantile(self, sums: list[int], share: float) -> float:
        """Return the upper end, in milliseconds, of the bin that contains the quantile `share` (0.99 is p99).

        `sums` are the cumulative counts of the bins.
        """
        index = bisect_left(sums, share * self.count)
        return round(min((index + 1) * BIN_NS if index < BINS else self.worst, self.worst) / 1e6, 3)
