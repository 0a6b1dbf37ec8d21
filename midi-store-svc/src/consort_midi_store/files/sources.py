"""Find the music that a tool was given: a stored file, a song or score, a file in the data folder, or base64."""

import asyncio
import unicodedata
from typing import NamedTuple

from consort_kit import logs
from consort_kit.errors import NotFound, TooLarge
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import prefix_of
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.path_sandbox import Sandbox
from consort_kit.tools.base64_text import decode_base64
from consort_midi_store.files.readable_paths import FOLDER
from consort_midi_store.files.store import FileRow, FileStore
from consort_music.errors import quoted


class FoundMusic(NamedTuple):
    """The bytes of the music, and where they come from."""

    name: str | None
    content: bytes
    row: FileRow | None = None
    """The row, if the music is a stored file."""
    made_from: str | None = None
    """The id, if the music is a song or a score."""


class MusicSources:
    def __init__(self, store: FileStore, blobs: Blobs, sandbox: Sandbox, client: ServiceClient, max_bytes: int) -> None:
        self._store = store
        self._blobs = blobs
        self._sandbox = sandbox
        self._client = client
        self._max_bytes = max_bytes

    async def by_id(self, music_id: str, field: str = "midi_file_id") -> FoundMusic:
        """Read a stored file, a song or a score. Raise NotFound, which names `field`, if the id is unknown."""
        if prefix_of(music_id) != "midi":
            return await self._fetch_composed(music_id, field)
        row = await self.stored(music_id, field)
        return FoundMusic(row.name, await self._blobs.get(row.blob_key), row)

    async def stored(self, file_id: str, field: str = "midi_file_id") -> FileRow:
        """Return the row of a stored file. Raise NotFound, which names `field`, if there is none with this id."""
        logs.add_ids(midi_file_id=file_id)
        row = await self._store.by_id(file_id)
        if row is None:
            raise NotFound(
                f"'{field}' is {file_id}, and no stored MIDI file has this id. list_midi shows the stored files.",
                field=field,
                suggestions=["list_midi shows the stored files"],
            )
        return row

    async def row_of(self, music_id: str | None, path: str | None) -> FileRow | None:
        """Return the row of a stored file, or None for a song, a score or a file in the data folder."""
        if music_id is not None:
            return await self.stored(music_id) if prefix_of(music_id) == "midi" else None
        assert path is not None
        return await self._row_of_path(path)

    async def _fetch_composed(self, music_id: str, field: str) -> FoundMusic:
        """Fetch the current state of a song or score. Nothing is stored."""
        try:
            fetched = await self._client.fetch(music_id)
        except NotFound as error:
            error.body.field = field
            raise
        return FoundMusic(fetched.name, fetched.content, made_from=music_id)

    async def by_path(self, path: str) -> FoundMusic:
        """Read a stored file by its path or name, or a file in the data folder. Raise NotFound if there is none."""
        if row := await self._row_of_path(path):
            return FoundMusic(row.name, await self._blobs.get(row.blob_key), row)
        try:
            content = await asyncio.to_thread(self._sandbox.read, path, self._max_bytes)
        except NotFound as error:
            error.body.message = (
                f"'path' is {quoted(path)}, and no stored file has this name, nor is there such a file in import/, "
                "midi/ or export/ of the data folder. list_midi shows the stored files; copy a new file to import/ "
                "first."
            )
            error.body.suggestions.append("list_midi shows the stored files")
            raise
        return FoundMusic(path.rpartition("/")[2], content)

    async def _row_of_path(self, path: str) -> FileRow | None:
        path = unicodedata.normalize("NFC", path)
        name = path.removeprefix(f"{FOLDER}/")
        return await self._store.by_name(name) or await self._store.by_blob_key(path)

    def decoded(self, text: str) -> FoundMusic:
        return FoundMusic(None, decode_file(text, self._max_bytes))


def decode_file(text: str, max_bytes: int) -> bytes:
    """Decode the field `base64`. Raise TooLarge if it has more than `max_bytes`, InvalidInput if it is not Base64."""
    size = len(text) * 3 // 4
    if size > max_bytes + 2:
        raise too_large(size, max_bytes)
    return decode_base64(text, "or use upload_link")


def too_large(size: int, max_bytes: int) -> TooLarge:
    return TooLarge(
        f"The file has {size:,} bytes, and at most {max_bytes:,} are allowed. Split it, or leave tracks out.",
        details={"max_bytes": max_bytes},
    )
