"""Make a backup of a studio that may be in use. See the docstring of the package for why it is consistent."""

import tempfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from consort_cli.backup.archive import ArchiveWriter, BackupError, Manifest, SchemaDump, table_member
from consort_cli.backup.database_dump import AnyConnection, begin_snapshot, blob_keys, dump_schema, schemas_there
from consort_cli.backup.open_storage import database_url
from consort_cli.backup.user_files import user_files
from consort_kit import API_VERSION
from consort_kit.errors import NotFound
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.settings import Settings
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.migration_files import MadeByNewer, blob_keys_queries
from consort_kit.storage.migrations import check_database
from consort_kit.storage.postgres import connect

_SNAPSHOTS = 10
"""How many snapshots are taken at most. Each but the first copies only what is new."""
_CONNECT_S = 10.0

ReportCopied = Callable[[str, int, int], None]
"""Called with what is being copied, how many there are, and how many are done."""


async def make_backup(data: Path, target: Path, report: ReportCopied) -> Manifest:
    """Write a backup of a data folder, and of its database and blobs wherever they are, to a new file."""
    with database_url(data) as url:
        async with await connect(url, _CONNECT_S) as connection:
            try:
                await check_database(connection)
            except MadeByNewer as error:
                raise BackupError(str(error)) from error
            with tempfile.TemporaryDirectory(dir=target.parent, prefix=".consort-backup-") as folder:
                return await _Backup(connection, Blobs(Settings(data=data)), Path(folder), report).write(data, target)


class _Backup:
    def __init__(self, connection: AnyConnection, blobs: Blobs, folder: Path, report: ReportCopied) -> None:
        self._connection = connection
        self._blobs = blobs
        self._folder = folder
        self._report = report
        self._copied: dict[str, list[str]] = {}
        """The keys that were copied for a key, which may mean all blobs below it."""

    async def write(self, data: Path, target: Path) -> Manifest:
        writer = ArchiveWriter(target)
        try:
            await self._copy(writer, (await self._snapshot(with_tables=False))[1])
            schemas, lost = await self._consistent(writer)
            kept = {f"blobs/{key}" for keys in self._copied.values() for key in keys}
            writer.unused += sorted(writer.members.keys() - kept - set(writer.unused))
            files = list(user_files(data))
            for number, (name, path) in enumerate(files, 1):
                self._report("user files", len(files), number)
                try:
                    writer.add(name, path)
                except (FileNotFoundError, PermissionError):  # deleted meanwhile, or not for us
                    continue
            for schema, dump in schemas.items():
                for table in dump.tables:
                    name = table_member(schema, table.name)
                    writer.add(name, self._folder / name)
            manifest = Manifest(
                format=1,
                consort=API_VERSION,
                made_at=datetime.now(UTC).isoformat(timespec="seconds"),
                postgres=str(self._connection.info.server_version // 10000),
                schemas=schemas,
                members=writer.members,
                unused=writer.unused,
                missing=sorted(lost),
            )
            writer.finish(manifest)
            return manifest
        except BaseException:
            writer.discard()
            raise

    async def _consistent(self, writer: ArchiveWriter) -> tuple[dict[str, SchemaDump], set[str]]:
        """Return the tables of a snapshot whose blobs have all been copied, and the keys of blobs that are lost."""
        missing: set[str] = set()
        lost: set[str] = set()
        for _ in range(_SNAPSHOTS):
            schemas, keys = await self._snapshot(with_tables=True)
            self._copied = {key: copied for key, copied in self._copied.items() if key in keys}
            missing_now = await self._copy(writer, keys - lost)
            lost |= missing & missing_now  # a later row still refers to it, so the file was not deleted
            missing = missing_now - lost
            if not missing:
                return schemas, lost
        raise BackupError("Files are being deleted faster than they can be copied. Try again at a quieter time.")

    async def _snapshot(self, *, with_tables: bool) -> tuple[dict[str, SchemaDump], set[str]]:
        """Copy the tables to files, and return what they are and the keys of all blobs that they refer to."""
        schemas: dict[str, SchemaDump] = {}
        keys: set[str] = set()
        await begin_snapshot(self._connection)
        there = await schemas_there(self._connection, list(DATABASE_SCHEMAS))
        for number, schema in enumerate(there, 1):
            if with_tables:
                self._report("schemas of the database", len(there), number)
                schemas[schema] = await dump_schema(self._connection, schema, self._folder)
            queries = blob_keys_queries(DATABASE_SCHEMAS[schema])
            keys.update(await blob_keys(self._connection, schema, queries))
        await self._connection.execute("rollback")
        return schemas, keys

    async def _copy(self, writer: ArchiveWriter, keys: Iterable[str]) -> set[str]:
        """Copy blobs that have not been copied. Return the keys of those that do not exist."""
        missing = set()
        new = sorted(set(keys) - self._copied.keys())
        for number, key in enumerate(new, 1):
            self._report("stored files", len(new), number)
            try:
                each = await self._blobs.keys(key) if key.endswith("/") else [key]
                if not each:
                    raise NotFound(key)
                for one in each:
                    await self._copy_blob(writer, one)
                self._copied[key] = each
            except (NotFound, FileNotFoundError):
                missing.add(key)
        return missing

    async def _copy_blob(self, writer: ArchiveWriter, key: str) -> None:
        name = f"blobs/{key}"
        if name in writer.members:
            return
        local = self._blobs.local_path(key)
        if local is not None:
            writer.add(name, local)
            return
        fetched = self._folder / "blob"
        fetched.unlink(missing_ok=True)
        await self._blobs.get_file(key, fetched)
        writer.add(name, fetched)
