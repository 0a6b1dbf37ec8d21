"""Bytes by key, in a folder or an S3 bucket. A key is written once, whole or not at all, and never changed.

A bucket is reached with the usual `AWS_*` variables, which obstore reads from the environment. One that does not answer
is told within seconds: obstore alone would go on trying for minutes.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, S3Store

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.settings import Settings

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

ANSWER_S = 4.0
"""How long a store may take, besides the time that the bytes themselves need …"""
SLOWEST_BYTES_S = 250_000
"""… at this rate."""

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
        """The file that holds these bytes; None in a bucket."""
        folder = self._store.prefix if isinstance(self._store, LocalStore) else None
        return None if folder is None else Path(folder) / key

    async def put(self, key: str, content: bytes) -> None:
        """A folder gets it under a temporary name that is then changed, a bucket in one request: never half of it."""
        async with self._reached(key, "stored", len(content)):
            await self._store.put_async(key, content, use_multipart=False)

    async def get(self, key: str) -> bytes:
        async with self._reached(key, "read"):
            found = await self._store.get_async(key)
        async with self._reached(key, "read", found.meta["size"]):
            return bytes(await found.bytes_async())

    async def delete(self, key: str) -> None:
        """Also fine when it is gone already: a bucket does not mind either."""
        with suppress(NotFound):
            async with self._reached(key, "deleted"):
                await self._store.delete_async(key)

    async def delete_all(self, prefix: str) -> None:
        """Every key that begins so."""
        async with self._reached(prefix, "deleted"):
            async for found in self._store.list(prefix):
                await self._store.delete_async([each["path"] for each in found])

    async def check(self) -> None:
        """Whether the place can be reached; ServiceDown if not. Asks for what is not there, and changes nothing."""
        with suppress(NotFound):
            await self.get("check")

    @asynccontextmanager
    async def _reached(self, key: str, done: str, size: int = 0) -> AsyncIterator[None]:
        """An end to waiting, and our errors instead of the store's, whose texts are full of addresses."""
        try:
            async with asyncio.timeout(ANSWER_S + size / SLOWEST_BYTES_S):
                yield
        except (BaseError, OSError) as error:
            if isinstance(error, FileNotFoundError) and "NoSuchBucket" not in str(error):
                raise NotFound(f"The bytes of {key} are gone. Store the file again.") from error
            _log.warning("%s could not be %s: %s", key, done, type(error).__name__)
            raise ServiceDown(
                f"The bytes could not be {done}: {self._reason(error)}. Nothing was changed. Try again soon.",
                suggestions=["Try again in some seconds.", "`consort doctor` says what is wrong."],
            ) from error

    def _reason(self, error: Exception) -> str:
        if isinstance(error, PermissionDeniedError | UnauthenticatedError):
            return "access is denied"
        if isinstance(self._store, LocalStore):
            return "is the disk full?"
        return "the bucket is missing" if isinstance(error, FileNotFoundError) else "the bucket does not answer"


def _open(place: str) -> LocalStore | S3Store:
    scheme = urlsplit(place).scheme if "://" in place else ""
    if scheme == "s3":
        endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), "")
        # The user wrote http:// there; obstore would want to be told a second time.
        client: ClientConfig = {"allow_http": endpoint.startswith("http://"), "connect_timeout": timedelta(seconds=2)}
        return S3Store.from_url(place, client_options=client, retry_config=_RETRY)
    if scheme == "file":
        return LocalStore.from_url(place, mkdir=True)
    if scheme:
        raise RuntimeError(f"CONSORT_BLOB_URL must be a folder or s3://bucket/prefix, and is {scheme}://…")
    return LocalStore(place, mkdir=True)
