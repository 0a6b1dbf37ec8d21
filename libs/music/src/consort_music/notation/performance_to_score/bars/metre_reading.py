"""Turn beats into metre, bars and score time.

The beats have been tracked, and the moments placed on them. If most beats are divided by three, the metre is compound
(6/8, 9/8, 12/8), unless the thirds are only the long-short pairs of swing. `bar_tracking` finds the downbeats. The
score begins with the first note, or with its bar if that begins with a rest.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from consort_music.metre import Metre
from consort_music.notation.performance_to_score.bars.bar_tracking import (
    CUT_OF_GIVEN,
    CUT_OF_STEADY,
    CUT_OF_TRACKED,
    BarReading,
    beat_evidence,
    find_bars,
)
from consort_music.notation.performance_to_score.bars.metre_choice import SLOWEST_SWING_S, MetreChoice
from consort_music.notation.performance_to_score.notes.onset_grid import GridReading
from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote
from consort_music.notation.performance_to_score.options import ReadingOptions

_LEAST_TERNARY = 0.55
_FEWEST_PAIRS = 6
_LEAST_PAIRS = 0.7
_MOST_FIRST_THIRDS = 0.15


class BarsOfPulse(NamedTuple):
    """Bars that were chosen together with the beats."""

    choice: MetreChoice
    downbeat: int
    """The index of a beat that begins a bar."""


class MetreReading(NamedTuple):
    quarters: list[Fraction]
    """The score time of each beat, in quarters; negative before the score begins."""
    metres: tuple[tuple[Fraction, Metre], ...]
    pickup: Fraction
    is_swing: bool
    downbeats: list[int]
    """The beats that begin bars."""
    margin: float
    """How much better this metre is than the second best, in nats."""
    second: int
    """The beats per bar of the second best metre."""

    def score_time(self, place: Fraction) -> Fraction:
        """Return the score time of a place in beats."""
        beat = min(int(place), len(self.quarters) - 2)
        begin, end = self.quarters[beat], self.quarters[beat + 1]
        return begin + (place - beat) * (end - begin)


def has_swing(grid: GridReading) -> bool:
    """Return whether the beats are mostly divided into a long and a short note, with hardly any full triplets."""
    pairs = triplets = straight = 0
    points: dict[int, set[Fraction]] = {}
    for place in grid.places:
        points.setdefault(int(place), set()).add(place % 1)
    for inside in points.values():
        if Fraction(1, 3) in inside:
            triplets += 1
        elif Fraction(2, 3) in inside:
            pairs += 1
        elif Fraction(1, 2) in inside:
            straight += 1
    ternary = pairs + triplets
    return (
        pairs >= _FEWEST_PAIRS
        and pairs >= _LEAST_PAIRS * (pairs + straight)
        and triplets <= _MOST_FIRST_THIRDS * ternary
    )


def straighten(places: Sequence[Fraction]) -> list[Fraction]:
    """Return the places with swung offbeats (2/3) on the half of the beat; full triplets stay."""
    triplets = {int(place) for place in places if place % 1 == Fraction(1, 3)}
    return [
        place - Fraction(1, 6) if place % 1 == Fraction(2, 3) and int(place) not in triplets else place
        for place in places
    ]


def read_metre(
    notes: Sequence[PerformedNote],
    moments: Sequence[Moment],
    beats: Sequence[float],
    grid: GridReading,
    options: ReadingOptions,
    bars_of_pulse: BarsOfPulse | None,
    lifts: Sequence[float],
    is_tracked: bool,
) -> MetreReading:
    """Return the metre of moments on a grid of beats. What is known from the pulse is not decided again.

    `lifts` has the seconds at which the sustain pedal is lifted. `is_tracked` says whether the beats were
    tracked: some may be lost or added.
    """
    divided = [
        grid.divisions[beat] == 3 for beat in sorted({int(place) for place in grid.places if place % 1 != 0})
        if beat < len(grid.divisions)
    ]  # fmt: skip
    is_ternary = bool(divided) and sum(divided) >= _LEAST_TERNARY * len(divided)
    is_fast = median(after - before for before, after in pairwise(beats)) <= SLOWEST_SWING_S
    is_swing = options.swing if options.swing is not None else is_ternary and is_fast and has_swing(grid)
    if bars_of_pulse is not None:
        is_ternary = bars_of_pulse.choice.best.division == 3
    is_compound = options.metre.is_compound if options.metre else is_ternary and not is_swing
    first_beat = int(min(grid.places))
    evidence = beat_evidence(notes, moments, beats, lifts)
    last_beat = int(max(grid.places)) + 1
    lengths: Sequence[int] = (1, 2, 3, 4) if is_compound else (2, 3, 4)
    if options.metre is not None:
        lengths = (len(options.metre.beats),)
        unit = options.metre.bar / lengths[0]
    elif bars_of_pulse is not None:
        lengths = (bars_of_pulse.choice.best.beats_per_bar,)
        unit = Fraction(3, 2) if is_compound else Fraction(1)
    else:
        unit = Fraction(3, 2) if is_compound else Fraction(1)
    known = None
    if options.pickup is not None:
        known = first_beat + round(options.pickup / unit)
    elif bars_of_pulse is not None:
        known = bars_of_pulse.downbeat
    downbeat = None if known is None else known - first_beat
    cut = CUT_OF_STEADY if bars_of_pulse is not None else CUT_OF_TRACKED if is_tracked else CUT_OF_GIVEN
    found = find_bars(evidence[first_beat:last_beat], lengths, downbeat, cut)
    bars = found._replace(downbeats=[beat + first_beat for beat in found.downbeats])
    if bars_of_pulse is not None:
        margin, second = bars_of_pulse.choice.margin, bars_of_pulse.choice.second
        bars = bars._replace(
            downbeats=[beat for beat in bars.downbeats if known is None or beat >= known], margin=margin, second=second
        )
    metre = options.metre or _metre(bars.beats_per_bar, is_compound)
    return _with_score_time(bars, metre, unit, min(grid.places), is_swing, len(beats))


def _metre(beats: int, is_compound: bool) -> Metre:
    if not is_compound:
        return Metre(beats, 4)
    return Metre(3 * beats, 8)


def _with_score_time(
    bars: BarReading, metre: Metre, unit: Fraction, first: Fraction, is_swing: bool, count: int
) -> MetreReading:
    """Return the reading with score times, the pickup, and the metres of irregular bars."""
    downbeats = bars.downbeats or [int(first)]
    full = bars.beats_per_bar
    if first >= downbeats[0]:
        origin, pickup = Fraction(downbeats[0]), Fraction(0)
    elif downbeats[0] - first < full:
        origin, pickup = first, (downbeats[0] - first) * unit
    else:
        origin, pickup = Fraction(downbeats[0] - full), Fraction(0)
    metres = [(Fraction(0), metre)]
    is_regular = True
    for start, end in pairwise(downbeats):
        at = (start - origin) * unit
        if end - start != full:
            metres.append((at, _irregular(metre, end - start, unit)))
            is_regular = False
        elif not is_regular:
            metres.append((at, metre))
            is_regular = True
    if not is_regular:
        metres.append(((downbeats[-1] - origin) * unit, metre))
    if len(metres) > 1 and metres[1][0] == 0:
        metres.pop(0)
    quarters = [(beat - origin) * unit for beat in range(count)]
    return MetreReading(quarters, tuple(metres), pickup, is_swing, downbeats, bars.margin, bars.second)


def _irregular(metre: Metre, beats: int, unit: Fraction) -> Metre:
    length = beats * unit
    denominator = metre.denominator
    while (length * denominator / 4).denominator != 1:
        denominator *= 2
    return Metre(int(length * denominator / 4), denominator)
