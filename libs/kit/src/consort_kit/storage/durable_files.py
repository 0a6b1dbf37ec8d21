"""Write files that survive a power cut: when a function returns, the bytes and their names are on the disk.

The bytes are synchronized before the file gets its name, and the folder afterwards. A folder that is made on the way is
synchronized with the one above it. Reading needs nothing of this.
"""

import errno
import os
import secrets
import shutil
from pathlib import Path


def write_durably(target: Path, content: bytes) -> None:
    """Write a file whose folders may be missing. A crash leaves the earlier file or the whole new one."""
    make_folders(target.parent)
    temporary = _temporary(target)
    try:
        write_new(temporary, content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def write_new(file: Path, content: bytes) -> None:
    """Write a file that must not exist yet, and its bytes to the disk. `sync_folder` writes its name."""
    with file.open("xb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())


def move_durably(file: Path, target: Path) -> None:
    """Move a file to a path whose folders may be missing. A crash leaves the whole file at one of the two paths."""
    make_folders(target.parent)
    _sync_file(file)
    try:
        file.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:  # not another file system
            raise
        temporary = _temporary(target)
        try:
            shutil.copyfile(file, temporary)
            _sync_file(temporary)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def make_folders(folder: Path) -> None:
    """Make a folder and those above it if they are missing, for this user only."""
    if folder.is_dir():
        return
    make_folders(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk."""
    if os.name == "nt":  # Windows cannot open a folder; NTFS keeps its names in a journal
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_file(path: Path) -> None:
    with path.open("rb" if os.name != "nt" else "r+b") as file:  # Windows flushes only a file open for writing
        os.fsync(file.fileno())


def _temporary(target: Path) -> Path:
    return target.with_name(f".{secrets.token_hex(8)}")
