"""Finding music, however it is named: a stored file, a song or score, a file in the data folder, or the bytes."""

import asyncio
import unicodedata
from typing import NamedTuple

from consort_kit import logs
from consort_kit.base64_text import decode_base64
from consort_kit.blobs import Blobs
from consort_kit.client import ServiceClient
from consort_kit.errors import NotFound, TooLarge
from consort_kit.ids import prefix_of
from consort_kit.sandbox import Sandbox
from consort_midi_store.files.readable_paths import FOLDER
from consort_midi_store.files.store import FileRow, FileStore
from consort_music.errors import quoted


class Found(NamedTuple):
    """Music as a tool was given it."""

    name: str | None
    content: bytes
    row: FileRow | None = None
    """If it is a stored file."""
    made_from: str | None = None
    """If it is a song or a score: its id."""


class MusicSources:
    def __init__(self, store: FileStore, blobs: Blobs, sandbox: Sandbox, client: ServiceClient, max_bytes: int) -> None:
        self._store = store
        self._blobs = blobs
        self._sandbox = sandbox
        self._client = client
        self._max_bytes = max_bytes

    async def by_id(self, music_id: str, field: str = "midi_file_id") -> Found:
        """`field` is where the caller named it."""
        if prefix_of(music_id) != "midi":
            return await self._composed(music_id, field)
        row = await self.stored(music_id, field)
        return Found(row.name, await self._blobs.get(row.blob_key), row)

    async def stored(self, file_id: str, field: str = "midi_file_id") -> FileRow:
        logs.note(midi_file_id=file_id)
        row = await self._store.by_id(file_id)
        if row is None:
            raise NotFound(
                f"'{field}' is {file_id}, and no MIDI file of this id is stored. list_midi shows what is.",
                field=field,
                suggestions=["list_midi shows what is stored"],
            )
        return row

    async def row_of(self, music_id: str | None, path: str | None) -> FileRow | None:
        """The stored file that is meant; None if it is a song, a score or a file in the data folder."""
        if music_id is not None:
            return await self.stored(music_id) if prefix_of(music_id) == "midi" else None
        assert path is not None
        return await self._row_of_path(path)

    async def _composed(self, music_id: str, field: str) -> Found:
        """A song or a score, as it is now. Nothing is stored."""
        try:
            fetched = await self._client.fetch_changed_music(music_id, None)
        except NotFound as error:
            error.body.field = field
            raise
        assert fetched is not None
        return Found(fetched.name, fetched.content, made_from=music_id)

    async def by_path(self, path: str) -> Found:
        """A stored file by its path or name, otherwise a file in one of the data folder's folders."""
        if row := await self._row_of_path(path):
            return Found(row.name, await self._blobs.get(row.blob_key), row)
        try:
            content = await asyncio.to_thread(self._sandbox.read, path, self._max_bytes)
        except NotFound as error:
            error.body.message = (
                f"'path' is {quoted(path)}, and there is no such file, neither stored nor in import/, midi/ or export/ "
                "of the data folder. list_midi shows what is stored; a new file is copied to import/ first."
            )
            error.body.suggestions.append("list_midi shows what is stored")
            raise
        return Found(path.rpartition("/")[2], content)

    async def _row_of_path(self, path: str) -> FileRow | None:
        path = unicodedata.normalize("NFC", path)
        name = path.removeprefix(f"{FOLDER}/")
        return await self._store.by_name(name) or await self._store.by_blob_key(path)

    def decoded(self, text: str) -> Found:
        return Found(None, decoded_file(text, self._max_bytes))


def decoded_file(text: str, max_bytes: int) -> bytes:
    """The bytes of a field `base64`, unless they are too many."""
    size = len(text) * 3 // 4
    if size > max_bytes + 2:
        raise too_large(size, max_bytes)
    return decode_base64(text, "or use upload_link")


def too_large(size: int, max_bytes: int) -> TooLarge:
    return TooLarge(
        f"The file has {size:,} bytes, and at most {max_bytes:,} are allowed. Split it, or leave tracks out.",
        details={"max_bytes": max_bytes},
    )
