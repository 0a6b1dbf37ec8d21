"""Join notes that start together into groups."""

from collections.abc import Sequence
from typing import NamedTuple


class OnsetGroup(NamedTuple):
    time: float
    """The mean start of its notes, in seconds."""
    notes: tuple[int, ...]
    """Indexes of the notes."""
    pitches: tuple[int, ...]


def group_onsets(starts: Sequence[float], pitches: Sequence[int], within: float) -> list[OnsetGroup]:
    """Return groups of notes that start at most `within` seconds after the first of the group. `starts` are sorted."""
    groups: list[OnsetGroup] = []
    first = 0
    for index in range(1, len(starts) + 1):
        if index == len(starts) or starts[index] - starts[first] > within:
            members = tuple(range(first, index))
            mean = sum(starts[first:index]) / (index - first)
            groups.append(OnsetGroup(mean, members, tuple(pitches[first:index])))
            first = index
    return groups
