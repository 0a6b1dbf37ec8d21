"""Restore a backup into an empty data folder: all of it or nothing."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from consort_cli.backup.archive import (
    BLOB_FOLDERS,
    ArchiveMember,
    BackupError,
    Manifest,
    SchemaDump,
    TableDump,
    check_archive,
    open_members,
    table_member,
)
from consort_cli.backup.database_dump import AnyConnection, finish_schema, load_table, make_tables, schemas_there
from consort_cli.backup.make_backup import ReportCopied
from consort_cli.backup.open_storage import embedded_postgres, stopped_studio
from consort_cli.backup.user_files import path_of
from consort_cli.launcher.restore_marker import restore_marker
from consort_kit.data_folder import make_private_folder
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.settings import Settings
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.durable_files import move_durably, sync_folder
from consort_kit.storage.migration_files import MadeByNewer, Migration, check_is_known, migration_files
from consort_kit.storage.postgres import connect

NOT_CONTENT = {"run", "logs", "token", "lost+found", "restoring"}
"""What an empty data folder may have. A restore never touches it."""
_DATABASE_BYTES = 100 * 1024 * 1024
"""What a new embedded database needs, in addition to the rows."""
_CONNECT_S = 30.0
_CHUNK = 1024 * 1024


async def restore_backup(archive: Path, data: Path, report: ReportCopied) -> Manifest:
    """Restore an archive. Raise BackupError, before anything is written, if it or the place cannot be used."""
    manifest = check_archive(archive)
    migrations = {schema: _known_migrations(schema, dump) for schema, dump in manifest.schemas.items()}
    make_private_folder(data)
    with stopped_studio(data):
        given = os.environ.get("CONSORT_DATABASE_URL")
        was_cut_off = restore_marker(data).exists()
        if was_cut_off:
            _delete_content(data)
        blobs = Blobs(Settings(data=data))
        await _check_empty(data, blobs, was_cut_off=was_cut_off)
        _check_room(data, manifest)
        restore = _Restore(archive, data, manifest, migrations, blobs, report)
        if given:  # before the marker is written
            async with await connect(given, _CONNECT_S) as connection:
                await _check_no_schemas(connection)
        restore_marker(data).touch()
        sync_folder(data)
        try:
            with _given_or_embedded(given, data) as url:
                async with await connect(url, _CONNECT_S) as connection, connection.transaction():
                    await restore.run(connection)
        except BaseException:
            await restore.undo()
            _delete_content(data)
            restore_marker(data).unlink(missing_ok=True)
            raise
        restore_marker(data).unlink()
        sync_folder(data)
    return manifest


def _known_migrations(schema: str, dump: SchemaDump) -> list[Migration]:
    """Return the migrations of this Consort that the archive's tables need. Raise BackupError if they differ."""
    known = migration_files(DATABASE_SCHEMAS[schema]) if schema in DATABASE_SCHEMAS else []
    try:
        check_is_known(f"The backup (schema {schema})", (each.number for each in dump.migrations), known)
    except MadeByNewer as error:
        raise BackupError(str(error)) from error
    ours = [(each.number, each.name, each.sha256) for each in known[: len(dump.migrations)]]
    if [(each.number, each.name, each.sha256) for each in dump.migrations] != ours:
        raise BackupError(f"The tables of {schema} in the backup were made by a Consort that this one does not know.")
    return known[: len(dump.migrations)]


@contextmanager
def _given_or_embedded(given: str | None, data: Path) -> Iterator[str]:
    if given:
        yield given
    else:
        with embedded_postgres(data) as url:
            yield url


async def _check_empty(data: Path, blobs: Blobs, *, was_cut_off: bool) -> None:
    """Raise BackupError if the data folder has content, or the place of the blobs, if that is elsewhere."""
    content = sorted(path.name for path in data.iterdir() if path.name not in NOT_CONTENT and not _is_empty(path))
    if content:
        raise BackupError(
            f"{data} is not empty: it has {', '.join(content[:5])}. Restore into a new folder: "
            "./consort restore FILE --data NEW_FOLDER."
        )
    if was_cut_off:  # what is there may come from the restore that was cut off, and is replaced
        return
    for folder in BLOB_FOLDERS:
        if await blobs.keys(f"{folder}/"):
            raise BackupError("CONSORT_BLOB_URL names a place with files of a studio. Use an empty prefix or folder.")


def _is_empty(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not any(path.iterdir())


async def _check_no_schemas(connection: AnyConnection) -> None:
    if found := await schemas_there(connection, list(DATABASE_SCHEMAS)):
        raise BackupError(
            f"The database in CONSORT_DATABASE_URL is not empty: it has the schemas {', '.join(found)} of a studio. "
            "Use an empty database."
        )


def _check_room(data: Path, manifest: Manifest) -> None:
    needed = sum(member.bytes for member in manifest.members.values()) + _DATABASE_BYTES
    free = shutil.disk_usage(data).free
    if needed > free:
        raise BackupError(f"{data} has room for {free >> 20:,} MB, and the backup needs {needed >> 20:,} MB.")


def _delete_content(data: Path) -> None:
    """Delete what a restore wrote into the data folder."""
    for path in data.iterdir():
        if path.name in NOT_CONTENT:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


class _Checked:
    """Reads a member once more and checks that it is still as it was."""

    def __init__(self, name: str, file: IO[bytes], member: ArchiveMember) -> None:
        self._name = name
        self._file = file
        self._member = member
        self._sha256 = hashlib.sha256()

    def read(self, size: int, /) -> bytes:
        part = self._file.read(size)
        self._sha256.update(part)
        if not part and self._sha256.hexdigest() != self._member.sha256:
            raise BackupError(f"{self._name} has changed while it was restored. Nothing was restored.")
        return part


class _Restore:
    def __init__(
        self,
        archive: Path,
        data: Path,
        manifest: Manifest,
        migrations: dict[str, list[Migration]],
        blobs: Blobs,
        report: ReportCopied,
    ) -> None:
        self._archive = archive
        self._data = data
        self._manifest = manifest
        self._migrations = migrations
        self._blobs = blobs
        self._report = report
        self._written: list[str] = []
        self._temporary = data / ".restored-file"

    async def run(self, connection: AnyConnection) -> None:
        """Write everything, in the transaction of the connection."""
        await _check_no_schemas(connection)
        manifest = self._manifest
        tables: dict[str, tuple[str, TableDump]] = {}
        for schema, dump in manifest.schemas.items():
            await make_tables(connection, schema, self._migrations[schema], dump)
            tables |= {table_member(schema, table.name): (schema, table) for table in dump.tables}
        unused, count = set(manifest.unused), len(manifest.members)
        with open_members(self._archive) as members:
            for number, (info, file) in enumerate(members, 1):
                if info.name in unused or info.name not in manifest.members:
                    continue
                self._report("parts of the backup", count, number)
                content = _Checked(info.name, file, manifest.members[info.name])
                if info.name in tables:
                    await load_table(connection, *tables[info.name], content)
                else:
                    await self._write_file(info.name, content, info.mtime)
        for schema, dump in manifest.schemas.items():
            await finish_schema(connection, schema, dump)

    async def _write_file(self, name: str, content: _Checked, mtime: float) -> None:
        with self._temporary.open("wb") as file:
            while part := content.read(_CHUNK):
                file.write(part)
        if name.startswith("blobs/"):
            key = name.removeprefix("blobs/")
            self._written.append(key)
            await self._blobs.put_file(key, self._temporary)
        elif name.startswith("files/"):
            os.utime(self._temporary, (mtime, mtime))
            move_durably(self._temporary, path_of(self._data, name))

    async def undo(self) -> None:
        """Delete the blobs that were written."""
        for key in self._written:
            await self._blobs.delete(key)
