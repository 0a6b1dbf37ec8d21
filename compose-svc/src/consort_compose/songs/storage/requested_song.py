"""Open the song of a request: the one it names, or the one that this client used last.

A song opened here becomes the last used song of the client. Other readers (playback, pictures, the composer) use
`SongStore.open_for_reading`, which does not change the last used song.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from consort_compose.songs.models.common import SongChangeRequest, SongRequest, VersionedChangeRequest
from consort_compose.songs.storage.store import LockedSong, OpenSong, SongRow, SongStore
from consort_kit import logs
from consort_kit.errors import InvalidInput, NotFound

MAX_SUGGESTIONS = 3


@asynccontextmanager
async def open_for_reading(store: SongStore, request: SongRequest) -> AsyncIterator[OpenSong]:
    """Open the current state of a song. Raise NotFound, NO_SONG or SONG_ID_NEEDED."""
    song_id = request.song_id or await _default_song(store)
    async with store.open_for_reading(song_id) as opened:
        if opened is None:
            raise no_such_song(song_id)
        logs.add_ids(song_id=song_id)
        yield opened
    await store.remember_use(song_id)


@asynccontextmanager
async def open_for_change(store: SongStore, request: SongChangeRequest) -> AsyncIterator[LockedSong]:
    """Open and lock a song for one transaction. Saving it adds one undo step.

    Raise NotFound, NO_SONG, SONG_ID_NEEDED, or VERSION_CONFLICT when saving.
    """
    seen = request.expected_version if isinstance(request, VersionedChangeRequest) else None
    song_id = request.song_id or await _default_song(store)
    async with store.open_for_change(song_id, seen) as locked:
        if locked is None:
            raise no_such_song(song_id)
        logs.add_ids(song_id=song_id)
        yield locked


def song_identity(row: SongRow) -> dict[str, Any]:
    """Return the fields of every answer about a song: its id, title and version."""
    return {"song_id": row.id, "title": row.title, "version": row.version}


async def _default_song(store: SongStore) -> str:
    """Return the id of the song used last, or of the only song. Raise NO_SONG or SONG_ID_NEEDED."""
    used = await store.last_used()
    if used is not None:
        return used
    latest = await store.newest(MAX_SUGGESTIONS + 1)
    if len(latest) == 1:
        return latest[0].id
    if not latest:
        raise NotFound(
            "There is no song yet. Create one with create_song, then use its song_id.",
            code="NO_SONG",
            field="song_id",
            suggestions=["create_song"],
        )
    raise InvalidInput(
        "'song_id' is missing. There are several songs, and none of them is your last used song. Give the song_id from"
        f" create_song or list_songs, for example {latest[0].id}.",
        code="SONG_ID_NEEDED",
        field="song_id",
        suggestions=[f"{row.id} ({row.title})" for row in latest[:MAX_SUGGESTIONS]],
    )


def no_such_song(song_id: str, field: str = "song_id") -> NotFound:
    """Return the error for an unknown song."""
    return NotFound(
        f"There is no song {song_id!r}. list_songs shows the ids of all songs.",
        field=field,
        suggestions=["list_songs"],
    )
