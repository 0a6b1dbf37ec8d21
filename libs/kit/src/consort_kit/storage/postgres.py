"""Use Postgres in a service: a connection pool for the service's schema, and numbered migrations.

If Postgres is down, calls raise ServiceDown.
"""

import asyncio
import hashlib
import logging
import re
import select
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from importlib.resources import files
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from consort_kit.errors import ServiceDown
from consort_kit.settings import Settings

START_WAIT_S = 60.0
"""How long the start of a service waits for Postgres, in seconds."""
POOL_WAIT_S = 4.0
"""How long a call waits for a connection, in seconds: longer than a restart of Postgres takes."""
Connection = psycopg.AsyncConnection[DictRow]

_TEMPORARY = ("starting up", "shutting down", "recovery mode", "too many clients", "connection slots")
"""An error of Postgres with one of these texts is temporary: connecting again will soon work."""

_log = logging.getLogger("consort")


class DatabaseUnavailable(RuntimeError):
    """Raised at the start of a service if there is no Postgres at the address, or it rejects the connection."""


class Database:
    """The connections of one service. Tables are found in the service's schema, so statements need not name it."""

    def __init__(self, pool: AsyncConnectionPool[Connection]) -> None:
        self._pool = pool

    @property
    def pool(self) -> AsyncConnectionPool[Connection]:
        """The pool, for a library that manages its own statements."""
        return self._pool

    async def run(self, statement: LiteralString | sql.Composed, values: Sequence[Any]) -> list[DictRow]:
        """Run one statement and return its rows. Autocommit mode needs one round trip instead of three."""
        async with self.transaction() as connection:
            await connection.set_autocommit(True)
            try:
                return await (await connection.execute(statement, values)).fetchall()
            finally:
                if not connection.closed:
                    await connection.set_autocommit(False)

    async def newest(
        self,
        table: str,
        time_column: str,
        limit: int | None,
        before: tuple[datetime, str] | None = None,
        containing: tuple[str, str | None] | None = None,
        having: Mapping[str, Any] | None = None,
    ) -> list[DictRow]:
        """Return rows of a table, newest first, for a page of a list.

        `before` is the time and the id of the last row of the previous page: only later rows of the list are returned.
        `containing` is a column and a text: only rows whose column contains the text are returned, and case does not
        matter. A text of None means all rows. `having` are columns and the values that they must have.
        """
        time_of_row = sql.Identifier(time_column)
        conditions: list[sql.Composable] = [sql.SQL("true")]
        values: list[Any] = []
        if before is not None:
            conditions.append(sql.SQL("({}, id) < (%s, %s)").format(time_of_row))
            values += before
        if containing is not None and containing[1] is not None:
            column, text = containing
            conditions.append(sql.SQL("position(lower(%s) in lower({})) > 0").format(sql.Identifier(column)))
            values.append(text)
        for name, value in (having or {}).items():
            conditions.append(sql.SQL("{} = %s").format(sql.Identifier(name)))
            values.append(value)
        query = sql.SQL("select * from {} where {} order by {} desc, id desc limit %s").format(
            sql.Identifier(table), sql.SQL(" and ").join(conditions), time_of_row
        )
        return await self.run(query, (*values, limit))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        try:
            async with self._pool.connection() as connection:
                yield connection
        except (psycopg.OperationalError, PoolTimeout) as error:
            _log.warning("the database failed: %s", type(error).__name__)
            raise ServiceDown(
                "The database does not answer. Nothing was changed. Try again in a few seconds.",
                suggestions=["Try again in a few seconds."],
            ) from error


@asynccontextmanager
async def open_database(settings: Settings, schema: str, migrations: str) -> AsyncIterator[Database]:
    """Wait for Postgres, bring the schema up to date and open the pool.

    `migrations` is a package with files named NNNN_name.sql.
    """
    if settings.database_url is None:
        raise RuntimeError("CONSORT_DATABASE_URL is not set. `consort up` sets it for the embedded database.")
    await _migrate(settings.database_url, schema, migrations)
    pool = AsyncConnectionPool[Connection](
        settings.database_url,
        kwargs={"row_factory": dict_row, "options": f"-c search_path={schema},public"},
        connection_class=psycopg.AsyncConnection[DictRow],
        min_size=1,
        max_size=10,
        timeout=POOL_WAIT_S,
        check=_check,
        open=False,
    )
    async with pool:
        yield Database(pool)


async def _check(connection: Connection) -> None:
    """Raise if the connection is dead. A live connection costs no round trip: nothing can be read from it while it is
    idle.
    """
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        is_readable = bool(poll.poll(0))
    else:
        is_readable = bool(select.select([connection.fileno()], [], [], 0)[0])
    if is_readable:
        await AsyncConnectionPool.check_connection(connection)


async def connect(url: str, patience_s: float) -> psycopg.AsyncConnection[Any]:
    """Connect, and try again while Postgres starts.

    Raise DatabaseUnavailable after `patience_s` seconds, or immediately if Postgres rejects the connection. The message
    never contains the password.
    """
    logged = time.monotonic()
    deadline = logged + patience_s
    while True:
        try:
            return await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=5)
        except psycopg.ProgrammingError:  # its text contains the URL
            raise DatabaseUnavailable(
                "CONSORT_DATABASE_URL is not the address of a Postgres: postgresql://USER:PASSWORD@HOST:PORT/NAME"
            ) from None
        except psycopg.OperationalError as error:
            why = " ".join(str(error).split())
            is_rejected = "FATAL:" in why and not any(text in why for text in _TEMPORARY)
            if is_rejected or time.monotonic() > deadline:
                raise DatabaseUnavailable(f"the database cannot be used: {why}") from None
            if time.monotonic() - logged > 5:
                _log.warning("waiting for the database: %s", why)
                logged = time.monotonic()
            await asyncio.sleep(0.1)


def inspect_database(url: str, patience_s: float) -> tuple[str, bool]:
    """Return the server's version, and whether it has pgvector. Raise DatabaseUnavailable if connecting fails."""

    async def look() -> tuple[str, bool]:
        async with await connect(url, patience_s) as connection:
            cursor = await connection.execute(
                "select current_setting('server_version'),"
                " exists (select from pg_available_extensions where name = 'vector')"
            )
            row = await cursor.fetchone()
            assert row is not None
            return str(row[0]), bool(row[1])

    # psycopg cannot use the default event loop on Windows
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(look())


async def _migrate(url: str, schema: str, migrations: str) -> None:
    names = sql.Identifier(schema)
    async with await connect(url, START_WAIT_S) as connection:
        # one process at a time: several processes of a service may start together
        await connection.execute("select pg_advisory_lock(hashtext(%s))", (f"migrate:{schema}",))
        await connection.execute(sql.SQL("create schema if not exists {}").format(names))
        await connection.execute(sql.SQL("set search_path to {}, public").format(names))
        await connection.execute(
            "create table if not exists schema_version"
            " (number int primary key, name text not null, sha256 text not null, applied_at timestamptz default now())"
        )
        done = await (await connection.execute("select number, sha256 from schema_version")).fetchall()
        applied: dict[int, str] = dict(done)
        for number, name, text in _files(migrations):
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            if number in applied:
                if applied[number] != sha256:
                    raise RuntimeError(f"{name} was changed after it was applied. Write a new migration instead.")
                continue
            async with connection.transaction():
                await connection.execute(sql.SQL(text))
                await connection.execute(
                    "insert into schema_version (number, name, sha256) values (%s, %s, %s)", (number, name, sha256)
                )
            _log.info("migrated %s: %s", schema, name)


def _files(package: str) -> list[tuple[int, str, str]]:
    found = []
    for entry in files(package).iterdir():
        match = re.fullmatch(r"(\d{4})_\w+\.sql", entry.name)
        if match:
            found.append((int(match[1]), entry.name, entry.read_text(encoding="utf-8")))
    return sorted(found)
