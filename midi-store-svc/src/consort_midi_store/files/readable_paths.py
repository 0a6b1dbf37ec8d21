"""Where a user finds a file: a readable path below the data folder, and the whole path on their machine.

The bytes of a file are kept under a key that is never written twice. Beside it the file is shown under its own name, as
`midi/NAME`, by a hard link; that is read-only, for writing to it would change what is kept. The link is made when it is
asked for, so files of earlier versions get one too. Nothing depends on it: `midi/NAME` as input is found by the name.
"""

import filecmp
import os
import secrets
from contextlib import suppress
from pathlib import Path

from consort_kit.blobs import Blobs
from consort_kit.settings import Settings
from consort_midi_store.files.store import FileRow

FOLDER = "midi"
_READ_ONLY = 0o444


class ReadablePaths:
    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._data = settings.data
        self._blobs = blobs
        self._in_container = settings.in_container

    def path(self, row: FileRow) -> str:
        """Relative to the data folder, and valid as input also where bytes are in a bucket."""
        return f"{FOLDER}/{row.name}"

    def full_path(self, row: FileRow) -> str | None:
        """Where the file is on this machine; None in a bucket, or if another file is in the way."""
        blob = self._blobs.local_path(row.blob_key)
        if blob is None:
            return None
        link = self._data / FOLDER / row.name
        try:
            if not _is_same(link, blob):
                if os.path.lexists(link) and not any(_shows(link, earlier) for earlier in blob.parent.iterdir()):
                    return None  # a file that the user put there
                _link(blob, link)
        except OSError:  # a file system without hard links, or another one
            return None
        return self.shown(f"{FOLDER}/{row.name}")

    def shown(self, path: str) -> str:
        """A path below the data folder as the user can use it."""
        full = self._data / path
        if not self._in_container:
            return str(full)
        return f"{full} (in the container; `docker compose cp midi-store:{full} .` copies it here)"

    def forget(self, row: FileRow) -> None:
        """Remove the link of a file that is being deleted."""
        blob, link = self._blobs.local_path(row.blob_key), self._data / FOLDER / row.name
        if blob is not None and _shows(link, blob):
            with suppress(OSError):
                link.unlink()


def _is_same(one: Path, other: Path) -> bool:
    try:
        return not one.is_symlink() and one.samefile(other)
    except OSError:
        return False


def _shows(link: Path, blob: Path) -> bool:
    """Whether a link was made for these bytes. Bytes that are stored again are another file of equal content."""
    if _is_same(link, blob):
        return True
    return link.is_file() and not link.is_symlink() and filecmp.cmp(link, blob, shallow=False)


def _link(blob: Path, link: Path) -> None:
    mine = link.with_name(f".{secrets.token_hex(8)}")
    if os.name != "nt":  # a read-only file cannot be deleted there
        blob.chmod(_READ_ONLY)
    os.link(blob, mine)
    try:
        mine.replace(link)
    finally:
        mine.unlink(missing_ok=True)
