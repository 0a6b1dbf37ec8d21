"""The format of a backup: a tar file with gzip. `manifest.json` is its last member and lists all others with checksums.

    blobs/KEY                     bytes of a stored file (midi/ID/SHA256.mid, audio/…, notation/…)
    files/PATH                    a file of the user in the data folder (import/, export/, sounds/ …)
    database/SCHEMA/TABLE.copy    the rows of a table, as text of COPY
    manifest.json                 a `Manifest`

Format 1. A reader rejects higher numbers. A file without its manifest is cut off.
"""

import gzip
import hashlib
import io
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Literal, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from consort_cli.launcher.errors import LauncherError

MANIFEST = "manifest.json"
BLOB_FOLDERS = ("midi", "audio", "notation")
USER_FOLDERS = ("import", "export", "midi", "soundfonts", "sounds")
USER_FILES = ("demo.json",)
_LEVEL = 4
_MAX_MANIFEST_BYTES = 512 * 1024 * 1024
_CHUNK = 1024 * 1024


class BackupError(LauncherError):
    """A backup or restore that is not possible. The message says why and what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ArchiveMember(_Strict):
    bytes: int
    sha256: str


class AppliedMigration(_Strict):
    number: int
    name: str
    sha256: str


class TableDump(_Strict):
    name: str
    columns: list[str]
    rows: int


class SchemaDump(_Strict):
    migrations: list[AppliedMigration]
    tables: list[TableDump]
    """In an order in which they can be filled: a table after those that it refers to."""
    sequences: dict[str, int]
    """The last number that each sequence gave."""


class Manifest(_Strict):
    format: Literal[1]
    consort: str
    made_at: str
    postgres: str
    schemas: dict[str, SchemaDump]
    members: dict[str, ArchiveMember]
    unused: list[str]
    """Members that must not be restored: they were deleted, or changed, while the backup was made."""
    missing: list[str]
    """Keys of blobs that a row refers to, and that did not exist."""

    def summary(self) -> str:
        """Say how much there is to restore."""
        rows = sum(table.rows for dump in self.schemas.values() for table in dump.tables)
        return f"{len(self.members) - len(self.unused):,} files and tables, {rows:,} rows"


class _HashingFile:
    """Reads exactly `size` bytes of a file and computes their checksum. Zeros replace what a shrunken file lacks."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size
        self._sha256 = hashlib.sha256()
        self.is_short = False

    def read(self, size: int) -> bytes:
        part = self._file.read(min(size, self._left))
        if not part and self._left:
            self.is_short = True
            part = bytes(min(size, self._left))
        self._left -= len(part)
        self._sha256.update(part)
        return part

    @property
    def sha256(self) -> str:
        return self._sha256.hexdigest()


class ArchiveWriter:
    """Writes an archive. It appears under its name only when `finish` has been called."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._part = target.with_name(f".{target.name}.part")
        handle = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(handle, "wb")
        self._gzip = gzip.GzipFile("", "wb", _LEVEL, self._file)
        self._tar = tarfile.TarFile(fileobj=self._gzip, mode="w", format=tarfile.PAX_FORMAT)
        self.members: dict[str, ArchiveMember] = {}
        self.unused: list[str] = []

    def add(self, name: str, path: Path) -> int:
        """Add a file and return its size. Raise FileNotFoundError if it does not exist."""
        with path.open("rb") as file:
            state = os.fstat(file.fileno())
            source = _HashingFile(file, state.st_size)
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode = state.st_size, int(state.st_mtime), 0o600
            self._tar.addfile(info, cast(IO[bytes], source))
        self.members[name] = ArchiveMember(bytes=info.size, sha256=source.sha256)
        if source.is_short:
            self.unused.append(name)
        return info.size

    def finish(self, manifest: Manifest) -> int:
        """Add the manifest, give the file its name, and return its size."""
        text = manifest.model_dump_json(indent=1).encode()
        info = tarfile.TarInfo(MANIFEST)
        info.size, info.mode = len(text), 0o600
        self._tar.addfile(info, io.BytesIO(text))
        self._tar.close()
        self._gzip.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._part.replace(self._target)
        return self._target.stat().st_size

    def discard(self) -> None:
        """Delete what was written, unless `finish` has been called."""
        self._file.close()
        self._part.unlink(missing_ok=True)


def check_archive(path: Path) -> Manifest:
    """Read all of an archive and return its manifest. Raise BackupError if anything of it is not as it was written."""
    found: dict[str, ArchiveMember] = {}
    text: bytes | None = None
    with open_members(path) as members:
        for info, file in members:
            if text is not None:
                raise BackupError(f"{path} has something after its manifest, so it is not a backup of Consort.")
            if info.name == MANIFEST:
                if info.size > _MAX_MANIFEST_BYTES:
                    raise BackupError(f"The manifest of {path} is too large, so it is not a backup of Consort.")
                text = file.read()
                continue
            if info.name in found:
                raise BackupError(f"{path} has two members {info.name!r}, so it is not a backup of Consort.")
            found[info.name] = ArchiveMember(bytes=info.size, sha256=_sha256_of(file))
    if text is None:
        raise BackupError(f"{path} has no manifest: it is cut off, or not a backup of Consort. Nothing was restored.")
    manifest = _read_manifest(path, text)
    for name in sorted(found.keys() | manifest.members.keys()):
        if found.get(name) != manifest.members.get(name):
            raise BackupError(f"{path} is damaged: {name} is not as the manifest says. Nothing was restored.")
    for schema, dump in manifest.schemas.items():
        for table in dump.tables:
            if table_member(schema, table.name) not in found:
                raise BackupError(f"{path} is damaged: the rows of {schema}.{table.name} are missing.")
    return manifest


def table_member(schema: str, table: str) -> str:
    return f"database/{schema}/{table}.copy"


@contextmanager
def open_members(path: Path) -> Iterator[Iterator[tuple[tarfile.TarInfo, IO[bytes]]]]:
    """Yield pairs of a member and its content, in order. Raise BackupError if the archive cannot be read."""
    try:
        with tarfile.open(path, "r|gz", encoding="utf-8") as tar:
            yield _safe_members(path, tar)
    except FileNotFoundError as error:
        raise BackupError(f"There is no file {path}. Give a file that `consort backup` wrote.") from error
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise BackupError(
            f"{path} is cut off or damaged, or is not a backup of Consort. Nothing was restored."
        ) from error


def _safe_members(path: Path, tar: tarfile.TarFile) -> Iterator[tuple[tarfile.TarInfo, IO[bytes]]]:
    for info in tar:
        file = tar.extractfile(info) if info.isreg() else None
        if file is None or not (info.name == MANIFEST or is_safe_member(info.name)):
            raise BackupError(f"{path} has a member {info.name[:200]!r}, so it is not a backup of Consort.")
        yield info, file


def is_safe_member(name: str) -> bool:
    """Return whether a name is a plain path of something that a backup has.

    A backup may come from somebody else. It must not bring a token or settings of Postgres, which can run programs.
    """
    parts = name.split("/")
    plain = all(part not in ("", ".", "..") and "\\" not in part and "\0" not in part for part in parts)
    drive = any(PurePosixPath(part).name != part or part[1:2] == ":" for part in parts)
    return plain and not drive and _is_ours(parts) and is_utf8(name)


def _is_ours(parts: list[str]) -> bool:
    match parts:
        case ["blobs", folder, _, *_]:
            return folder in BLOB_FOLDERS
        case ["files", folder, _, *_]:
            return folder in USER_FOLDERS
        case ["files", file]:
            return file in USER_FILES
        case ["database", _, _]:
            return True
    return False


def is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _read_manifest(path: Path, text: bytes) -> Manifest:
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        raise BackupError(
            f"The manifest of {path} cannot be read. It may be of a newer Consort: install the newest one. "
            f"({error.errors()[0]['msg']})"
        ) from error


def _sha256_of(file: IO[bytes]) -> str:
    checksum = hashlib.sha256()
    while part := file.read(_CHUNK):
        checksum.update(part)
    return checksum.hexdigest()
