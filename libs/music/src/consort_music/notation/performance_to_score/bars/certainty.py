"""How certain the reading of each bar is, and what else it could be."""

import math
from collections.abc import Sequence
from fractions import Fraction

from consort_music.bars import Bar
from consort_music.notation.performance_to_score.bars.metre_reading import MetreReading
from consort_music.notation.performance_to_score.notes.onset_grid import GridReading
from consort_music.notation.writing.notated_score import BarAlternative

_CLOSE = 1.5
"""A second division that is worse by less than this (in nats) is mentioned."""
_METRE_CLOSE = 3.0
_NAMES = {2: "halves and quarters of the beat", 3: "triplets", 5: "quintuplets", 7: "septuplets"}


def bar_confidences(bars: Sequence[Bar], grid: GridReading, metre: MetreReading) -> tuple[tuple[int, float], ...]:
    """Return the number of each bar and its confidence: the probability that its beats are divided as written."""
    found = []
    metre_share = 1 / (1 + math.exp(-max(metre.margin, 0.0)))
    for bar, beats in zip(bars, _beats_of(bars, metre), strict=True):
        share = 1.0
        for beat in beats:
            share = min(share, 1 / (1 + math.exp(-grid.margins[beat][0])))
        found.append((bar.number, round(share * (0.5 + 0.5 * metre_share), 2)))
    return tuple(found)


def bar_alternatives(bars: Sequence[Bar], grid: GridReading, metre: MetreReading) -> tuple[BarAlternative, ...]:
    found = []
    if metre.margin < _METRE_CLOSE and metre.second:
        found.append(BarAlternative(bars[0].number, f"bars of {metre.second} beats, from here on"))
    for bar, beats in zip(bars, _beats_of(bars, metre), strict=True):
        for beat in beats:
            margin, other = grid.margins[beat]
            if margin < _CLOSE and other != grid.divisions[beat]:
                number = bar.metre.beat_number(metre.quarters[beat] - bar.start + bar.missing)
                text = f"beat {int(number)}: {_NAMES[other]} instead of {_NAMES[grid.divisions[beat]]}"
                found.append(BarAlternative(bar.number, text))
    return tuple(found)


def _beats_of(bars: Sequence[Bar], metre: MetreReading) -> list[list[int]]:
    """Return the beats that start in each bar."""
    found: list[list[int]] = [[] for _ in bars]
    place = 0
    for beat, quarter in enumerate(metre.quarters[:-1]):
        while place + 1 < len(bars) and quarter >= bars[place + 1].start:
            place += 1
        if quarter >= Fraction(0):
            found[place].append(beat)
    return found
