"""Earlier versions of overwritten files: keep them, find them again, and sweep those that are too old.

Bytes without a row are swept too: bytes of a call that was cut off, and bytes that were replaced by earlier releases.
"""

import logging
from datetime import UTC, datetime, timedelta

from consort_kit.errors import NotFound
from consort_kit.storage.blobs import Blobs
from consort_midi_store.files.blob_keys import blob_key, sha256_of
from consort_midi_store.files.store import FileRow, FileStore, FileVersionRow, LockedOwner

EXPORT_FOLDER = "export"
YOUNG = timedelta(days=1)
"""Bytes that are younger may belong to a call that has not yet written its row."""
_SHOWN = 10

_log = logging.getLogger("consort")


class FileVersions:
    def __init__(self, store: FileStore, blobs: Blobs, most: int, days: float) -> None:
        """Keep the last `most` versions of a file, each for at least `days` days."""
        self._store = store
        self._blobs = blobs
        self._most = most
        self._age = timedelta(days=days)

    async def content_of_file(self, file: FileRow | None, name: str, number: int) -> bytes:
        """Return an earlier version of a stored file."""
        return await self._content(file.id if file else None, name, number)

    async def keep_export(self, locked: LockedOwner, content: bytes) -> int:
        """Keep the bytes of a file in export/ that is about to be replaced. Return the number of this version."""
        key = blob_key(EXPORT_FOLDER, sha256_of(content))
        await self._blobs.put(key, content)
        return await locked.keep(key, len(content))

    async def content_of_export(self, name: str, number: int) -> bytes:
        """Return an earlier version of a file in export/."""
        return await self._content(f"{EXPORT_FOLDER}/{name}", name, number)

    async def _content(self, owner: str | None, name: str, number: int) -> bytes:
        found = await self._store.versions(owner) if owner else []
        row = next((each for each in found if each.number == number), None)
        if row is None:
            raise _no_version(name, number, found)
        return await self._blobs.get(row.blob_key)

    async def sweep(self) -> None:
        """Delete the versions that need not be kept, and the bytes that no row refers to."""
        now = datetime.now(UTC)
        await self._store.delete_versions(self._most, now - self._age)
        old = await self._blobs.list_older_than("midi/", now - max(self._age, YOUNG))
        swept = 0
        for key in await self._store.unused(old):
            async with self._store.locked_owner(_owner_of(key)):
                if await self._store.unused([key]) and not await self._blobs.is_younger(key, now - YOUNG):
                    await self._blobs.delete(key)
                    swept += 1
        if swept:
            _log.info("swept the bytes of %d replaced or unfinished files", swept)


def _owner_of(key: str) -> str:
    """Return the id of the file that a blob belongs to, or `export`."""
    return key.split("/")[1]


def _no_version(name: str, number: int, found: list[FileVersionRow]) -> NotFound:
    if not found:
        return NotFound(
            f"No earlier version of {name!r} is kept. Only overwriting keeps one, and old ones are deleted.",
            field="restore_version",
        )
    shown = [f"{each.number} ({each.bytes:,} bytes, until {each.replaced_at:%Y-%m-%d %H:%M} UTC)" for each in found]
    return NotFound(
        f"'restore_version' is {number}, and the versions of {name!r} are {', '.join(shown[:_SHOWN])}.",
        field="restore_version",
        suggestions=[str(each.number) for each in found[:_SHOWN]],
    )
