"""Bytes by key, in a folder or an S3 bucket. A key is written once, whole or not at all, and never changed."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.settings import Settings

if TYPE_CHECKING:
    from obstore.store import ObjectStore


class Blobs:
    def __init__(self, settings: Settings) -> None:
        self._store = _open(settings)

    async def put(self, key: str, content: bytes) -> None:
        """Writes to a temporary name and renames, so that a reader or a crash never sees half of it."""
        try:
            await self._store.put_async(key, content)
        except Exception as error:
            raise ServiceDown("the bytes could not be stored; is the disk full?") from error

    async def get(self, key: str) -> bytes:
        try:
            return bytes(await (await self._store.get_async(key)).bytes_async())
        except FileNotFoundError as error:
            raise NotFound(f"the bytes of {key} are gone") from error

    async def delete(self, key: str) -> None:
        """Also fine when it is gone already: a bucket does not mind either."""
        with suppress(FileNotFoundError):
            await self._store.delete_async(key)


def _open(settings: Settings) -> "ObjectStore":
    from obstore.store import LocalStore, from_url

    url = settings.blob_url
    if url is not None and "://" in url:
        options: dict[str, Any] = {}
        return from_url(url, **options)
    folder = settings.data if url is None else url
    return LocalStore(str(folder), mkdir=True)
