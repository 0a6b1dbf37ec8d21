"""Bring the tables of a service up to date."""

import logging
from typing import Any

import psycopg
from psycopg import sql

from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.storage.migration_files import Migration, check_is_known, migration_files

_log = logging.getLogger("consort")


async def migrate(connection: psycopg.AsyncConnection[Any], schema: str, package: str) -> None:
    """Apply the missing migrations, one process at a time. Raise MadeByNewer if the schema has unknown ones."""
    await connection.execute("select pg_advisory_lock(hashtext(%s))", (f"migrate:{schema}",))
    await apply_migrations(connection, schema, migration_files(package))


async def apply_migrations(connection: psycopg.AsyncConnection[Any], schema: str, migrations: list[Migration]) -> None:
    """Make the schema if it is missing, and apply those of the migrations that have not been applied.

    The search path of the connection is the schema's afterwards.
    """
    names = sql.Identifier(schema)
    await connection.execute(sql.SQL("create schema if not exists {}").format(names))
    await connection.execute(sql.SQL("set search_path to {}, public").format(names))
    await connection.execute(
        "create table if not exists schema_version"
        " (number int primary key, name text not null, sha256 text not null, applied_at timestamptz default now())"
    )
    done = await (await connection.execute("select number, sha256 from schema_version")).fetchall()
    applied: dict[int, str] = dict(done)
    check_is_known(f"The database (schema {schema})", applied, migrations)
    for migration in migrations:
        if migration.number in applied:
            if applied[migration.number] != migration.sha256:
                raise RuntimeError(f"{migration.name} was changed after it was applied. Write a new migration instead.")
            continue
        async with connection.transaction():
            await connection.execute(sql.SQL(migration.text))
            await connection.execute(
                "insert into schema_version (number, name, sha256) values (%s, %s, %s)",
                (migration.number, migration.name, migration.sha256),
            )
        _log.info("migrated %s: %s", schema, migration.name)


async def check_database(connection: psycopg.AsyncConnection[Any]) -> None:
    """Raise MadeByNewer if a schema of the database has migrations that this Consort does not know."""
    for schema, package in DATABASE_SCHEMAS.items():
        table = f"{schema}.schema_version"
        found = await (await connection.execute("select to_regclass(%s)", (table,))).fetchone()
        if found is not None and found[0] is not None:
            query = sql.SQL("select number from {}").format(sql.Identifier(schema, "schema_version"))
            rows = await (await connection.execute(query)).fetchall()
            applied = [number for (number,) in rows]
            check_is_known(f"The database (schema {schema})", applied, migration_files(package))
