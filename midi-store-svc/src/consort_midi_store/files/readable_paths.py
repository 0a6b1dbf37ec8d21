"""Readable paths of stored files: `midi/NAME` in the data folder, and the full path on the user's machine.

The bytes of a file are stored under a blob key. A hard link `midi/NAME` gives the same bytes a readable name. The link
is read-only, because writing to it would change the stored bytes. It is made when the path is first needed, so files
stored by earlier versions get one too. Nothing depends on the link: if `midi/NAME` is given as an input, the file is
found by its name.
"""

import filecmp
import os
import secrets
from contextlib import suppress
from pathlib import Path

from consort_kit.settings import Settings
from consort_kit.storage.blobs import Blobs
from consort_midi_store.files.store import FileRow

FOLDER = "midi"
_READ_ONLY = 0o444


class ReadablePaths:
    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._data = settings.data
        self._blobs = blobs
        self._in_container = settings.in_container

    def path(self, row: FileRow) -> str:
        """Return the path relative to the data folder. It is valid as input even if the bytes are in an S3 bucket."""
        return f"{FOLDER}/{row.name}"

    def full_path(self, row: FileRow) -> str | None:
        """Make the link and return its full path.

        Return None if the bytes are in an S3 bucket, a file of the user has this path, or no link can be made.
        """
        blob = self._blobs.local_path(row.blob_key)
        if blob is None:
            return None
        link = self._data / FOLDER / row.name
        try:
            if not _is_same(link, blob):
                if os.path.lexists(link) and not any(_shows(link, earlier) for earlier in blob.parent.iterdir()):
                    return None  # the user put a file there
                _link(blob, link)
        except OSError:  # no hard links here, or the folders are on different file systems
            return None
        return self.shown(f"{FOLDER}/{row.name}")

    def shown(self, path: str) -> str:
        """Return the full path of `path`, which is relative to the data folder.

        If the service runs in a container, the text also says how to copy the file out of it.
        """
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
    """Return whether the link was made for this blob: it is the same file, or has the same content.

    If the same bytes were stored again, the blob is a new file, and the link is still the old one.
    """
    if _is_same(link, blob):
        return True
    return link.is_file() and not link.is_symlink() and filecmp.cmp(link, blob, shallow=False)


def _link(blob: Path, link: Path) -> None:
    mine = link.with_name(f".{secrets.token_hex(8)}")
    if os.name != "nt":  # Windows cannot delete a read-only file
        blob.chmod(_READ_ONLY)
    os.link(blob, mine)
    try:
        mine.replace(link)
    finally:
        mine.unlink(missing_ok=True)
