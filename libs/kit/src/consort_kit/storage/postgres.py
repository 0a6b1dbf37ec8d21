"""Use Postgres in a service: a connection pool for the service's schema.

If Postgres is down, calls raise ServiceDown. If it is lost while it stores a change, they raise OutcomeUnknown, and
DiskFull if its disk is full.
"""

import asyncio
import logging
import select
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from consort_kit.errors import OutcomeUnknown, ServiceDown
from consort_kit.settings import Settings
from consort_kit.storage.disk_errors import disk_is_full, is_full
from consort_kit.storage.migrations import check_database, migrate

START_WAIT_S = 60.0
"""How long the start of a service waits for Postgres, in seconds."""
POOL_WAIT_S = 4.0
"""How long a call waits for a connection, in seconds: longer than a restart of Postgres takes."""
Connection = psycopg.AsyncConnection[DictRow]

_TEMPORARY = (
    "starting up",
    "shutting down",
    "recovery mode",
    "accepting connections",
    "too many clients",
    "connection slots",
)
"""An error of Postgres with one of these texts is temporary: connecting again will soon work."""

_log = logging.getLogger("consort")


class DatabaseUnavailable(RuntimeError):
    """Raised at the start of a service if there is no Postgres at the address, or it rejects the connection."""


class Database:
    """The connections of one service. Tables are found in the service's schema, so statements need not name it."""

    def __init__(self, pool: AsyncConnectionPool[Connection], data: Path, look_with: str) -> None:
        """Use the connections of a pool. `data` is the data folder.

        `look_with` names the tools that list what is stored.
        """
        self._pool = pool
        self._data = data
        self._look_with = look_with

    @property
    def pool(self) -> AsyncConnectionPool[Connection]:
        """The pool, for a library that manages its own statements."""
        return self._pool

    async def run(self, statement: LiteralString | sql.Composed, values: Sequence[Any]) -> list[DictRow]:
        """Run one statement and return its rows. Autocommit mode needs one round trip instead of three."""
        async with self._errors(_Sent()) as sent, self._pool.connection() as connection:
            await connection.set_autocommit(True)
            try:
                sent.change = not _reads_only(statement)
                found = await (await connection.execute(statement, values)).fetchall()
                sent.change = False
                return found
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
        """Open a transaction, which is committed at the end, or rolled back after an exception."""
        async with self._errors(_Sent()) as sent, self._pool.connection() as connection:
            yield connection
            sent.change = True  # the COMMIT follows

    @asynccontextmanager
    async def _errors(self, sent: "_Sent") -> AsyncIterator["_Sent"]:
        """Replace the exceptions of Postgres. What happened to a change that was sent is unknown without an answer."""
        try:
            yield sent
        except psycopg.errors.DiskFull as error:
            raise disk_is_full() from error
        except (psycopg.OperationalError, PoolTimeout) as error:
            _log.warning("the database failed: %s", type(error).__name__)
            if sent.change and _has_no_answer(error):
                raise OutcomeUnknown(
                    "The connection to the database was lost while it stored the change, so the change may or may not "
                    f"have been stored. Look with {self._look_with} before you try again.",
                    suggestions=[f"Look with {self._look_with} whether it was stored.", "If it was not, try again."],
                ) from error
            if is_full(self._data):
                raise disk_is_full() from error
            raise ServiceDown(
                "The database does not answer. Nothing was changed. Try again in a few seconds.",
                suggestions=["Try again in a few seconds."],
            ) from error


class _Sent:
    """Whether a change has been sent to Postgres that it has not confirmed."""

    change = False


def _reads_only(statement: str | sql.Composed) -> bool:
    text = statement if isinstance(statement, str) else statement.as_string(None)
    return text.lstrip().lower().startswith("select")


def _has_no_answer(error: Exception) -> bool:
    """Return whether an error does not say that Postgres rejected the change: the connection was lost."""
    state = getattr(error, "sqlstate", None)
    return not isinstance(error, PoolTimeout) and (state is None or state.startswith(("08", "57P")))


@asynccontextmanager
async def open_database(
    settings: Settings, schema: str, migrations: str, look_with: str = "the tools that list"
) -> AsyncIterator[Database]:
    """Wait for Postgres, bring the schema up to date and open the pool.

    `migrations` is a package with files named NNNN_name.sql. `look_with` names the tools that list what is stored, for
    an error after which the caller must look.
    """
    if settings.database_url is None:
        raise RuntimeError("CONSORT_DATABASE_URL is not set. `consort up` sets it for the embedded database.")
    async with await connect(settings.database_url, START_WAIT_S) as connection:
        await migrate(connection, schema, migrations)
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
        yield Database(pool, settings.data, look_with)


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


_NO_PORT = ("for connection option", "Servname not supported")
_NO_ADDRESS = (
    "CONSORT_DATABASE_URL is not the address of a Postgres: postgresql://USER:PASSWORD@HOST:PORT/NAME. Write special "
    "characters of the password as %2F, %40 and so on."
)


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
            raise DatabaseUnavailable(_NO_ADDRESS) from None
        except psycopg.OperationalError as error:
            why = " ".join(str(error).split())
            if any(text in why for text in _NO_PORT):  # perhaps a part of the password
                raise DatabaseUnavailable(_NO_ADDRESS) from None
            is_rejected = "FATAL:" in why and not any(text in why for text in _TEMPORARY)
            if is_rejected or time.monotonic() > deadline:
                raise DatabaseUnavailable(f"the database cannot be used: {why}") from None
            if time.monotonic() - logged > 5:
                _log.warning("waiting for the database: %s", why)
                logged = time.monotonic()
            await asyncio.sleep(0.1)


def inspect_database(url: str, patience_s: float) -> tuple[str, bool]:
    """Return the server's version, and whether it has pgvector.

    Raise DatabaseUnavailable if connecting fails, MadeByNewer if a newer Consort has used the database.
    """

    async def look() -> tuple[str, bool]:
        async with await connect(url, patience_s) as connection:
            cursor = await connection.execute(
                "select current_setting('server_version'),"
                " exists (select from pg_available_extensions where name = 'vector')"
            )
            row = await cursor.fetchone()
            assert row is not None
            await check_database(connection)
            return str(row[0]), bool(row[1])

    # psycopg cannot use the default event loop on Windows
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(look())
