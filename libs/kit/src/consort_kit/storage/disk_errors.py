"""Report a disk that is full or cannot be written."""

from collections.abc import Iterator
from contextlib import contextmanager

from consort_kit.errors import ServiceDown


@contextmanager
def disk_errors() -> Iterator[None]:
    """Raise ServiceDown instead of an OSError, around code that writes a file."""
    try:
        yield
    except OSError as error:
        raise disk_failed() from error


def disk_failed() -> ServiceDown:
    return ServiceDown(
        "A file could not be written. Check that the disk is not full, then try again.",
        suggestions=["Free some disk space."],
    )
