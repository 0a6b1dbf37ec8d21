"""Report a disk that is full or cannot be written."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from consort_kit.errors import DiskFull, ServiceDown

FULL = {errno.ENOSPC, errno.EDQUOT}
"""The numbers of the errors of a full disk."""
_LEAST_FREE_BYTES = 1024 * 1024
"""With less, Postgres cannot write, but a small file may still fit."""


@contextmanager
def disk_errors() -> Iterator[None]:
    """Raise DiskFull or ServiceDown instead of an OSError, around code that writes a file."""
    try:
        yield
    except OSError as error:
        raise disk_failed(error) from error


def disk_failed(error: OSError) -> ServiceDown:
    """Return the error to raise for a file that could not be written."""
    if error.errno in FULL:
        return disk_is_full()
    return ServiceDown(
        "A file could not be written. Check that the disk is not full, then try again.",
        suggestions=["Free some disk space."],
    )


def disk_is_full() -> DiskFull:
    return DiskFull(
        "The disk is full, so nothing was stored. Free some space on the disk of the data folder, then try again.",
        suggestions=["Free some disk space, then try again."],
    )


def is_full(folder: Path) -> bool:
    """Return whether the disk of a folder has no room left."""
    try:
        return shutil.disk_usage(folder).free < _LEAST_FREE_BYTES
    except OSError:
        return False
