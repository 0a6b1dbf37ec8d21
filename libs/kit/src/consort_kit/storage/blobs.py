"""Store blobs: bytes under a key, in a folder or an S3 bucket. Each write is atomic.

obstore reads the usual `AWS_*` variables from the environment. Time limits make sure that an unreachable bucket is
reported within seconds; obstore alone would retry for minutes.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, S3Store

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.settings import Settings
from consort_kit.storage.disk_errors import FULL, disk_errors, disk_is_full
from consort_kit.storage.durable_files import move_durably, write_durably

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

ANSWER_S = 4.0
"""Seconds that an operation may take, in addition to the time to transfer the bytes."""
SLOWEST_BYTES_S = 250_000
"""The slowest transfer that is accepted, in bytes per second."""
PART_BYTES = 8 * 1024 * 1024
"""The size of the parts in which a large file is sent to a bucket."""
STREAM_BYTES = 256 * 1024
"""The least size of the parts in which a blob is streamed."""

_RETRY: "RetryConfig" = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=ANSWER_S),
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=1), "base": 2},
}
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")

_log = logging.getLogger("consort")


class Blobs:
    def __init__(self, settings: Settings) -> None:
        self._store = _open(settings.blob_url or str(settings.data))

    def local_path(self, key: str) -> Path | None:
        """Return the path of a blob's file, or None if blobs are in a bucket. Raise NotFound if it leads elsewhere."""
        folder = self._store.prefix if isinstance(self._store, LocalStore) else None
        if folder is None:
            return None
        path = Path(folder) / key
        if ".." in path.parts or not path.is_relative_to(folder):  # a key of a backup that somebody else has made
            raise missing_blob(key)
        return path

    async def put(self, key: str, content: bytes) -> None:
        """Write a blob atomically: in a folder to a temporary file that is then renamed, in a bucket by one request.

        Afterwards it survives a power cut. If the call is cancelled, the blob may have been written.
        """
        target = self.local_path(key)
        async with self._reached(key, "stored", len(content)):
            if target is not None:
                await _to_the_end(asyncio.to_thread(write_durably, target, content))
            else:
                await self._store.put_async(key, content, use_multipart=False)

    async def put_file(self, key: str, file: Path) -> None:
        """Write a blob with the content of a file, atomically and without reading it into memory.

        The file itself is moved into a folder on the same file system; otherwise it is copied. In any case it is gone
        afterwards, also after an error. If the call is cancelled, the blob may have been written.
        """
        target = self.local_path(key)
        try:
            async with self._reached(key, "stored", file.stat().st_size):
                if target is not None:
                    await _to_the_end(asyncio.to_thread(move_durably, file, target))
                else:
                    await self._store.put_async(key, file, chunk_size=PART_BYTES, max_concurrency=4)
        finally:
            file.unlink(missing_ok=True)

    async def get(self, key: str) -> bytes:
        async with self._reached(key, "read"):
            found = await self._store.get_async(key)
        async with self._reached(key, "read", found.meta["size"]):
            return bytes(await found.bytes_async())

    async def size(self, key: str) -> int | None:
        """Return the number of bytes of a blob, or None if it does not exist."""
        try:
            async with self._reached(key, "read"):
                return (await self._store.head_async(key))["size"]
        except NotFound:
            return None

    async def stream(self, key: str, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes from `start` up to, but not including, `end`, in parts. Raise NotFound before the first."""
        if start == end:
            return
        async with self._reached(key, "read"):
            found = await self._store.get_async(key, options={"range": (start, end)})
        parts = aiter(found.stream(min_chunk_size=STREAM_BYTES))
        while True:
            async with self._reached(key, "read", STREAM_BYTES):
                part = await anext(parts, None)
            if part is None:
                return
            yield bytes(part)

    async def get_file(self, key: str, target: Path) -> None:
        """Copy a blob to a new file, without reading it into memory."""
        async with self._reached(key, "read"):
            size = (await self._store.head_async(key))["size"]
        with disk_errors(), target.open("xb") as file:
            async for part in self.stream(key, 0, size):
                await asyncio.to_thread(file.write, part)

    async def delete(self, key: str) -> None:
        """Delete a blob. A missing blob is no error."""
        with suppress(NotFound):
            async with self._reached(key, "deleted"):
                await self._store.delete_async(key)

    async def delete_all(self, prefix: str) -> None:
        """Delete all blobs whose keys begin with the prefix."""
        async with self._reached(prefix, "deleted"):
            async for found in self._store.list(prefix):
                await self._store.delete_async([each["path"] for each in found])

    async def keys(self, prefix: str) -> list[str]:
        """Return the keys of all blobs that begin with the prefix, which ends with a slash."""
        async with self._reached(prefix, "read", STREAM_BYTES):
            return [each["path"] async for page in self._store.list(prefix) for each in page]

    async def list_older_than(self, prefix: str, before: datetime) -> list[str]:
        """Return the keys that begin with the prefix of blobs that were written before a time."""
        keys: list[str] = []
        pages = aiter(self._store.list(prefix))
        while True:
            async with self._reached(prefix, "read"):
                page = await anext(pages, None)
            if page is None:
                return keys
            keys += [each["path"] for each in page if each["last_modified"] < before]

    async def is_younger(self, key: str, than: datetime) -> bool:
        """Return whether a blob exists and was written after a time."""
        with suppress(NotFound):
            async with self._reached(key, "read"):
                return (await self._store.head_async(key))["last_modified"] > than
        return False

    async def check(self) -> None:
        """Raise ServiceDown if the store cannot be reached. The check asks for a blob that does not exist."""
        with suppress(NotFound):
            await self.get("check")

    @asynccontextmanager
    async def _reached(self, key: str, done: str, size: int = 0) -> AsyncIterator[None]:
        """Limit the time of the operation inside, which transfers `size` bytes, and replace the store's exceptions.

        Raise NotFound if the blob is missing, otherwise ServiceDown. The store's own texts contain addresses. `done` is
        the participle for the message: stored, read or deleted.
        """
        try:
            async with asyncio.timeout(ANSWER_S + size / SLOWEST_BYTES_S):
                yield
        except (BaseError, OSError) as error:
            if isinstance(error, FileNotFoundError) and "NoSuchBucket" not in str(error):
                raise missing_blob(key) from error
            _log.warning("%s could not be %s: %s", key, done, type(error).__name__)
            if isinstance(error, OSError) and isinstance(self._store, LocalStore) and error.errno in FULL:
                raise disk_is_full() from error
            raise ServiceDown(
                f"The bytes could not be {done}: {self._reason(error)}. Nothing was changed. Try again soon.",
                suggestions=["Try again in a few seconds.", "`consort doctor` finds the cause."],
            ) from error

    def _reason(self, error: Exception) -> str:
        if isinstance(error, PermissionDeniedError | UnauthenticatedError):
            return "access is denied"
        if isinstance(self._store, LocalStore):
            return "the folder cannot be used"
        return "the bucket is missing" if isinstance(error, FileNotFoundError) else "the bucket does not answer"


async def _to_the_end(work: Coroutine[None, None, None]) -> None:
    """Wait for work that goes on in a thread, also if the caller is cancelled meanwhile."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    finally:
        await asyncio.wait({task})


def missing_blob(key: str) -> NotFound:
    return NotFound(f"The bytes of {key} are missing. Store the file again.")


def _open(place: str) -> LocalStore | S3Store:
    scheme = urlsplit(place).scheme if "://" in place else ""
    if scheme == "s3":
        endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), "")
        # obstore rejects http:// unless it is allowed explicitly; here the user has given such an address
        client: ClientConfig = {"allow_http": endpoint.startswith("http://"), "connect_timeout": timedelta(seconds=2)}
        return S3Store.from_url(place, client_options=client, retry_config=_RETRY)
    if scheme == "file":
        return LocalStore.from_url(place, mkdir=True)
    if scheme:
        raise RuntimeError(f"CONSORT_BLOB_URL must be a folder or s3://bucket/prefix, not {scheme}://….")
    return LocalStore(place, mkdir=True)
