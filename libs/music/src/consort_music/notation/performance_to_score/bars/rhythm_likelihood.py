"""How likely the rhythm of a piece is in a metre: the patterns of its beats, at their places in the bar.

A pattern is the set of points at which notes start within one beat, in 48ths of the beat. Its probability depends on
the division of the beat, the number of beats in the bar, and which beat of the bar it is: a beat without a note is
seldom the first. In patterns that are not in the table, points are independent. The table (`beat_pattern_table`) is
counted by `benchmarks/training/train_metre_choice.py`.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

PARTS = 48
"""The points in a beat."""
BARS = (2, 3, 4)
"""The numbers of beats in a bar."""
_UNUSUAL = math.log(0.005)
"""The log probability of a note at a point that is in no table."""
BeatRhythm = tuple[int, ...]


class RhythmTable(NamedTuple):
    """The patterns of beats that are divided by one number."""

    shares: Mapping[BeatRhythm, Sequence[float]]
    """The log probability of each pattern on each beat of bars of two beats, of three and of four."""
    points: Mapping[int, float]
    """The probability of a note at each point."""
    others: float
    """The log probability of any pattern that is not in the table."""

    def log_share(self, rhythm: BeatRhythm, beats_per_bar: int, number: int) -> float:
        """Return the log probability of a pattern on a beat of a bar; 0 is the first."""
        shares = self.shares.get(rhythm)
        if shares is not None:
            return shares[column(beats_per_bar, number)]
        hits = set(rhythm)
        usual = sum(math.log(share if point in hits else 1 - share) for point, share in self.points.items())
        return self.others + usual + _UNUSUAL * len(hits - set(self.points))


def column(beats_per_bar: int, number: int) -> int:
    """Return the place in `RhythmTable.shares` of a beat of a bar."""
    return sum(BARS[: BARS.index(beats_per_bar)]) + number


class RhythmLikelihood:
    """The log likelihood of moments at these places, sorted, in beats and bars of any kind."""

    def __init__(self, places: Sequence[int], tables: Mapping[int, RhythmTable]) -> None:
        self._places = places
        self._tables = tables
        self._beats: dict[tuple[int, int], Counter[tuple[int, BeatRhythm]]] = {}
        self._counts: dict[tuple[int, int, int], Counter[tuple[int, BeatRhythm]]] = {}
        self._shares: dict[tuple[int, int], dict[tuple[int, BeatRhythm], float]] = {}

    def in_metre(self, beat: int, division: int, beats_per_bar: int, downbeat: int) -> float:
        """Return the log likelihood with beats of so many ticks, in bars that begin at `downbeat`."""
        shares = self._shares.setdefault((division, beats_per_bar), {})
        table = self._tables[division]
        total = 0.0
        for key, count in self.counts(beat, beats_per_bar, downbeat).items():
            share = shares.get(key)
            if share is None:
                share = shares[key] = table.log_share(key[1], beats_per_bar, key[0])
            total += count * share
        return total

    def counts(self, beat: int, beats_per_bar: int, downbeat: int) -> Counter[tuple[int, BeatRhythm]]:
        """Return how often each pattern is on each beat of the bar."""
        key = beat, downbeat % beat, beats_per_bar
        if key not in self._counts:
            self._counts[key] = Counter()
            for (number, rhythm), count in self._rhythms(beat, downbeat % beat).items():
                self._counts[key][number % beats_per_bar, rhythm] += count
        found: Counter[tuple[int, BeatRhythm]] = Counter()
        first = downbeat // beat
        for (number, rhythm), count in self._counts[key].items():
            found[(number - first) % beats_per_bar, rhythm] += count
        return found

    def _rhythms(self, beat: int, phase: int) -> Counter[tuple[int, BeatRhythm]]:
        """Return the patterns of all beats, by their number modulo 12."""
        if (beat, phase) not in self._beats:
            inside: dict[int, list[int]] = {}
            for place in self._places:
                number, tick = divmod(place - phase, beat)
                inside.setdefault(number, []).append(tick * PARTS // beat)
            first, last = (self._places[0] - phase) // beat, (self._places[-1] - phase) // beat
            self._beats[beat, phase] = Counter(
                (number % math.lcm(*BARS), tuple(inside.get(number, ()))) for number in range(first, last + 1)
            )
        return self._beats[beat, phase]
