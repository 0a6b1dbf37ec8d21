"""The catalogue: all SQL about files."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

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


class FileStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def name_held(self, name: str) -> AsyncIterator["HeldName"]:
        """A transaction in which nobody else can store under this name."""
        async with self._database.transaction() as connection:
            await connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))
            yield HeldName(connection, name)

    async def by_id(self, file_id: str) -> FileRow | None:
        return await self._one("select * from files where id = %s", file_id)

    async def by_name(self, name: str) -> FileRow | None:
        return await self._one("select * from files where name = %s", name)

    async def by_blob_key(self, blob_key: str) -> FileRow | None:
        return await self._one("select * from files where blob_key = %s", blob_key)

    async def _one(self, query: Any, value: str) -> FileRow | None:
        async with self._database.transaction() as connection:
            row = await (await connection.execute(query, (value,))).fetchone()
        return FileRow(**row) if row else None

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
        async with self._database.transaction() as connection:
            rows = await (await connection.execute(query, (*values, limit))).fetchall()
        return [FileRow(**row) for row in rows]

    async def delete(self, file_id: str) -> None:
        async with self._database.transaction() as connection:
            await connection.execute("delete from files where id = %s", (file_id,))


class HeldName:
    """A name that only this transaction may change."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name

    async def current(self) -> FileRow | None:
        row = await (await self._connection.execute("select * from files where name = %s", (self._name,))).fetchone()
        return FileRow(**row) if row else None

    async def save(self, file_id: str, blob_key: str, size: int, summary: dict[str, Any]) -> FileRow | None:
        """Add the file, or replace what has this name; None if another name has this id."""
        cursor = await self._connection.execute(
            "insert into files (id, name, blob_key, bytes, summary) values (%s, %s, %s, %s, %s)"
            " on conflict (id) do update set blob_key = excluded.blob_key, bytes = excluded.bytes,"
            " summary = excluded.summary, updated_at = clock_timestamp() where files.name = excluded.name"
            " returning *",
            (file_id, self._name, blob_key, size, Jsonb(summary)),
        )
        row = await cursor.fetchone()
        return FileRow(**row) if row else None
