"""Convert between seconds and beats along a list of beat times."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise


class BeatMap:
    """Beats in seconds, continued at the first and the last tempo where they end."""

    def __init__(self, times: Sequence[float]) -> None:
        self.times = _rising(times)
        self.periods = [after - before for before, after in pairwise(self.times)]

    def position(self, seconds: float) -> float:
        """Return a time in beats: 3.5 is halfway from the fourth to the fifth."""
        place = min(max(bisect_right(self.times, seconds) - 1, 0), len(self.periods) - 1)
        return place + (seconds - self.times[place]) / self.periods[place]

    def covering(self, start: float, end: float) -> "BeatMap":
        """Return a map with beats from before `start` to after `end`."""
        before, after = [self.times[0]], list(self.times)
        while before[-1] > start:
            before.append(before[-1] - self.periods[0])
        while after[-1] <= end:
            after.append(after[-1] + self.periods[-1])
        return BeatMap([*reversed(before[1:]), *after])


def _rising(times: Sequence[float]) -> list[float]:
    """Return the times sorted, without those that repeat the time before."""
    found: list[float] = []
    for time in sorted(times):
        if not found or time - found[-1] > 1e-3:
            found.append(time)
    if not found:
        found = [0.0]
    if len(found) == 1:
        found.append(found[0] + 0.5)
    return found
