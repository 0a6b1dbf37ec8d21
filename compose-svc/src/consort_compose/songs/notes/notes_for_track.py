"""Notes that a request adds to one track, and how many notes one call may add."""

from dataclasses import dataclass

from consort_compose.songs.document.song import SongNote
from consort_music.errors import MusicError

MAX_NOTES_A_CALL = 20_000


@dataclass
class NotesForTrack:
    """Notes for one track. Their starts count from the beat where the notes will be added.

    `field` is the request field that named the track, for errors. `has_drums` is True if a note was written as a drum,
    such as kick. `instrument` is the name of the part's instrument if the notes come from a score.
    """

    notes: list[SongNote]
    has_drums: bool = False
    field: str = "notes"
    instrument: str | None = None


def too_many_notes() -> MusicError:
    """Return the error for a call with too many notes."""
    return MusicError(
        "TOO_MANY_NOTES", f"One call adds at most {MAX_NOTES_A_CALL:,} notes.", ["several calls with fewer notes"]
    )
