"""Read and write files at paths given by users.

Paths are relative, must stay inside a few folders of the data folder, and must not contain a symbolic link.
"""

import os
import secrets
import stat
from pathlib import Path
from typing import BinaryIO

from consort_kit.data_folder import make_private_folder
from consort_kit.errors import AlreadyExists, InvalidInput, NotFound, TooLarge
from consort_kit.storage.disk_errors import disk_errors, disk_failed
from consort_kit.storage.durable_files import sync_folder, write_new
from consort_kit.storage.file_names import check_name

SANDBOX_FOLDERS = ("import", "midi", "export")
"""Folders in the data folder where users put files and find them."""
MAX_PATH_LENGTH = 2000
_COPIED_BYTES = 1024 * 1024


def open_sandbox(data: Path) -> "Sandbox":
    """Return the sandbox of a data folder. Make the sandbox's folders if they are missing."""
    for folder in SANDBOX_FOLDERS:
        make_private_folder(data / folder)
    return Sandbox(data, SANDBOX_FOLDERS)


class Sandbox:
    """A few folders below one root, in which files are read by relative path and written by name."""

    def __init__(self, root: Path, folders: tuple[str, ...], example: str = "song.mid") -> None:
        """Make a sandbox. `example` is the name of a file in messages."""
        self._root = root
        self._folders = folders
        self._example = example

    def read(self, path: str, max_bytes: int, field: str = "path") -> bytes:
        """Return the bytes of a file.

        A path without a folder, such as `song.mid`, is searched in each folder in order; `import/song.mid` is searched
        only in `import`. Raise FILE_NOT_FOUND, TOO_LARGE if the file has more than `max_bytes`, INVALID_NAME if a part
        of the path is not a safe name, or PATH_OUTSIDE_SANDBOX if it is not a plain file that can be opened.
        """
        with self._open(path, field) as file:
            _check_size(file, max_bytes)
            content = file.read(max_bytes + 1)
            _check_size(file, max_bytes)
            return content

    def size(self, path: str, field: str = "path") -> int:
        """Return the number of bytes of a file. Raise the same errors as `read`, except TOO_LARGE."""
        with self._open(path, field) as file:
            return os.fstat(file.fileno()).st_size

    def copy(self, path: str, target: Path, max_bytes: int, field: str = "path") -> None:
        """Copy a file to `target`, a new file, without reading it into memory.

        Raise the same errors as `read`, and ServiceDown if the disk is full.
        """
        with self._open(path, field) as file:
            _check_size(file, max_bytes)
            with disk_errors(), target.open("xb") as copied:
                while len(part := file.read(_COPIED_BYTES)):
                    copied.write(part)
                    _check_size(file, max_bytes)

    def _open(self, path: str, field: str) -> BinaryIO:
        parts = self._parts(path, field)
        tried = [parts] if parts[0] in self._folders else [[folder, *parts] for folder in self._folders]
        for candidate in tried:
            try:
                return _open_without_links(self._root, candidate)
            except FileNotFoundError:
                continue
            except OSError as error:  # a symbolic link, a folder, a pipe, or a file that we may not read
                raise self._outside(field) from error
        raise NotFound(
            f"There is no file {path!r} in {self._where()}.",
            code="FILE_NOT_FOUND",
            field=field,
            suggestions=[f"copy the file to {self._root / self._folders[0]}", "or send its bytes as base64"],
        )

    def write(self, folder: str, name: str, content: bytes, *, overwrite: bool, field: str = "name") -> str:
        """Write a file into one of the folders atomically, and return its path.

        Raise AlreadyExists if the name is taken and `overwrite` is false.
        """
        name = check_name(name, field, self._example)
        target_folder = self._root / folder
        if target_folder.is_symlink():
            raise self._outside(field)
        temporary = target_folder / f".{name}.{secrets.token_hex(8)}"
        try:
            write_new(temporary, content)
            if overwrite:
                temporary.replace(target_folder / name)  # if it is a symbolic link, the link itself is replaced
            else:
                os.link(temporary, target_folder / name)
            sync_folder(target_folder)
        except FileExistsError as error:
            raise AlreadyExists(
                f"{folder}/{name} exists already. Give another name, or overwrite: true.",
                field=field,
                suggestions=["another name", "overwrite: true to replace it"],
            ) from error
        except IsADirectoryError as error:
            raise self._outside(field) from error
        except OSError as error:
            raise disk_failed(error) from error
        finally:
            temporary.unlink(missing_ok=True)
        return f"{folder}/{name}"

    def _parts(self, path: str, field: str) -> list[str]:
        parts = path[: MAX_PATH_LENGTH + 1].split("/")
        has_forbidden = any(letter in path for letter in "\\:\0")
        if has_forbidden or len(path) > MAX_PATH_LENGTH or path.startswith("/") or ".." in parts:
            raise self._outside(field)
        return [check_name(part, field, self._example) for part in parts]

    def _where(self) -> str:
        return ", ".join(f"{folder}/" for folder in self._folders)

    def _outside(self, field: str) -> InvalidInput:
        return InvalidInput(
            f"'{field}' must be the relative path of a file in the data folder, without '..' or symbolic links. "
            f"Example: {self._folders[0]}/{self._example}.",
            code="PATH_OUTSIDE_SANDBOX",
            field=field,
            suggestions=[f"{folder}/{self._example}" for folder in self._folders],
        )


def _open_without_links(root: Path, parts: list[str]) -> BinaryIO:
    """Open a file below `root` for reading.

    The path is opened folder by folder, so that no part can be replaced by a symbolic link between check and open.
    """
    if os.name == "nt":  # Windows has no openat (untested)
        file = root.joinpath(*parts)
        if file.resolve() != root.resolve().joinpath(*parts):
            raise PermissionError("a symbolic link")
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    else:
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                os.close(folder)
                folder = deeper
            # O_NONBLOCK: opening a pipe must not wait for a writer
            handle = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise PermissionError("not a plain file")
    return os.fdopen(handle, "rb")


def _check_size(file: BinaryIO, max_bytes: int) -> None:
    """Raise TooLarge if the file has more than `max_bytes`, or if more have been read because it grew."""
    size = max(os.fstat(file.fileno()).st_size, file.tell())
    if size > max_bytes:
        raise TooLarge(f"The file has {size:,} bytes, and at most {max_bytes:,} are allowed. Send a smaller one.")
