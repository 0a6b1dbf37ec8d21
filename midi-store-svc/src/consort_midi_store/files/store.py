"""The catalogue: all SQL about files."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from psycopg import sql
from psycopg.types.json import Jsonb

from consort_kit.postgres import Connection, Database


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
    """The song or score whose own file this is."""


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
        """A new file; None if the name or the id is taken, or the song or score has a file already."""
        found = await self._database.run(
            "insert into files (id, name, blob_key, bytes, summary, made_from) values (%s, %s, %s, %s, %s, %s)"
            " on conflict do nothing returning *",
            (file_id, name, blob_key, size, Jsonb(summary), made_from),
        )
        return FileRow(**found[0]) if found else None

    @asynccontextmanager
    async def held(self, by: Literal["name", "made_from"], value: str) -> AsyncIterator["HeldFile | None"]:
        """A transaction in which nobody else can replace the file of this name, or of this song; None without one."""
        query = sql.SQL("select * from files where {} = %s").format(sql.Identifier(by))
        async with self._database.transaction() as connection:
            await connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", (value,))
            row = await (await connection.execute(query, (value,))).fetchone()
            yield HeldFile(connection, FileRow(**row)) if row else None

    async def names_beginning(self, stem: str) -> list[str]:
        """Return the names that begin with this text, ignoring case."""
        found = await self._database.run("select name from files where starts_with(lower(name), lower(%s))", (stem,))
        return [row["name"] for row in found]

    async def by_id(self, file_id: str) -> FileRow | None:
        return await self._one("select * from files where id = %s", file_id)

    async def by_name(self, name: str) -> FileRow | None:
        return await self._one("select * from files where name = %s", name)

    async def by_source(self, music_id: str) -> FileRow | None:
        """Return the own file of a song or score."""
        return await self._one("select * from files where made_from = %s", music_id)

    async def by_blob_key(self, blob_key: str) -> FileRow | None:
        return await self._one("select * from files where blob_key = %s", blob_key)

    async def _one(self, query: Any, value: str) -> FileRow | None:
        found = await self._database.run(query, (value,))
        return FileRow(**found[0]) if found else None

    async def newest(
        self, limit: int | None, before: tuple[datetime, str] | None, name_contains: str | None = None
    ) -> list[FileRow]:
        """Newest first, starting behind the given place; only names with this text in them, whatever its case."""
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
            await connection.execute("delete from files where id = %s", (file_id,))


class HeldFile:
    """A file whose bytes only this transaction may replace."""

    def __init__(self, connection: Connection, row: FileRow) -> None:
        self._connection = connection
        self.row = row

    async def replace(self, blob_key: str, size: int, summary: dict[str, Any], made_from: str | None) -> FileRow | None:
        """Point it at other bytes; None if it was deleted meanwhile."""
        cursor = await self._connection.execute(
            "update files set blob_key = %s, bytes = %s, summary = %s, made_from = %s, updated_at = clock_timestamp()"
            " where id = %s returning *",
            (blob_key, size, Jsonb(summary), made_from, self.row.id),
        )
        row = await cursor.fetchone()
        return FileRow(**row) if row else None
