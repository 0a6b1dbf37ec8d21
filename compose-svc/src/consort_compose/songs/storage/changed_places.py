"""The places that a change affected. The changes of two clients conflict if their places overlap.

A place is `(what, start, end)`. `what` is a track id, or "song", "tracks", "sections" or "chords"; `start` and `end`
are beats. Places that are not tracks always span all beats.
"""

from collections.abc import Sequence
from typing import TypeAlias

from consort_compose.songs.document.song import MAX_BEAT, SongNote, span_of

ChangedPlaces: TypeAlias = list[tuple[int | str, float, float]]

END_OF_TIME = 4.0 * MAX_BEAT


def everywhere_in(*whats: int | str) -> ChangedPlaces:
    """Return a place that spans all beats for each of `whats`."""
    return [(what, 0.0, END_OF_TIME) for what in whats]


def places_of_notes(track: int, notes: Sequence[SongNote]) -> ChangedPlaces:
    """Return the place from the earliest start to the latest end of the notes; no place if there are none."""
    if not notes:
        return []
    start, end = span_of(notes)
    return [(track, float(start), float(end))]


def do_overlap(one: ChangedPlaces, other: ChangedPlaces) -> bool:
    return any(
        what == other_what and start < other_end and other_start < end
        for what, start, end in one
        for other_what, other_start, other_end in other
    )
