"""File names and paths that users give: only relative, only inside the given folders, never through a symbolic link."""

import os
import re
import secrets
import stat
import unicodedata
from pathlib import Path

from consort_kit.errors import AlreadyExists, InvalidInput, NotFound, ServiceDown, TooLarge

MIDI_SUFFIXES = {".mid", ".midi", ".smf", ".rmi", ".kar"}
MAX_PATH_LENGTH = 2000
MAX_NAME_BYTES = 200  # leaves room for what we add; file systems allow 255
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
_FORBIDDEN = set('<>:"|?*\\/')


def check_name(name: str, field: str) -> str:
    """A file name that is safe on Linux, macOS and Windows, and shows what it is; in Unicode's composed form."""
    name = unicodedata.normalize("NFC", name)
    problem = _problem(name)
    if problem:
        raise InvalidInput(
            f"'{field}' {problem}. Example: song.mid.", code="INVALID_NAME", field=field, suggestions=["song.mid"]
        )
    return name


def _problem(name: str) -> str | None:
    if not name or name.strip() != name or name.startswith(".") or name.endswith("."):
        return "must not be empty, nor begin with a dot, nor end with one, nor begin or end with a space"
    if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return f"must not be longer than {MAX_NAME_BYTES} bytes"
    if any(unicodedata.category(letter).startswith("C") for letter in name):
        return "must not have control, invisible or direction-changing characters"
    if _FORBIDDEN & set(name):
        return 'must not have any of < > : " | ? * \\ /'
    if _RESERVED.fullmatch(name):
        return "is a name that Windows keeps for devices"
    return None


def title_from_name(name: str) -> str:
    """The name of a file without a suffix that says it is MIDI."""
    stem, dot, suffix = name.rpartition(".")
    return stem if stem and f"{dot}{suffix}".lower() in MIDI_SUFFIXES else name


def name_from_title(title: str, suffix: str) -> str:
    """A file name for a piece of music, without the characters that a name must not have."""
    kept = "".join("-" if letter in _FORBIDDEN or not letter.isprintable() else letter for letter in title)
    room = MAX_NAME_BYTES - len(suffix.encode()) - 8  # for the number of a copy
    stem = kept.encode(errors="replace")[:room].decode(errors="ignore").strip(" .")
    return f"{'-' if _RESERVED.fullmatch(stem) else ''}{stem or 'untitled'}{suffix}"


class Sandbox:
    """A few folders below one root, where files may be read by relative path and written by name."""

    def __init__(self, root: Path, folders: tuple[str, ...]) -> None:
        self._root = root
        self._folders = folders

    def read(self, path: str, max_bytes: int, field: str = "path") -> bytes:
        """The bytes of a file. `song.mid` is looked for in each folder in turn, `import/song.mid` only there."""
        parts = self._parts(path, field)
        tried = [parts] if parts[0] in self._folders else [[folder, *parts] for folder in self._folders]
        for candidate in tried:
            try:
                return _read_without_links(self._root, candidate, max_bytes)
            except FileNotFoundError:
                continue
            except OSError as error:  # a link on the way (to the system: not a folder), a folder, a pipe
                raise _outside(field, self._folders) from error
        raise NotFound(
            f"There is no file {path!r} in {self._where()}.",
            code="FILE_NOT_FOUND",
            field=field,
            suggestions=[f"copy the file to {self._root / self._folders[0]}", "or send its bytes as base64"],
        )

    def write(self, folder: str, name: str, content: bytes, *, overwrite: bool, field: str = "name") -> str:
        """Put a file into one of the folders, whole or not at all; its path. AlreadyExists unless `overwrite`."""
        name = check_name(name, field)
        place = self._root / folder
        if place.is_symlink():
            raise _outside(field, self._folders)
        mine = place / f".{name}.{secrets.token_hex(8)}"
        try:
            mine.write_bytes(content)
            if overwrite:
                mine.replace(place / name)  # replaces a link too, and never follows it
            else:
                os.link(mine, place / name)
        except FileExistsError as error:
            raise AlreadyExists(
                f"{folder}/{name} exists already. Give another name, or overwrite: true.",
                field=field,
                suggestions=["another name", "overwrite: true to replace it"],
            ) from error
        except IsADirectoryError as error:
            raise _outside(field, self._folders) from error
        except OSError as error:
            raise ServiceDown("The file could not be written. Check that the disk is not full.") from error
        finally:
            mine.unlink(missing_ok=True)
        return f"{folder}/{name}"

    def _parts(self, path: str, field: str) -> list[str]:
        parts = path[: MAX_PATH_LENGTH + 1].split("/")
        odd = any(letter in path for letter in "\\:\0")
        if odd or len(path) > MAX_PATH_LENGTH or path.startswith("/") or ".." in parts:
            raise _outside(field, self._folders)
        return [check_name(part, field) for part in parts]

    def _where(self) -> str:
        return ", ".join(f"{folder}/" for folder in self._folders)


def _outside(field: str, folders: tuple[str, ...]) -> InvalidInput:
    return InvalidInput(
        f"'{field}' must be a relative path in the data folder, without '..' and links. Example: import/song.mid.",
        code="PATH_OUTSIDE_SANDBOX",
        field=field,
        suggestions=[f"{folder}/song.mid" for folder in folders],
    )


def _read_without_links(root: Path, parts: list[str], max_bytes: int) -> bytes:
    """Open step by step, so that no part of the path can be exchanged for a link meanwhile."""
    if os.name == "nt":  # no openat there (untested)
        file = root.joinpath(*parts)
        if file.resolve() != root.resolve().joinpath(*parts):
            raise PermissionError("a link")
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
    with os.fdopen(handle, "rb") as file_object:
        content = file_object.read(max_bytes + 1)
        if len(content) > max_bytes:
            size = os.fstat(handle).st_size
            raise TooLarge(f"The file has {size:,} bytes, and at most {max_bytes:,} are allowed. Send a smaller one.")
        return content
