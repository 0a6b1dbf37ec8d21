"""Opening the song that a request means: the one it names, or the one that this client used last.

Only what is opened here counts as used. Whoever else reads a song (playback, pictures, the composer) uses the store.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from consort_compose.songs.models import CheckedChange, SongChange, SongRequest
from consort_compose.songs.store import HeldSong, OpenSong, SongRow, SongStore
from consort_kit import logs
from consort_kit.errors import InvalidInput, NotFound

SUGGESTED = 3


@asynccontextmanager
async def reading(store: SongStore, request: SongRequest) -> AsyncIterator[OpenSong]:
    song_id = request.song_id or await _song_meant(store)
    async with store.reading(song_id) as opened:
        if opened is None:
            raise no_such_song(song_id)
        logs.note(song_id=song_id)
        yield opened
    await store.use(song_id)


@asynccontextmanager
async def changing(store: SongStore, request: SongChange) -> AsyncIterator[HeldSong]:
    """One transaction: what is saved in it is one step of undo."""
    seen = request.expected_version if isinstance(request, CheckedChange) else None
    song_id = request.song_id or await _song_meant(store)
    async with store.changing(song_id, seen) as held:
        if held is None:
            raise no_such_song(song_id)
        logs.note(song_id=song_id)
        yield held


def which(opened: OpenSong) -> dict[str, Any]:
    """What every answer says: which song, and its version."""
    return which_row(opened.row)


def which_row(row: SongRow) -> dict[str, Any]:
    return {"song_id": row.id, "title": row.title, "version": row.version}


async def _song_meant(store: SongStore) -> str:
    """Return the song that a request without song_id means; raises NO_SONG, SONG_ID_NEEDED."""
    used = await store.last_used()
    if used is not None:
        return used
    latest = await store.newest(SUGGESTED + 1)
    if len(latest) == 1:
        return latest[0].id
    if not latest:
        raise NotFound(
            "There is no song yet. Make one with create_song, then pass its song_id on.",
            code="NO_SONG",
            field="song_id",
            suggestions=["create_song"],
        )
    raise InvalidInput(
        "'song_id' is missing: there are several songs, and you have used none of them so far. Pass the song_id that"
        f" create_song answered, or one that list_songs shows, for example {latest[0].id}.",
        code="SONG_ID_NEEDED",
        field="song_id",
        suggestions=[f"{row.id} ({row.title})" for row in latest[:SUGGESTED]],
    )


def no_such_song(song_id: str, field: str = "song_id") -> NotFound:
    return NotFound(
        f"There is no song {song_id!r}. list_songs shows the ids of all songs.",
        field=field,
        suggestions=["list_songs"],
    )
