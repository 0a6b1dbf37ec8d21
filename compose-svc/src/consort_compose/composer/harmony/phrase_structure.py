"""Divide a melody into phrases by its rhythm, also where no note is long enough to be a certain phrase end.

This is dynamic programming in the manner of Temperley's Grouper (D. Temperley, "The Cognition of Basic Musical
Structures", 2001, ch. 3). The division with the lowest cost is chosen. A boundary after a note is cheap if the note is
long, or followed by a rest, compared with the melody's mean. A phrase is cheap if it lasts about four bars, if it
begins at the same place in the bar as the melody, and if it ends a whole number of two bars after the beginning. The
running time is linear, because phrases have at most `_LONGEST` bars.

If there are at least two fermatas, phrases end there instead.
"""

from bisect import bisect_left, bisect_right
from math import log2

from consort_compose.composer.harmony.melody_grid import GridNote, MelodyGrid
from consort_compose.composer.harmony.phrase_ends import MARKED

_USUAL = 4
"""The usual length of a phrase in bars."""
_LONGEST = 9
_LENGTH_COST = 1.2
"""The cost of a phrase of twice or half the usual length."""
_GAP = 1.0
"""The score of a boundary per octave by which the time to the next note is longer than the mean."""
_OTHER_PLACE = 1.0
"""The cost of a phrase that begins at another place of the bar than the first one."""
_ODD_BARS = 0.6
"""The cost of a phrase that begins an odd number of bars after the first one."""


def phrase_last_notes(grid: MelodyGrid) -> list[GridNote]:
    """Return the last note of each phrase, in order. The last one is the last note of the melody."""
    notes = grid.notes
    held = sorted({note for moment in grid.fermatas if (note := grid.at(moment)) is not None})
    if len(held) >= MARKED:
        return held if held[-1] == notes[-1] else [*held, notes[-1]]
    bar = max((beat.end - beat.start) * beat.beats_in_bar for beat in grid.beats[:1])
    starts = [note.start for note in notes]
    first = starts[0]
    mean = (notes[-1].end - first) / len(notes)
    begins = [0.0]
    """The cost of beginning a phrase at each note."""
    for index in range(1, len(notes)):
        gap = log2((starts[index] - starts[index - 1]) / mean)
        offset = (starts[index] - first) % (2 * bar)
        cost = -_GAP * gap + _ODD_BARS * (offset >= bar) + _OTHER_PLACE * (offset % bar != 0)
        begins.append(cost)
    best, back = [0.0], [0]
    """For each number of notes: the lowest cost of dividing them, and the first note of the last phrase."""
    for count in range(1, len(notes) + 1):
        end = starts[count] if count < len(notes) else notes[-1].end
        earliest = min(bisect_left(starts, end - _LONGEST * bar), count - 1)
        latest = max(bisect_right(starts, end - bar), earliest + 1)
        costs = [
            (best[begin] + begins[begin] + _length_cost((end - starts[begin]) / bar), begin)
            for begin in range(earliest, latest)
            if begin < count
        ]
        cost, begin = min(costs)
        best.append(cost)
        back.append(begin)
    found = []
    count = len(notes)
    while count:
        found.append(notes[count - 1])
        count = back[count]
    return found[::-1]


def _length_cost(bars: float) -> float:
    return _LENGTH_COST * log2(bars / _USUAL) ** 2
