"""Tracks as callers name them: by index, or by the name that the file gives them."""

from collections.abc import Sequence

from consort_music.errors import MusicError, quoted
from consort_music.midi.model import META, META_TRACK_NAME, MidiFile, Track
from consort_music.midi.parts import decode_name

_MAX_SHOWN = 20


def track_name(track: Track) -> str:
    """The first name the track has, or an empty text."""
    raw = next((data[1:] for _, status, data in track if status == META and data[0] == META_TRACK_NAME), b"")
    return decode_name(raw)


def find_tracks(file: MidiFile, wanted: Sequence[int | str]) -> list[int]:
    """Indexes of the tracks that are wanted by index or by name, in the file's order.

    A name, in whatever case, means every track that has it. Raises UNKNOWN_TRACK.
    """
    names = [track_name(track).casefold() for track in file.tracks] if _has_names(wanted) else []
    found: set[int] = set()
    for one in wanted:
        if isinstance(one, int):
            matches = [one] if 0 <= one < len(file.tracks) else []
        else:
            text = " ".join(one.split()).casefold()
            matches = [index for index, name in enumerate(names) if name == text]
        if not matches:
            raise _not_found(file, one)
        found.update(matches)
    return sorted(found)


def _has_names(wanted: Sequence[int | str]) -> bool:
    return any(isinstance(one, str) for one in wanted)


def _not_found(file: MidiFile, wanted: int | str) -> MusicError:
    count = len(file.tracks)
    if isinstance(wanted, int):
        known = [str(index) for index in range(min(count, _MAX_SHOWN))]
        message = f"There is no track {wanted}: the file has {count}, counted from 0 to {count - 1}."
    else:
        known = [name for name in (track_name(track) for track in file.tracks[:_MAX_SHOWN]) if name]
        message = f"No track is named {quoted(wanted)}; use an index from 0 to {count - 1}, or a name of the file."
    return MusicError("UNKNOWN_TRACK", message, known, "tracks")
