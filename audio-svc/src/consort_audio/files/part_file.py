"""The bytes of an upload that is not complete. Only one request at a time, of any process, may change them.

The lock is on the file itself (`flock`), so that it ends with the process, even if that is killed.
"""

import asyncio
import os
import sys
import time
from pathlib import Path

from consort_kit.storage.disk_errors import disk_errors

_POLL_S = 0.05


class PartFile:
    """The opened and locked file."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle

    @property
    def size(self) -> int:
        return os.fstat(self._handle).st_size

    async def append(self, content: bytes) -> None:
        await asyncio.to_thread(self._append, content)

    def _append(self, content: bytes) -> None:
        left = memoryview(content)
        with disk_errors():
            while left:
                left = left[os.write(self._handle, left) :]

    async def cut_to(self, size: int) -> None:
        with disk_errors():
            await asyncio.to_thread(os.ftruncate, self._handle, size)

    async def flush(self) -> None:
        """Write everything to the disk, so that bytes that are reported as received survive a power failure."""
        with disk_errors():
            await asyncio.to_thread(os.fsync, self._handle)

    def close(self) -> None:
        os.close(self._handle)


async def lock_part_file(path: Path, wait_s: float) -> PartFile | None:
    """Open the file, which is made if it is missing, and lock it. The caller must close it.

    Return None if another request holds the lock for longer than `wait_s` seconds.
    """
    deadline = time.monotonic() + wait_s
    while True:
        with disk_errors():
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if _lock(handle) and _is_at(path, handle):
                return PartFile(path, handle)
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if time.monotonic() >= deadline:
            return None
        await asyncio.sleep(_POLL_S)


def _lock(handle: int) -> bool:
    """Lock the file without waiting, and return whether this succeeded. On Windows nothing is locked (untested)."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(path: Path, handle: int) -> bool:
    """Return whether the opened file is still at this path: it may have been moved or deleted before the lock."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
