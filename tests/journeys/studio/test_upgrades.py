"""Data of earlier Consorts: each archive in `tests/support/upgrades` is upgraded and read."""

import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest

from consort_cli.backup.archive import ArchiveWriter, Manifest, check_archive, open_members
from consort_cli.backup.restore_backup import restore_backup
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.settings import Settings
from consort_kit.storage.migration_files import migration_files
from consort_kit.storage.postgres import open_database
from evaluation.studio_content import read_content, undo_everything
from tests.support import upgrades
from tests.support.servers.storage_servers import ExternalPostgres
from tests.support.servers.studio import Studio

ARCHIVES = sorted(Path(upgrades.__file__).parent.glob("*.tar.gz"))
LEVELS = 7
"""The largest number of migrations of a schema."""
STRUCTURE = """
    select table_name, column_name, data_type, is_nullable, coalesce(column_default, '') from information_schema.columns
    where table_schema = %(schema)s and table_name not like 'procrastinate%%' union all
    select tablename, indexdef, '', '', '' from pg_indexes
    where schemaname = %(schema)s and tablename not like 'procrastinate%%' and indexname not like '%%hnsw%%'
    order by 1, 2"""


def schema_and_number(archive: Path) -> tuple[str, int]:
    schema, _, number = archive.name.removesuffix(".tar.gz").rpartition("-")
    return schema, int(number)


def structure(url: str, schema: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        return connection.execute(STRUCTURE, {"schema": schema}).fetchall()


def bring_up_to_date(url: str, schema: str, data: Path) -> None:
    async def open_and_close() -> None:
        async with open_database(Settings(data=data, database_url=url), schema, DATABASE_SCHEMAS[schema]):
            pass

    asyncio.run(open_and_close())


def drop_everything(url: str) -> None:
    with psycopg.connect(url) as connection:
        for schema in DATABASE_SCHEMAS:
            connection.execute(f"drop schema if exists {schema} cascade".encode())


def test_every_migration_has_an_archive() -> None:
    newest = {schema: migration_files(package)[-1].number for schema, package in DATABASE_SCHEMAS.items()}
    for schema, number in newest.items():
        made = sorted(each for archive in ARCHIVES for name, each in [schema_and_number(archive)] if name == schema)
        assert made[-1] == number, f"make the archive {schema}-{number}: see tests/support/upgrades"


def test_old_tables_become_those_of_a_new_studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ExternalPostgres(tmp_path) as postgres:
        fresh = {}
        for schema in DATABASE_SCHEMAS:
            bring_up_to_date(postgres.url, schema, tmp_path)
            fresh[schema] = structure(postgres.url, schema)
        monkeypatch.setenv("CONSORT_DATABASE_URL", postgres.url)
        for archive in ARCHIVES:
            drop_everything(postgres.url)
            schema, number = schema_and_number(archive)
            manifest = asyncio.run(restore_backup(archive, tmp_path / archive.stem, lambda *_: None))
            assert [each.number for each in manifest.schemas[schema].migrations][-1] == number
            assert any(table.rows for table in manifest.schemas[schema].tables), "it has content"
            bring_up_to_date(postgres.url, schema, tmp_path)
            assert structure(postgres.url, schema) == fresh[schema], archive.name


def merged(folder: Path, level: int) -> Path:
    """Return an archive with the schema of every service as it was after `level` migrations, or its last ones."""
    writer = ArchiveWriter(folder / "studio.tar.gz")
    schemas: dict[str, Any] = {}
    for schema in DATABASE_SCHEMAS:
        numbers = [number for name, number in map(schema_and_number, ARCHIVES) if name == schema]
        number = max((each for each in numbers if each <= level), default=min(numbers))
        archive = Path(upgrades.__file__).parent / f"{schema}-{number}.tar.gz"
        schemas |= check_archive(archive).schemas
        with open_members(archive) as members:
            for info, file in members:
                if info.name != "manifest.json":
                    (folder / "content").write_bytes(file.read())
                    writer.add(info.name, folder / "content")
    made = {"consort": "0.1.0", "made_at": "2026-11-17T00:00:00+00:00", "postgres": "18"}
    writer.finish(Manifest(format=1, **made, schemas=schemas, members=writer.members, unused=[], missing=[]))
    return folder / "studio.tar.gz"


@pytest.mark.parametrize("level", [1, *(pytest.param(each, marks=pytest.mark.long) for each in range(2, LEVELS + 1))])
def test_a_studio_reads_what_an_earlier_one_stored(own_studio: Studio, tmp_path: Path, level: int) -> None:
    done = own_studio.consort("restore", str(merged(tmp_path, level)))
    assert done.returncode == 0, done.stderr
    own_studio.up()
    content = read_content(own_studio.call)
    assert [row["name"] for row in content["midi"].values()] == ["first.mid"]
    assert [row["metadata"]["note_count"] for row in content["midi"].values()] == [5]
    (song_id,) = content["songs"]
    assert content["songs"][song_id]["title"] == "Old song"
    own_studio.call("redo_last_action", song_id=song_id)
    steps = [("G4" in notes, "C4" in notes) for notes in undo_everything(own_studio.call, song_id)]
    assert steps == [(True, True), (False, True), (False, False)]
    assert content["projects"] == {"old": ['setcpm(120/4)\n$: s("bd*4")']}
    own_studio.call("store_midi", path="first.mid")
