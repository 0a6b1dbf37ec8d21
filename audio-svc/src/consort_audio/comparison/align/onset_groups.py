"""Join notes that start together into groups."""

from collections.abc import Sequence
from typing import NamedTuple


class OnsetGroup(NamedTuple):
    time: float
    """The mean start of its notes, in seconds."""
    notes: tuple[int, ...]
    """Indexes of the notes."""
    pitches: tuple[int, ...]


LONGEST_ROLL_S = 0.12


def group_onsets(starts: Sequence[float], pitches: Sequence[int], within: float) -> list[OnsetGroup]:
    """Return groups of notes that each start at most `within` seconds after the one before. `starts` are sorted.

    A group is at most `LONGEST_ROLL_S` long: a chord that is rolled or strummed.
    """
    groups: list[OnsetGroup] = []
    first = 0
    for index in range(1, len(starts) + 1):
        if (
            index == len(starts)
            or starts[index] - starts[index - 1] > within
            or starts[index] - starts[first] > LONGEST_ROLL_S
        ):
            members = tuple(range(first, index))
            mean = sum(starts[first:index]) / (index - first)
            groups.append(OnsetGroup(mean, members, tuple(pitches[first:index])))
            first = index
    return groups
