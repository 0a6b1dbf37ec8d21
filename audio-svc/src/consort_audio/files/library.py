"""The library of audio files: check and add a file, find it, lend its bytes, and make links to it."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from consort_audio.codecs.child_calls import inspect_in_child
from consort_audio.codecs.facts import AudioFacts
from consort_audio.codecs.formats import format_of_name
from consort_audio.files.children import AudioChildren
from consort_audio.files.store import AudioKind, AudioRow, AudioStore
from consort_audio.settings import AudioSettings
from consort_kit import logs
from consort_kit.data_folder import make_private_folder
from consort_kit.errors import NotFound, OutcomeUnknown, ServiceDown, TooLarge
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.file_names import check_name, name_from_title

LINK_LIFETIME_S = 24 * 3600
EXAMPLE_NAME = "take.wav"
UNTITLED = "untitled"
AUDIO = "audio"
"""Keys of blobs are AUDIO/ID/…"""
_FOLDER = "uploads"
_LEFTOVER_S = 24 * 3600
"""The age at which a temporary file, or bytes without a row, were certainly left behind by a crash."""

_log = logging.getLogger("consort")


class AudioLinks:
    """Links to an audio file for a browser. They are valid for one day."""

    def __init__(self, links: Links, file_id: str) -> None:
        self._links = links
        self._file_id = file_id

    @property
    def listen_url(self) -> str:
        """The page that plays the file."""
        return self._make(f"/player/{self._file_id}")

    def download_url(self, format: str | None = None) -> str:
        """Return a link to the bytes, as they are stored or converted to wav, flac, ogg or mp3."""
        return self._make(f"/files/{self._file_id}{f'.{format}' if format else ''}")

    def _make(self, path: str) -> str:
        return self._links.make("audio", path, lifetime_s=LINK_LIFETIME_S).url


class AudioLibrary:
    def __init__(
        self, store: AudioStore, blobs: Blobs, links: Links, children: AudioChildren, settings: AudioSettings
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._links = links
        self._children = children
        self._settings = settings
        self._folder = settings.data / _FOLDER
        make_private_folder(self._folder)

    async def add(
        self,
        path: Path,
        name: str,
        kind: AudioKind,
        origin: dict[str, Any],
        *,
        file_id: str | None = None,
        max_duration_s: float | None = None,
        facts: AudioFacts | None = None,
    ) -> AudioRow:
        """Check a local file and add it to the library. The file is moved or deleted, also if an error is raised.

        A file that was made here and measured on the way is not checked again; give its `facts`.

        The bytes are stored before the row, so that every row has its bytes. The extension of the name becomes that of
        the format. Raise InvalidInput (INVALID_AUDIO, TOO_SHORT, INVALID_NAME) or TooLarge. If the id is already in the
        library, return that file.
        """
        try:
            name = check_name(name, "name", EXAMPLE_NAME)
            if path.stat().st_size > self._settings.audio_max_bytes:
                raise too_many_bytes(self._settings.audio_max_bytes)
            longest = self._settings.audio_max_duration_s if max_duration_s is None else max_duration_s
            if facts is None:
                facts = await self._children.run(inspect_in_child, path, longest)
            file_id = file_id or new_id("audio")
            logs.add_ids(audio_file_id=file_id)
            if existing := await self._store.by_id(file_id):
                return existing
            key = f"{AUDIO}/{file_id}/{facts.sha256}.{facts.format}"
            path.touch()  # an upload may be old, and `sweep` looks at the age
            try:
                await self._blobs.put_file(key, path)
                row = await self._store.add(file_id, name_with_format(name, facts.format), kind, facts, key, origin)
            except OutcomeUnknown:  # the row may still appear, and needs its bytes
                raise
            except BaseException:
                await self._delete_unused(file_id, key)
                raise
            if row is None:
                await self._delete_unused(file_id, key)
            return row or await self.row(file_id)
        finally:
            path.unlink(missing_ok=True)

    async def _delete_unused(self, file_id: str, key: str) -> None:
        """Delete the blob `key`, for which no row was added, unless the stored file with this id uses it."""
        with suppress(ServiceDown):
            stored = await self._store.by_id(file_id)
            if stored is None or stored.blob_key != key:
                await self._blobs.delete(key)

    async def row(self, audio_file_id: str, field: str = "audio_file_id") -> AudioRow:
        """Return the row of a file. Raise NotFound, which names `field`, if there is none with this id."""
        logs.add_ids(audio_file_id=audio_file_id)
        row = await self._store.by_id(audio_file_id)
        if row is None:
            if await self._store.upload(audio_file_id) is not None:
                hint = "Ask the user to open the upload_url, then try again."
                raise NotFound(
                    f"'{field}' is {audio_file_id}, and no file has been uploaded for this id yet. {hint}",
                    field=field,
                    suggestions=[hint],
                )
            raise NotFound(
                f"'{field}' is {audio_file_id}, and no stored audio file has this id. list_audio shows the stored "
                "files.",
                field=field,
                suggestions=["list_audio shows the stored files"],
            )
        return row

    async def row_if_exists(self, audio_file_id: str) -> AudioRow | None:
        return await self._store.by_id(audio_file_id)

    async def delete(self, row: AudioRow) -> None:
        """Delete a file, its bytes and everything that was derived from them."""
        await self._store.delete(row.id)
        await self._blobs.delete_all(f"{AUDIO}/{row.id}/")

    @asynccontextmanager
    async def local_file(self, row: AudioRow) -> AsyncIterator[Path]:
        """Yield a local path with the bytes of a file, which must not be changed.

        If blobs are in a bucket, the bytes are downloaded to a temporary file.
        """
        local = self._blobs.local_path(row.blob_key)
        if local is not None:
            yield local
            return
        copy = self.temporary_path(f".{row.format}")
        try:
            await self._blobs.get_file(row.blob_key, copy)
            yield copy
        finally:
            copy.unlink(missing_ok=True)

    def stream(self, row: AudioRow, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes of a file from `start` up to, but not including, `end`."""
        return self._blobs.stream(row.blob_key, start, end)

    def temporary_path(self, suffix: str) -> Path:
        """Return a new path for a file in the making, on the same file system as the blobs. No file is made."""
        return self._folder / f"{secrets.token_hex(12)}{suffix}"

    def part_path(self, audio_file_id: str) -> Path:
        """Return the path of the bytes of an upload that is not complete."""
        return self._folder / f"{audio_file_id}.part"

    async def delete_leftovers(self) -> None:
        """Delete temporary files that a crash has left behind."""
        await asyncio.to_thread(self._delete_older_than, time.time() - _LEFTOVER_S)

    async def sweep(self) -> None:
        """Delete bytes without a row, which a crash has left behind."""
        old = await self._blobs.list_older_than(f"{AUDIO}/", datetime.now(UTC) - timedelta(seconds=_LEFTOVER_S))
        gone = await self._store.unknown({key.split("/")[1] for key in old})
        for file_id in gone:
            await self._blobs.delete_all(f"{AUDIO}/{file_id}/")
        if gone:
            _log.info("swept the bytes of %d audio files that were never completed", len(gone))

    def _delete_older_than(self, earliest: float) -> None:
        for file in self._folder.iterdir():
            with suppress(OSError):
                if file.stat().st_mtime < earliest:
                    file.unlink()

    def links(self, row: AudioRow) -> AudioLinks:
        return AudioLinks(self._links, row.id)


def too_many_bytes(max_bytes: int) -> TooLarge:
    return TooLarge(
        f"The file has more than {max_bytes:,} bytes, which is the limit. Send a shorter part of it, or a compressed "
        "file such as FLAC or MP3.",
        suggestions=["a shorter part", "a FLAC or MP3 file"],
        details={"max_bytes": max_bytes},
    )


def name_with_format(name: str, audio_format: str) -> str:
    """Return the name with the extension of a format: added if it has none of an audio file, otherwise replaced."""
    found = format_of_name(name) if "." in name else None
    if found == audio_format:
        return name
    stem = str(PurePosixPath(name).with_suffix("")) if found else name
    return name_from_title(stem, f".{audio_format}")
