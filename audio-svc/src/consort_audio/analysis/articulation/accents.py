"""Find accents: notes whose attack is louder than the notes around them.

The excess of a note is its peak level minus the median of the four notes before and the four after it, in dB. It is an
accent from `LEAST_EXCESS_DB` on. The intensity is excess / `FULL_EXCESS_DB`, at most 1. At least three notes around are
needed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from consort_audio.analysis.articulation.held_notes import HeldNote

NEIGHBOURS = 4
FEWEST_NEIGHBOURS = 3
LEAST_EXCESS_DB = 4.0
FULL_EXCESS_DB = 12.0


class Accent(NamedTuple):
    time: float
    intensity: float
    """From 0 to 1."""


def find_accents(notes: Sequence[HeldNote]) -> list[Accent]:
    found = []
    levels = np.array([note.peak_db for note in notes])
    for index, held in enumerate(notes):
        first = max(index - NEIGHBOURS, 0)
        around = np.concatenate([levels[first:index], levels[index + 1 : index + 1 + NEIGHBOURS]])
        if len(around) < FEWEST_NEIGHBOURS:
            continue
        excess = held.peak_db - float(np.median(around))
        if excess >= LEAST_EXCESS_DB:
            found.append(Accent(held.note.start, min(excess / FULL_EXCESS_DB, 1.0)))
    return found
