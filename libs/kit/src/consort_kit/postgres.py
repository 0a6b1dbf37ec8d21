"""Postgres for a service: a pool in its own schema, numbered migrations, and our error when the database is away."""

import asyncio
import hashlib
import logging
import re
import select
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from consort_kit.errors import ServiceDown
from consort_kit.settings import Settings

START_WAIT_S = 60.0
Connection = psycopg.AsyncConnection[DictRow]

_PASSING = ("starting up", "shutting down", "recovery mode", "too many clients", "connection slots")
"""In the words of Postgres: it refuses now, and will not in a moment."""

_log = logging.getLogger("consort")


class DatabaseAway(RuntimeError):
    """At the start: no Postgres where it should be, or one that does not let us in."""


class Database:
    """Connections of one service; its tables are found without naming the schema."""

    def __init__(self, pool: AsyncConnectionPool[Connection]) -> None:
        self._pool = pool

    async def run(self, statement: LiteralString | sql.Composed, values: Sequence[Any]) -> list[DictRow]:
        """The rows of one statement, which is a transaction of its own: one question and answer instead of three."""
        async with self.transaction() as connection:
            await connection.set_autocommit(True)
            try:
                return await (await connection.execute(statement, values)).fetchall()
            finally:
                if not connection.closed:
                    await connection.set_autocommit(False)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        try:
            async with self._pool.connection() as connection:
                yield connection
        except (psycopg.OperationalError, PoolTimeout) as error:
            _log.warning("the database failed: %s", type(error).__name__)
            raise ServiceDown(
                "The database does not answer. Nothing was changed. Try again in some seconds.",
                suggestions=["Try again in some seconds."],
            ) from error


@asynccontextmanager
async def open_database(settings: Settings, schema: str, migrations: str) -> AsyncIterator[Database]:
    """Wait for Postgres, bring the schema up to date, open the pool.

    `migrations` names a package whose files are called NNNN_name.sql.
    """
    if settings.database_url is None:
        raise RuntimeError("CONSORT_DATABASE_URL is not set; `consort up` sets it for the embedded database")
    await _migrate(settings.database_url, schema, migrations)
    pool = AsyncConnectionPool[Connection](
        settings.database_url,
        kwargs={"row_factory": dict_row, "options": f"-c search_path={schema},public"},
        connection_class=psycopg.AsyncConnection[DictRow],
        min_size=1,
        max_size=10,
        timeout=4.0,  # longer than Postgres takes to restart, shorter than a caller likes to wait
        check=_check,
        open=False,
    )
    async with pool:
        yield Database(pool)


async def _check(connection: Connection) -> None:
    """Raise if the connection is dead. A server that went away has closed it, and then there is something to read.

    Nothing is to read of a connection that is fine and idle, which so costs no question and answer.
    """
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        has_news = bool(poll.poll(0))
    else:
        has_news = bool(select.select([connection.fileno()], [], [], 0)[0])
    if has_news:
        await AsyncConnectionPool.check_connection(connection)


async def connect(url: str, patience_s: float) -> psycopg.AsyncConnection[Any]:
    """A connection, as soon as Postgres takes one: on a first start it may still be on its way.

    Raises DatabaseAway with what a person should know, and never with the password.
    """
    told = time.monotonic()
    deadline = told + patience_s
    while True:
        try:
            return await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=5)
        except psycopg.ProgrammingError:  # its text holds the URL
            raise DatabaseAway(
                "CONSORT_DATABASE_URL is not the address of a Postgres: postgresql://USER:PASSWORD@HOST:PORT/NAME"
            ) from None
        except psycopg.OperationalError as error:
            why = " ".join(str(error).split())
            is_refused = "FATAL:" in why and not any(text in why for text in _PASSING)
            if is_refused or time.monotonic() > deadline:
                raise DatabaseAway(f"the database cannot be used: {why}") from None
            if time.monotonic() - told > 5:
                _log.warning("waiting for the database: %s", why)
                told = time.monotonic()
            await asyncio.sleep(0.1)


def look_at_database(url: str, patience_s: float) -> tuple[str, bool]:
    """From outside a service: the server's version, and whether pgvector can be used there. Raises DatabaseAway."""

    async def look() -> tuple[str, bool]:
        async with await connect(url, patience_s) as connection:
            cursor = await connection.execute(
                "select current_setting('server_version'),"
                " exists (select from pg_available_extensions where name = 'vector')"
            )
            row = await cursor.fetchone()
            assert row is not None
            return str(row[0]), bool(row[1])

    # on Windows psycopg cannot use the default loop
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(look())


async def _migrate(url: str, schema: str, migrations: str) -> None:
    names = sql.Identifier(schema)
    async with await connect(url, START_WAIT_S) as connection:
        # one process at a time: several workers of a service may start together
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
                    raise RuntimeError(f"{name} was changed after it was applied; write a new migration instead")
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
