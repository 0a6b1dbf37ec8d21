"""Copy the tables of a service to files, in one snapshot, and back.

The rows are text of COPY, which every version of Postgres reads. Not copied are the tables of the job queue, which the
service makes, and generated columns. Indexes, defaults and checks come from the migrations.
"""

from contextlib import suppress
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Protocol

from psycopg import AsyncConnection, sql
from psycopg.errors import UndefinedColumn, UndefinedTable
from psycopg.types.json import Jsonb

from consort_cli.backup.archive import AppliedMigration, SchemaDump, TableDump, table_member
from consort_kit.storage.migration_files import Migration
from consort_kit.storage.migrations import apply_migrations

_CHUNK = 256 * 1024
_TEXT_FORM = (
    "set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres'; set timezone to 'UTC';"
    " set bytea_output to 'hex'; set extra_float_digits to 1; set client_encoding to 'UTF8'"
)
"""Settings on which the text of values depends."""
_QUEUE = "procrastinate_"
_TABLES = f"""
    select c.oid, c.relname, array(
        select attname from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
    ) from pg_class c
    where c.relnamespace = %s::regnamespace and c.relkind = 'r' and c.relname <> 'schema_version'
        and not starts_with(c.relname, '{_QUEUE}')
    order by c.relname"""
_REFERENCES = "select conrelid, confrelid from pg_constraint where contype = 'f' and conrelid <> confrelid"
_SEQUENCES = f"""
    select sequencename, last_value from pg_sequences
    where schemaname = %s and last_value is not null and not starts_with(sequencename, '{_QUEUE}')"""
UNFINISHED_JOB = {
    "code": "PROCESSING_FAILED",
    "message": "The work was not finished when the backup of this studio was made. Ask for it again.",
    "status": 503,
}
"""The error of a job that was queued or running in the backup."""

AnyConnection = AsyncConnection[Any]


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


async def begin_snapshot(connection: AnyConnection) -> None:
    """Begin a transaction that sees the database as it is now. End it with `rollback`."""
    await connection.execute("begin transaction isolation level repeatable read, read only")
    await connection.execute(_TEXT_FORM)


async def schemas_there(connection: AnyConnection, names: list[str]) -> list[str]:
    """Return those of the schemas that exist."""
    rows = await connection.execute("select nspname from pg_namespace where nspname = any(%s) order by 1", (names,))
    return [name for (name,) in await rows.fetchall()]


async def applied_migrations(connection: AnyConnection, schema: str) -> list[AppliedMigration]:
    query = sql.SQL("select number, name, sha256 from {} order by number").format(
        sql.Identifier(schema, "schema_version")
    )
    rows = await (await connection.execute(query)).fetchall()
    return [AppliedMigration(number=number, name=name, sha256=sha256) for number, name, sha256 in rows]


async def blob_keys(connection: AnyConnection, schema: str, queries: list[str]) -> list[str]:
    """Return the keys of the blobs that rows of the schema refer to.

    A table that is missing belongs to a migration that has not been applied: an older Consort made the data.
    """
    await connection.execute(sql.SQL("set local search_path to {}, public").format(sql.Identifier(schema)))
    keys: list[str] = []
    for query in queries:
        with suppress(UndefinedTable, UndefinedColumn):
            async with connection.transaction():
                keys += [key for (key,) in await (await connection.execute(sql.SQL(query))).fetchall()]
    return keys


async def dump_schema(connection: AnyConnection, schema: str, folder: Path) -> SchemaDump:
    """Write the rows of each table into a file in the folder, named as `table_member` says."""
    found = await (await connection.execute(_TABLES, (schema,))).fetchall()
    columns: dict[int, tuple[str, list[str]]] = {oid: (name, names) for oid, name, names in found}
    order: TopologicalSorter[int] = TopologicalSorter({oid: () for oid in columns})
    for table, referred in await (await connection.execute(_REFERENCES)).fetchall():
        if table in columns and referred in columns:
            order.add(table, referred)
    tables = [
        await _dump_table(connection, schema, *columns[oid], folder / table_member(schema, columns[oid][0]))
        for oid in order.static_order()
    ]
    sequences = await (await connection.execute(_SEQUENCES, (schema,))).fetchall()
    return SchemaDump(migrations=await applied_migrations(connection, schema), tables=tables, sequences=dict(sequences))


async def _dump_table(connection: AnyConnection, schema: str, table: str, columns: list[str], path: Path) -> TableDump:
    path.parent.mkdir(parents=True, exist_ok=True)
    query = sql.SQL("copy {} ({}) to stdout").format(sql.Identifier(schema, table), _names(columns))
    rows = 0
    with path.open("wb") as file:
        async with connection.cursor() as cursor, cursor.copy(query) as copy:
            async for block in copy:
                file.write(block)
                rows += bytes(block).count(b"\n")  # COPY writes a line break inside a value as \n
    return TableDump(name=table, columns=columns, rows=rows)


async def make_tables(connection: AnyConnection, schema: str, migrations: list[Migration], dump: SchemaDump) -> None:
    """Make the empty tables of a schema in the current transaction, by the migrations of the archive."""
    await connection.execute(_TEXT_FORM)
    await apply_migrations(connection, schema, migrations[: len(dump.migrations)])
    for table in dump.tables:  # a migration may have added rows
        await connection.execute(sql.SQL("truncate {} cascade").format(sql.Identifier(schema, table.name)))


async def load_table(connection: AnyConnection, schema: str, table: TableDump, file: Readable) -> None:
    query = sql.SQL("copy {} ({}) from stdin").format(sql.Identifier(schema, table.name), _names(table.columns))
    async with connection.cursor() as cursor, cursor.copy(query) as copy:
        while part := file.read(_CHUNK):
            await copy.write(part)


async def finish_schema(connection: AnyConnection, schema: str, dump: SchemaDump) -> None:
    """Set the sequences, and end the jobs that nobody works on."""
    for name, last in dump.sequences.items():
        await connection.execute("select setval(%s::regclass, %s)", (f'"{schema}"."{name}"', last))
    if any(table.name == "jobs" for table in dump.tables):
        query = sql.SQL(
            "update {} set status = 'failed', error = %s, parameters = '{{}}', finished_at = clock_timestamp()"
            " where status in ('queued', 'running')"
        ).format(sql.Identifier(schema, "jobs"))
        await connection.execute(query, (Jsonb(UNFINISHED_JOB),))


def _names(columns: list[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))
