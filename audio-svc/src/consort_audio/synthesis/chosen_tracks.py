"""Find the tracks that a request mutes and solos. A large file is read in a child process."""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.track_names import find_tracks, has_title_track, track_names


class ChosenTracks(NamedTuple):
    mute: list[int]
    """Indexes in the file, sorted."""
    solo: list[int]
    muted_names: list[str]
    soloed_names: list[str]


def choose_tracks(
    content: bytes, max_bytes: int, mute: Sequence[int | str], solo: Sequence[int | str], *, skips_title: bool
) -> ChosenTracks:
    """Find tracks by name or number. Raise MusicError if the file is not readable or there is no such track.

    With `skips_title`, a first track that only has the title and the tempo is not counted: songs and scores have one,
    and the tools for songs do not show it.
    """
    file = read_midi(content, ReaderLimits(max_bytes=max_bytes))
    first = int(skips_title and has_title_track(file))
    names = track_names(file.tracks[first:])

    def find(wanted: Sequence[int | str], field: str) -> tuple[list[int], list[str]]:
        found = find_tracks(names, wanted, field)
        return [first + index for index in found], [names[index] or f"track {index}" for index in found]

    muted, muted_names = find(mute, "mute")
    soloed, soloed_names = find(solo, "solo")
    return ChosenTracks(muted, soloed, muted_names, soloed_names)
