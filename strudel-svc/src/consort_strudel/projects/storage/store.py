"""The statements that read and change one project.

A version is a row that never changes. A new version is written only if the project still has the version that the
script was made from (compare and swap), so no change is ever lost: the caller applies its patch again to the newer
script. The row of the project is locked only for that moment, not while a script is validated.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Any

from psycopg import sql
from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from consort_kit.storage.postgres import Connection, Database
from consort_strudel.projects.models.projects import ListProjects
from consort_strudel.projects.storage.columns import COLUMNS, CURRENT, RESTORABLE, RESTORABLE_DAYS, WITH_VERSION
from consort_strudel.projects.storage.rows import NewVersion, ProjectPage, ProjectRow, VersionRow
from consort_strudel.projects.storage.search import search

_NEWEST = 2**31 - 1


class NameTaken(Exception):
    """Raised if another project has this name."""


class ProjectStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        project_id: str,
        name: str,
        name_key: str,
        values: Mapping[str, Any],
        first: NewVersion,
    ) -> None:
        """Store a new project as version 1. `values` are other columns. Raise NameTaken."""
        columns = {"id": project_id, "name": name, "name_key": name_key, **values}
        statement = sql.SQL("insert into projects ({}) values ({})").format(
            sql.SQL(", ").join(map(sql.Identifier, columns)), sql.SQL(", ").join([sql.Placeholder()] * len(columns))
        )
        async with self._database.transaction() as connection:
            with _unique_name():
                await connection.execute(statement, [_value(value) for value in columns.values()])
            await _insert_version(connection, project_id, 1, first)

    async def find(self, name_key: str, version: int | None = None) -> ProjectRow | None:
        """Return a project with a script: the current one, or that of `version`. None if there is none."""
        query = sql.SQL("select {}, v.script from {}{} where name_key = %s and deleted_at is null").format(
            COLUMNS, WITH_VERSION, CURRENT if version is None else sql.Literal(version)
        )
        rows = await self._database.run(query, (name_key,))
        return ProjectRow(**rows[0]) if rows else None

    async def find_by_id(self, project_id: str) -> ProjectRow | None:
        """Return a project that is not deleted, with its current script."""
        query = sql.SQL("select {}, v.script from {}{} where projects.id = %s and deleted_at is null").format(
            COLUMNS, WITH_VERSION, CURRENT
        )
        rows = await self._database.run(query, (project_id,))
        return ProjectRow(**rows[0]) if rows else None

    async def find_deleted(self, name_key: str) -> ProjectRow | None:
        """Return the project of this name that was deleted last and can be restored."""
        query = sql.SQL(
            "select {}, v.script from {}{} where name_key = %s and {} order by deleted_at desc limit 1"
        ).format(COLUMNS, WITH_VERSION, CURRENT, RESTORABLE)
        rows = await self._database.run(query, (name_key,))
        return ProjectRow(**rows[0]) if rows else None

    async def describe(self, name_key: str) -> ProjectRow | None:
        """Return a project without its script."""
        query = sql.SQL("select {} from {}{} where name_key = %s and deleted_at is null").format(
            COLUMNS, WITH_VERSION, CURRENT
        )
        rows = await self._database.run(query, (name_key,))
        return ProjectRow(**rows[0]) if rows else None

    async def names_like(self, name: str, count: int) -> list[str]:
        """Return names of projects for a suggestion: those that contain the text or are contained in it, then the
        newest.
        """
        rows = await self._database.run(
            "select name from projects where deleted_at is null order by"
            " (position(%s in name_key) > 0 or position(name_key in %s) > 0) desc, modified_at desc limit %s",
            (name, name, count),
        )
        return [row["name"] for row in rows]

    async def add_version(self, project_id: str, made_from: int, new: NewVersion) -> bool:
        """Store a version if the project still has the version that it was made from. Return whether it has."""
        async with self._database.transaction() as connection:
            cursor = await connection.execute(
                "update projects set version = version + 1, modified_at = clock_timestamp()"
                " where id = %s and version = %s and deleted_at is null",
                (project_id, made_from),
            )
            if cursor.rowcount:
                await _insert_version(connection, project_id, made_from + 1, new)
            return bool(cursor.rowcount)

    async def undelete(self, row: ProjectRow, name: str, name_key: str, new: NewVersion | None) -> bool:
        """Bring a deleted project back under this name, with a new version if one is given. Raise NameTaken.

        Return False if another client restored it meanwhile.
        """
        async with self._database.transaction() as connection:
            with _unique_name():
                cursor = await connection.execute(
                    "update projects set deleted_at = null, name = %s, name_key = %s, version = version + %s,"
                    " modified_at = clock_timestamp() where id = %s and version = %s and deleted_at is not null",
                    (name, name_key, int(new is not None), row.id, row.version),
                )
            if cursor.rowcount and new is not None:
                await _insert_version(connection, row.id, row.version + 1, new)
            return bool(cursor.rowcount)

    @asynccontextmanager
    async def locked(self, name_key: str) -> AsyncIterator["LockedProject | None"]:
        """Lock a project for a change of its metadata; yield None if there is none."""
        async with self._database.transaction() as connection:
            await connection.execute(
                "select from projects where name_key = %s and deleted_at is null for update", (name_key,)
            )
            query = sql.SQL("select {} from {}{} where name_key = %s and deleted_at is null").format(
                COLUMNS, WITH_VERSION, CURRENT
            )
            row = await (await connection.execute(query, (name_key,))).fetchone()
            yield LockedProject(connection, ProjectRow(**row)) if row else None

    async def versions(self, project_id: str, before: int | None, limit: int) -> list[VersionRow]:
        """Return up to `limit` versions, newest first, older than `before`."""
        rows = await self._database.run(
            "select version, script, line_count, action, summary, reason, restored_from, cpm, detected_key, packs_used,"
            " script_beats, created_at from project_versions where project_id = %s and version < %s"
            " order by version desc limit %s",
            (project_id, before or _NEWEST, limit),
        )
        return [VersionRow(**row) for row in rows]

    async def version(self, project_id: str, number: int) -> VersionRow | None:
        found = await self.versions(project_id, min(number + 1, _NEWEST), 1)
        return found[0] if found and found[0].version == number else None

    async def search(self, request: ListProjects) -> ProjectPage:
        """Return a page of projects. Raise INVALID_PATTERN or PATTERN_TOO_SLOW."""
        return await search(self._database, request)

    async def delete_expired(self) -> None:
        """Delete the projects that were deleted more than 30 days ago."""
        async with self._database.transaction() as connection:
            await connection.execute(
                sql.SQL("delete from projects where deleted_at is not null and not {}").format(RESTORABLE)
            )


class LockedProject:
    """A project whose row is locked by this transaction."""

    def __init__(self, connection: Connection, row: ProjectRow) -> None:
        self._connection = connection
        self.row = row

    async def change(self, values: Mapping[str, Any]) -> None:
        """Set columns. Raise NameTaken."""
        statement = sql.SQL("update projects set {}, modified_at = clock_timestamp() where id = %s").format(
            sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(column)) for column in values)
        )
        with _unique_name():
            await self._connection.execute(statement, [*(_value(value) for value in values.values()), self.row.id])

    async def delete(self) -> datetime:
        """Mark the project as deleted. Return the time until which it can be restored."""
        cursor = await self._connection.execute(
            "update projects set deleted_at = clock_timestamp() where id = %s"
            " returning deleted_at + make_interval(days => %s) as until",
            (self.row.id, RESTORABLE_DAYS),
        )
        row = await cursor.fetchone()
        assert row is not None
        until: datetime = row["until"]
        return until


async def _insert_version(connection: Connection, project_id: str, number: int, new: NewVersion) -> None:
    await connection.execute(
        "insert into project_versions (project_id, version, script, line_count, action, summary, reason, restored_from,"
        " cpm, detected_key, packs_used, script_beats) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (
            *(project_id, number, new.script, new.line_count, new.action, new.summary, new.reason, new.restored_from),
            *(new.detected.cpm, new.detected.key, list(new.detected.packs), new.detected.beats),
        ),
    )


def _value(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value


@contextmanager
def _unique_name() -> Iterator[None]:
    """Raise NameTaken if the name of a project is already in use."""
    try:
        yield
    except UniqueViolation as error:
        raise NameTaken from error
