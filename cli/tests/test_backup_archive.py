"""The file of a backup: anything in it that is not as it was written is found before a restore writes anything."""

import gzip
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from consort_cli.backup.archive import AppliedMigration, ArchiveWriter, BackupError, Manifest, SchemaDump, check_archive
from consort_cli.main import run_main
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.storage.migration_files import blob_keys_queries, migration_files

CONTENT = {"blobs/midi/midi_1/a.mid": b"MThd" * 2000, "files/import/song.mid": b"x", "blobs/midi/midi_2/empty.mid": b""}


@pytest.fixture
def consort(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command, which must fail, and returns what it says."""

    def run(*arguments: object) -> str:
        monkeypatch.setattr("sys.argv", ["consort", *map(str, arguments)])
        assert run_main() == 1
        return capsys.readouterr().err

    return run


def archive(folder: Path, number: int = 1, schema: str = "midi_store") -> Path:
    target = folder / "studio.tar.gz"
    writer = ArchiveWriter(target)
    for name, content in CONTENT.items():
        (folder / "content").write_bytes(content)
        writer.add(name, folder / "content")
    migration = AppliedMigration(number=number, name="0001_files.sql", sha256="0" * 64)
    dump = SchemaDump(migrations=[migration], tables=[], sequences={})
    made = {"consort": "0.2.0", "made_at": "2026-11-19T04:00:00+00:00", "postgres": "18"}
    members = writer.members
    writer.finish(Manifest(format=1, **made, schemas={schema: dump}, members=members, unused=[], missing=[]))
    return target


def rewritten(change: Callable[[str, bytes], tuple[str, bytes] | None]) -> Callable[[Path], None]:
    """Return a function that writes the archive again, with members changed or left out."""

    def rewrite(path: Path) -> None:
        with tarfile.open(path) as old:
            members = [(info.name, file.read()) for info in old if (file := old.extractfile(info))]
        with tarfile.open(path, "w:gz") as new:
            for name, content in members:
                if kept := change(name, content):
                    info = tarfile.TarInfo(kept[0])
                    info.size = len(kept[1])
                    new.addfile(info, io.BytesIO(kept[1]))

    return rewrite


def flip_a_byte(path: Path) -> None:
    content = bytearray(gzip.decompress(path.read_bytes()))
    content[1000] ^= 1
    path.write_bytes(gzip.compress(bytes(content)))


def damage_the_compressed_bytes(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(bytes(content))


def add_a_link(path: Path) -> None:
    with tarfile.open(path, "w:gz") as new:
        info = tarfile.TarInfo("files/import/link")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        new.addfile(info)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a changed byte": flip_a_byte,
    "damaged compression": damage_the_compressed_bytes,
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-300]),
    "empty": lambda path: path.write_bytes(b""),
    "no archive": lambda path: path.write_bytes(b"MThd" * 500),
    "no manifest": rewritten(lambda name, content: None if name == "manifest.json" else (name, content)),
    "a member missing": rewritten(lambda name, content: None if name.startswith("files/") else (name, content)),
    "a changed member": rewritten(lambda name, content: (name, b"y" if name.startswith("files/") else content)),
    "a path that leaves the folder": rewritten(lambda name, content: (name.replace("import", ".."), content)),
    "an absolute path": rewritten(lambda name, content: (name.replace("files", "/files"), content)),
    "another folder": rewritten(lambda name, content: (name.replace("files", "run"), content)),
    "a link": add_a_link,
    "a newer format": rewritten(lambda name, content: (name, content.replace(b'"format": 1', b'"format": 2'))),
    "an unknown field": rewritten(lambda name, content: (name, content.replace(b'"unused"', b'"used"'))),
}


@pytest.mark.parametrize(
    "name",
    [
        *("files/token", "files/postgres.password", "files/run/lock", "files/postgres/postgresql.auto.conf"),
        *("blobs/token", "blobs/postgres/pg_hba.conf", "files/made-by.json", "files/import", "database/midi_store"),
    ],
)
def test_a_backup_cannot_bring_anything_else(tmp_path: Path, name: str) -> None:
    """A backup may come from somebody else. A token would let them in, and settings of Postgres can run programs."""
    writer = ArchiveWriter(tmp_path / "studio.tar.gz")
    (tmp_path / "content").write_bytes(b"x" * 40)
    writer.add(name, tmp_path / "content")
    made = {"consort": "0.2.0", "made_at": "2026-11-19T04:00:00+00:00", "postgres": "18"}
    writer.finish(Manifest(format=1, **made, schemas={}, members=writer.members, unused=[], missing=[]))
    with pytest.raises(BackupError, match="has a member"):
        check_archive(tmp_path / "studio.tar.gz")


def test_what_was_written_is_read(tmp_path: Path) -> None:
    manifest = check_archive(archive(tmp_path))
    assert {name: member.bytes for name, member in manifest.members.items()} == {
        name: len(content) for name, content in CONTENT.items()
    }
    assert (tmp_path / "studio.tar.gz").stat().st_mode & 0o077 == 0, "music is private"


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_archive_is_refused(tmp_path: Path, damage: str) -> None:
    path = archive(tmp_path)
    DAMAGES[damage](path)
    with pytest.raises(BackupError):
        check_archive(path)


@pytest.mark.parametrize(
    ("number", "schema", "text"),
    [
        (4000, "midi_store", "newer Consort"),
        (1, "videos", "newer Consort"),
        (1, "midi_store", "does not know"),  # the same number, but another migration
    ],
)
def test_tables_that_this_consort_does_not_know(
    tmp_path: Path, consort: Callable[..., str], number: int, schema: str, text: str
) -> None:
    assert text in consort("restore", archive(tmp_path, number, schema), "--data", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_only_an_empty_folder_is_filled(tmp_path: Path, consort: Callable[..., str]) -> None:
    target = tmp_path / "studio.tar.gz"
    made = {"consort": "0.2.0", "made_at": "2026-11-19T04:00:00+00:00", "postgres": "18"}
    empty = Manifest(format=1, **made, schemas={}, members={}, unused=[], missing=[])
    ArchiveWriter(target).finish(empty)
    (tmp_path / "data" / "midi").mkdir(parents=True)
    (tmp_path / "data" / "midi" / "song.mid").write_bytes(b"mine")
    assert "is not empty: it has midi" in consort("restore", target, "--data", tmp_path / "data")
    assert (tmp_path / "data" / "midi" / "song.mid").read_bytes() == b"mine"


def test_an_existing_file_is_not_replaced(tmp_path: Path, consort: Callable[..., str]) -> None:
    path = archive(tmp_path)
    before = path.read_bytes()
    assert "exists already" in consort("backup", path, "--data", tmp_path / "data")
    assert path.read_bytes() == before


def test_every_schema_with_files_names_its_blobs() -> None:
    for schema, package in DATABASE_SCHEMAS.items():
        columns = "".join(migration.text for migration in migration_files(package))
        assert ("blob" in columns) == bool(blob_keys_queries(package)), schema
