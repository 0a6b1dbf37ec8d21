"""What a change touched, so that changes of two clients to different places need not be in each other's way.

A place is `[what, start, end]`: the id of a track with a range of beats, or "song", "tracks", "sections", "chords".
"""

from collections.abc import Sequence
from typing import TypeAlias

from consort_compose.songs.song import MAX_BEAT, Note, span_of

Touched: TypeAlias = list[tuple[int | str, float, float]]

FOREVER = 4.0 * MAX_BEAT


def whole(*whats: int | str) -> Touched:
    return [(what, 0.0, FOREVER) for what in whats]


def around(track: int, notes: Sequence[Note]) -> Touched:
    """From the first of these notes to the end of the last."""
    if not notes:
        return []
    start, end = span_of(notes)
    return [(track, float(start), float(end))]


def overlap(one: Touched, other: Touched) -> bool:
    return any(
        what == other_what and start < other_end and other_start < end
        for what, start, end in one
        for other_what, other_start, other_end in other
    )
