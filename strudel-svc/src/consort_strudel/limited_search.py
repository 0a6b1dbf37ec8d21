"""Search with regular expressions of callers: they run in Postgres, which can stop them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from psycopg import sql
from psycopg.errors import InvalidRegularExpression, QueryCanceled

from consort_kit.errors import InvalidInput
from consort_kit.storage.postgres import Connection, Database

SEARCH_TIMEOUT_MS = 2000


@asynccontextmanager
async def limited_search(database: Database, field: str) -> AsyncIterator[Connection]:
    """Yield a connection whose statements are stopped after 2 s in all. Raise PATTERN_TOO_SLOW then.

    `field` is the parameter that has the patterns.
    """
    async with database.transaction() as connection:
        await connection.execute(sql.SQL("set local statement_timeout = {}").format(sql.Literal(SEARCH_TIMEOUT_MS)))
        try:
            yield connection
        except QueryCanceled as error:
            raise InvalidInput(
                "The search took longer than 2 s and was stopped. Use a simpler pattern, without nested repetitions.",
                code="PATTERN_TOO_SLOW",
                field=field,
            ) from error


async def check_patterns(connection: Connection, patterns: Mapping[str, str], field: str) -> None:
    """Raise INVALID_PATTERN for a pattern that Postgres cannot read. `patterns` are named by their fields."""
    for name, pattern in patterns.items():
        try:
            await connection.execute("select '' ~* %s", (pattern,))
        except InvalidRegularExpression as error:
            reason = str(error).partition("\n")[0].rpartition(": ")[2]
            raise InvalidInput(
                f"'{name}' is not a regular expression of Postgres: {reason}. Put a backslash before ( ) [ * + ? . to"
                " find them as they are.",
                code="INVALID_PATTERN",
                field=f"{field}.{name}",
            ) from error
