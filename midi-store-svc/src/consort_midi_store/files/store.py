"""All SQL: the `files` table, the catalogue of stored MIDI files, and the `versions` that were overwritten."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from psycopg import sql
from psycopg.types.json import Jsonb

from consort_kit.storage.postgres import Connection, Database


@dataclass(frozen=True)
class FileRow:
    id: str
    name: str
    blob_key: str
    bytes: int
    summary: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    made_from: str | None
    """The id of the song or score that this file was made from. A tool that uses the song or score updates the file."""


@dataclass(frozen=True)
class FileVersionRow:
    owner: str
    number: int
    blob_key: str
    bytes: int
    replaced_at: datetime


class FileStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        file_id: str,
        name: str,
        blob_key: str,
        size: int,
        summary: dict[str, Any],
        made_from: str | None = None,
    ) -> FileRow | None:
        """Add a file and return its row.

        Return None if the name or the id is taken, or if the song or score already has a file.
        """
        found = await self._database.run(
            "insert into files (id, name, blob_key, bytes, summary, made_from) values (%s, %s, %s, %s, %s, %s)"
            " on conflict do nothing returning *",
            (file_id, name, blob_key, size, Jsonb(summary), made_from),
        )
        return FileRow(**found[0]) if found else None

    @asynccontextmanager
    async def locked(self, by: Literal["name", "made_from"], value: str) -> AsyncIterator["LockedFile | None"]:
        """Lock the file with this name or source until the transaction ends, so that no other transaction replaces it.

        Yield None if there is no such file.
        """
        query = sql.SQL("select * from files where {} = %s").format(sql.Identifier(by))
        async with self._database.transaction() as connection:
            await _lock(connection, value)
            row = await (await connection.execute(query, (value,))).fetchone()
            if row:
                await _lock(connection, row["id"])
            yield LockedFile(connection, FileRow(**row)) if row else None

    @asynccontextmanager
    async def locked_owner(self, owner: str) -> AsyncIterator["LockedOwner"]:
        """Lock an owner of versions until the transaction ends: a file, by its id, or all of export/."""
        async with self._database.transaction() as connection:
            await _lock(connection, owner.partition("/")[0])
            yield LockedOwner(connection, owner)

    async def versions(self, owner: str) -> list[FileVersionRow]:
        """Return the versions that are kept, newest first."""
        rows = await self._database.run("select * from versions where owner = %s order by number desc", (owner,))
        return [FileVersionRow(**row) for row in rows]

    async def delete_versions(self, most: int, before: datetime) -> None:
        """Delete all but the last `most` versions of each owner, and those replaced before a time."""
        async with self._database.transaction() as connection:
            await connection.execute(
                "delete from versions where replaced_at < %s or (owner, number) in (select owner, number from"
                " (select owner, number, row_number() over (partition by owner order by number desc) as place"
                " from versions) as placed where place > %s)",
                (before, most),
            )

    async def unused(self, blob_keys: Sequence[str]) -> list[str]:
        """Return the keys to which no file and no version refers."""
        rows = await self._database.run(
            "select key from unnest(%s::text[]) as key where not exists (select from files where blob_key = key)"
            " and not exists (select from versions where blob_key = key)",
            (list(blob_keys),),
        )
        return [row["key"] for row in rows]

    async def names_beginning(self, stem: str) -> list[str]:
        """Return the file names that begin with `stem`, ignoring case."""
        found = await self._database.run("select name from files where starts_with(lower(name), lower(%s))", (stem,))
        return [row["name"] for row in found]

    async def by_id(self, file_id: str) -> FileRow | None:
        return await self._one("select * from files where id = %s", file_id)

    async def by_name(self, name: str) -> FileRow | None:
        return await self._one("select * from files where name = %s", name)

    async def by_source(self, music_id: str) -> FileRow | None:
        """Return the file that was made from this song or score, or None."""
        return await self._one("select * from files where made_from = %s", music_id)

    async def by_blob_key(self, blob_key: str) -> FileRow | None:
        return await self._one("select * from files where blob_key = %s", blob_key)

    async def _one(self, query: Any, value: str) -> FileRow | None:
        found = await self._database.run(query, (value,))
        return FileRow(**found[0]) if found else None

    async def newest(
        self, limit: int | None, before: tuple[datetime, str] | None, name_contains: str | None = None
    ) -> list[FileRow]:
        """Return files, newest first, that are older than `before` and whose names contain `name_contains`.

        The case of letters is ignored. `before` is the creation time and id of the last file on the previous page. With
        `limit=None`, all files are returned.
        """
        conditions, values = [sql.SQL("true")], list[Any]()
        if before is not None:
            conditions.append(sql.SQL("(created_at, id) < (%s, %s)"))
            values += before
        if name_contains is not None:
            conditions.append(sql.SQL("position(lower(%s) in lower(name)) > 0"))
            values.append(name_contains)
        query = sql.SQL("select * from files where {} order by created_at desc, id desc limit %s").format(
            sql.SQL(" and ").join(conditions)
        )
        return [FileRow(**row) for row in await self._database.run(query, (*values, limit))]

    async def delete(self, file_id: str) -> None:
        async with self._database.transaction() as connection:
            await connection.execute("delete from versions where owner = %s", (file_id,))
            await connection.execute("delete from files where id = %s", (file_id,))


async def _lock(connection: Connection, value: str) -> None:
    await connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", (value,))


class LockedOwner:
    """An owner of versions, to which only this transaction can add one."""

    def __init__(self, connection: Connection, owner: str) -> None:
        self._connection = connection
        self._owner = owner

    async def keep(self, blob_key: str, size: int) -> int:
        """Keep bytes that are about to be replaced, and return the number of this version."""
        cursor = await self._connection.execute(
            "insert into versions (owner, number, blob_key, bytes) select %s, coalesce(max(number), 0) + 1, %s, %s"
            " from versions where owner = %s returning number",
            (self._owner, blob_key, size, self._owner),
        )
        row = await cursor.fetchone()
        assert row is not None
        number: int = row["number"]
        return number


class LockedFile(LockedOwner):
    """A file that only this transaction can replace."""

    def __init__(self, connection: Connection, row: FileRow) -> None:
        super().__init__(connection, row.id)
        self.row = row

    async def replace(self, blob_key: str, size: int, summary: dict[str, Any], made_from: str | None) -> FileRow | None:
        """Make the row refer to a new blob, and return it. Return None if the file has been deleted in the meantime."""
        cursor = await self._connection.execute(
            "update files set blob_key = %s, bytes = %s, summary = %s, made_from = %s, updated_at = clock_timestamp()"
            " where id = %s returning *",
            (blob_key, size, Jsonb(summary), made_from, self.row.id),
        )
        row = await cursor.fetchone()
        return FileRow(**row) if row else None
