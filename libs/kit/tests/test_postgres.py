"""Migrations, statements and the connection pool, with a real Postgres."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import psycopg
import pytest

from consort_kit.errors import DiskFull, InvalidInput, OutcomeUnknown, ServiceDown
from consort_kit.settings import Settings
from consort_kit.storage.migration_files import MadeByNewer
from consort_kit.storage.postgres import Database, DatabaseUnavailable, connect, open_database
from tests.support.servers.cutting_proxy import CuttingProxy
from tests.support.servers.storage_servers import ExternalPostgres

T = TypeVar("T")
SONGS = "create table songs (name text primary key);"
LIKES = "alter table songs add likes int default 7; -- 100% {safe} %s"


class PostgresServer(Protocol):
    url: str

    def start(self) -> None: ...
    def stop(self) -> None: ...


class Migrations:
    """A package of migrations that a test writes, and a new schema to apply them to."""

    _count = count()

    def __init__(self, folder: Path, url: str) -> None:
        self.schema = f"schema_{next(self._count)}"
        self._package = folder / f"migrations_of_{self.schema}"
        self._package.mkdir()
        self._settings = Settings(data=folder, token="t", database_url=url)

    def write(self, name: str, text: str) -> None:
        (self._package / name).write_text(text)

    def remove(self, name: str) -> None:
        (self._package / name).unlink()

    def use_at(self, url: str, work: Callable[[Database], Coroutine[Any, Any, T]]) -> T:
        """Use the schema by another address."""
        self._settings = self._settings.model_copy(update={"database_url": url})
        return self.use(work)

    def use(self, work: Callable[[Database], Coroutine[Any, Any, T]]) -> T:
        """Bring the schema up to date, run `work` with the database, and return its result."""
        return asyncio.run(asyncio.wait_for(self.opened(work), 60))

    async def opened(self, work: Callable[[Database], Coroutine[Any, Any, T]]) -> T:
        async with open_database(self._settings, self.schema, self._package.name) as database:
            return await work(database)


@pytest.fixture
def migrations(postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Migrations:
    monkeypatch.syspath_prepend(str(tmp_path))
    made = Migrations(tmp_path, postgres.url)
    made.write("0001_songs.sql", SONGS)
    made.write("0002_likes.sql", LIKES)
    made.write("notes.txt", "not a migration")
    made.write("3_short.sql", "select 1/0;")
    return made


async def applied(database: Database) -> list[tuple[int, str]]:
    async with database.transaction() as connection:
        rows = await (
            await connection.execute("select number, name from schema_version order by applied_at")
        ).fetchall()
        return [(row["number"], row["name"]) for row in rows]


async def songs(database: Database) -> list[dict[str, Any]]:
    async with database.transaction() as connection:
        return await (await connection.execute("select * from songs order by name")).fetchall()


async def add_song(database: Database) -> None:
    async with database.transaction() as connection:
        await connection.execute("insert into songs (name) values ('Greensleeves')")


def test_migrations_are_applied_once_and_in_order(migrations: Migrations) -> None:
    both = [(1, "0001_songs.sql"), (2, "0002_likes.sql")]
    assert migrations.use(applied) == both
    migrations.use(add_song)
    assert migrations.use(songs) == [{"name": "Greensleeves", "likes": 7}]
    migrations.write("0003_more.sql", "insert into songs values ('Ash Grove', 1);")
    assert migrations.use(applied) == [*both, (3, "0003_more.sql")]
    assert [row["name"] for row in migrations.use(songs)] == ["Ash Grove", "Greensleeves"]


def test_four_processes_at_once_apply_migrations_once(migrations: Migrations) -> None:
    migrations.write("0003_more.sql", "select pg_sleep(0.2); insert into songs values ('Ash Grove');")

    async def four() -> list[list[tuple[int, str]]]:
        return await asyncio.gather(*(migrations.opened(applied) for _ in range(4)))

    answers = asyncio.run(asyncio.wait_for(four(), 60))
    assert [[number for number, _ in answer] for answer in answers] == [[1, 2, 3]] * 4


def test_a_migration_that_was_edited_later_is_an_error(migrations: Migrations) -> None:
    migrations.use(applied)
    migrations.write("0001_songs.sql", SONGS + " -- harmless")
    with pytest.raises(RuntimeError, match=r"0001_songs\.sql was changed after it was applied"):
        migrations.use(applied)


def test_a_schema_of_a_newer_consort_is_refused_and_not_changed(migrations: Migrations) -> None:
    migrations.write("0004_newer.sql", "create table newer (x int);")
    migrations.use(applied)
    migrations.remove("0004_newer.sql")
    migrations.write("0003_ours.sql", "create table ours (x int);")
    with pytest.raises(MadeByNewer, match=r"newer Consort: it has migration 4, and this Consort \(.*\) knows 3"):
        migrations.use(applied)
    migrations.write("0004_newer.sql", "create table newer (x int);")
    assert [number for number, _ in migrations.use(applied)] == [1, 2, 4, 3]


def test_a_failed_migration_changes_nothing_and_can_be_fixed(migrations: Migrations) -> None:
    migrations.write("0003_bad.sql", "create table half (x int); insert into songs values ('x'); select 1/0;")
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrations.use(applied)
    migrations.write("0003_bad.sql", "create table half (x int);")
    assert [number for number, _ in migrations.use(applied)] == [1, 2, 3]
    assert migrations.use(songs) == []


@pytest.mark.parametrize("text", ["is starting up", "is not yet accepting connections", "is in recovery mode"])
def test_a_database_that_recovers_is_waited_for(text: str) -> None:
    """After a crash, Postgres rejects connections with several texts until it is ready."""
    fields = b"SFATAL\0C57P03\0" + f"Mthe database system {text}\0\0".encode()
    tries = []

    async def reject(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        length = int.from_bytes(await reader.readexactly(4), "big")
        await reader.readexactly(length - 4)
        tries.append(length)
        writer.write(b"E" + (len(fields) + 4).to_bytes(4, "big") + fields)
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(reject, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(DatabaseUnavailable, match=text):
            await connect(f"postgresql://a:b@127.0.0.1:{port}/c?sslmode=disable&gssencmode=disable", 0.5)
        server.close()

    asyncio.run(work())
    assert len(tries) > 1


def test_without_a_database_the_missing_setting_is_named(tmp_path: Path) -> None:
    async def open_without() -> None:
        async with open_database(Settings(data=tmp_path, token="t", database_url=None), "x", "x"):
            pass

    with pytest.raises(RuntimeError, match="CONSORT_DATABASE_URL"):
        asyncio.run(open_without())


def test_a_failed_transaction_changes_nothing_and_its_error_is_raised(migrations: Migrations) -> None:
    async def work(database: Database) -> None:
        with pytest.raises(InvalidInput):
            async with database.transaction() as connection:
                await connection.execute("insert into songs values ('lost')")
                raise InvalidInput("no")
        with pytest.raises(psycopg.errors.UniqueViolation):
            async with database.transaction() as connection:
                await connection.execute("insert into songs values ('a'), ('a')")
        assert await songs(database) == []

    migrations.use(work)


def test_one_statement_is_its_own_transaction(migrations: Migrations) -> None:
    async def work(database: Database) -> list[dict[str, Any]]:
        added = await database.run("insert into songs (name) values (%s) returning *", ("a",))
        assert added == [{"name": "a", "likes": 7}]
        with pytest.raises(psycopg.errors.UniqueViolation):
            await database.run("insert into songs (name) values ('b'), (%s) returning *", ("a",))
        async with database.transaction() as connection:  # the same connection, no longer in autocommit mode
            assert not connection.autocommit
        return await database.run("select name from songs", ())

    assert migrations.use(work) == [{"name": "a"}]


def test_the_newest_rows_page_by_page(migrations: Migrations) -> None:
    migrations.write("0003_tunes.sql", "create table tunes (id text, name text, made_at timestamptz);")

    async def work(database: Database) -> None:
        times = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 2, 3)]
        for row_id, time in zip("abcd", times, strict=True):
            await database.run("insert into tunes values (%s, %s, %s) returning id", (row_id, f"Tune {row_id}%", time))

        async def ids(*options: Any) -> str:
            return "".join(row["id"] for row in await database.newest("tunes", "made_at", *options))

        assert await ids(None) == "dcba" and await ids(3) == "dcb"
        assert await ids(3, (times[2], "c")) == "ba"
        assert await ids(9, None, ("name", "NE B%")) == "b"
        assert await ids(9, None, ("name", None)) == "dcba"
        assert await ids(9, (times[1], "b"), ("name", "tune")) == "a"
        assert await ids(9, None, ("name", "tune"), {"made_at": times[1]}) == "cb"

    migrations.use(work)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root on Linux can mount a small disk")
def test_a_full_disk_of_the_database_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120m", "tmpfs", str(disk)], check=True)
    try:
        with ExternalPostgres(disk / "data") as server:
            monkeypatch.syspath_prepend(str(tmp_path))
            migrations = Migrations(tmp_path, server.url)
            migrations.write("0001_songs.sql", "create unlogged table songs (name text storage external);")

            async def fill(database: Database) -> None:
                big = "select string_agg(md5(random()::text), '') from generate_series(1, 100000)"
                with pytest.raises(DiskFull, match="The disk is full, so nothing was stored"):
                    while True:
                        await database.run(f"insert into songs ({big}) returning 1", ())
                assert await database.run("select 1 as one", ()) == [{"one": 1}]

            migrations.use(fill)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_connection_lost_during_a_change_leaves_it_in_doubt(
    migrations: Migrations, postgres: PostgresServer, cut: Literal["before", "after"]
) -> None:
    migrations.use(applied)
    with CuttingProxy(postgres.url) as proxy:

        async def in_doubt(database: Database) -> None:
            async def in_a_transaction() -> None:
                async with database.transaction() as connection:
                    await connection.execute("select pg_advisory_xact_lock(1)")
                    await connection.execute("insert into songs values ('a')")
                    proxy.cut = cut  # the COMMIT is next

            async def in_one_statement() -> None:
                proxy.cut = cut
                await database.run("insert into songs (name) values (%s) returning name", ("b",))

            for change in (in_a_transaction, in_one_statement):
                with pytest.raises(OutcomeUnknown, match="may or may not have been stored"):
                    await change()
                proxy.cut = ""
            with pytest.raises(ServiceDown, match="Nothing was changed") as caught:
                async with database.transaction() as connection:
                    proxy.cut = cut
                    await connection.execute("insert into songs values ('c')")
            proxy.cut = ""
            assert caught.value.body.code == "SERVICE_DOWN", "without a COMMIT nothing is stored"
            for _ in range(100):  # Postgres may still be working on what it got
                names = [row["name"] for row in await songs(database)]
                if len(names) == (2 if cut == "after" else 0):
                    break
                await asyncio.sleep(0.05)
            assert names == (["a", "b"] if cut == "after" else [])

        migrations.use_at(proxy.url, in_doubt)


def test_a_killed_server_is_reported_and_used_again_when_it_is_back(
    migrations: Migrations, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consort_kit.storage.postgres.POOL_WAIT_S", 30.0)  # a busy machine restarts Postgres slowly

    async def work(database: Database) -> None:
        await add_song(database)
        with pytest.raises(ServiceDown) as caught:
            async with database.transaction() as connection:
                await connection.execute("insert into songs values ('lost')")
                await asyncio.to_thread(postgres.stop)
                await connection.execute("insert into songs values ('lost too')")
        assert caught.value.body.code == "SERVICE_DOWN" and "consort" not in caught.value.body.message
        waiting = asyncio.create_task(songs(database))  # called while Postgres is down, answered when it is back
        await asyncio.to_thread(postgres.start)
        assert [row["name"] for row in await waiting] == ["Greensleeves"]

    if sys.platform == "win32":
        pytest.skip("the crash is caused by a signal")
    migrations.use(work)
