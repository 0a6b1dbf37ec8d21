"""Opening the song that a request means: the one it names, or the one used last."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from consort_compose.songs.models import CheckedChange, SongChange, SongRequest
from consort_compose.songs.store import HeldSong, OpenSong, SongStore
from consort_kit import logs
from consort_kit.errors import NotFound


@asynccontextmanager
async def reading(store: SongStore, request: SongRequest) -> AsyncIterator[OpenSong]:
    async with store.reading(request.song_id) as opened:
        if opened is None:
            raise no_such_song(request.song_id)
        logs.note(song_id=opened.row.id)
        yield opened


@asynccontextmanager
async def changing(store: SongStore, request: SongChange) -> AsyncIterator[HeldSong]:
    """One transaction: what is saved in it is one step of undo."""
    seen = request.expected_version if isinstance(request, CheckedChange) else None
    async with store.changing(request.song_id, seen) as held:
        if held is None:
            raise no_such_song(request.song_id)
        logs.note(song_id=held.row.id)
        yield held


def which(opened: OpenSong) -> dict[str, Any]:
    """What every answer says: which song, and its version."""
    return {"song_id": opened.row.id, "version": opened.row.version}


def no_such_song(song_id: str | None, field: str = "song_id") -> NotFound:
    if song_id is None:
        return NotFound(
            "there is no song used last; make one, or say which by song_id",
            code="NO_SONG",
            field=field,
            suggestions=["create_song", "list_songs"],
        )
    return NotFound(f"there is no song {song_id!r}", field=field, suggestions=["list_songs shows what there is"])
