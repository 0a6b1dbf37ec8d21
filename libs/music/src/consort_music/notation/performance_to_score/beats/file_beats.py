"""Decide whether the beats of a MIDI file are those of its music, and return them.

A file that was recorded to a click, or made by a sequencer, has its notes near the grid of its tempo map. A file that
was recorded freely has its notes anywhere. The onsets are seen as angles of a circle that is a beat, or a half, third
or quarter of it: near a grid they point in one direction (a long mean vector). This must hold in most stretches of the
file, not only at its beginning.
"""

import cmath
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from consort_music.bars import Bars
from consort_music.midi.model import MidiFile
from consort_music.notation.performance_to_score.notes.played_notes import seconds_of_ticks

_FINEST_NOTATED_GRID = 32
"""Parts per quarter note of the finest grid that people notate."""
_MIN_NOTATED_SHARE = 0.8
"""Notes were performed, not notated, if a smaller share of them starts on a grid that people notate."""
_PARTS = (1, 2, 3, 4)
_STRETCH = 32
_LEAST_LENGTH = 0.45
"""The least length of the mean vector; notes anywhere have about 0.2."""


def was_performed(starts: Iterable[Fraction]) -> bool:
    """Return whether more than 20 % of the notes start off every grid of up to 32 parts per quarter note."""
    on_grid = [start.denominator <= _FINEST_NOTATED_GRID for start in starts]
    return sum(on_grid) < _MIN_NOTATED_SHARE * len(on_grid)


def agrees_with_grid(quarters: Sequence[float]) -> bool:
    """Return whether onsets, given in the file's quarter notes (sorted), lie near its beats or their parts."""
    stretches = [quarters[begin : begin + _STRETCH] for begin in range(0, len(quarters), _STRETCH)]
    if len(stretches) > 1 and len(stretches[-1]) < _STRETCH // 2:
        stretches[-2:] = [[*stretches[-2], *stretches[-1]]]
    agreed = sum(_agrees(stretch) for stretch in stretches)
    return agreed >= 0.7 * len(stretches)


def _agrees(stretch: Sequence[float]) -> bool:
    count = len(stretch)
    least = max(_LEAST_LENGTH, 1.5 / math.sqrt(count)) if count > 4 else 0.8
    for parts in _PARTS:
        mean = sum(cmath.exp(2j * math.pi * parts * quarter) for quarter in stretch) / count
        if abs(mean) >= least and abs(cmath.phase(mean)) < math.pi / 3:
            return True
    return False


def beats_of_file(file: MidiFile, bars: Bars, end: Fraction) -> list[tuple[float, Fraction]]:
    """Return the beats of a file until after `end` (quarters), as pairs of seconds and quarters."""
    found: list[Fraction] = []
    for bar in bars.until(end):
        found.extend(bar.start + beat for beat in bar.metre.beats if beat < bar.length)
    last = bars.bar_at(end)
    found.append(last.end if last.end > found[-1] else found[-1] + 1)
    while found[-1] <= end:
        found.append(found[-1] + 1)
    ticks = [round(quarter * file.division) for quarter in found]
    return list(zip(seconds_of_ticks(file, ticks), found, strict=True))
