"""Back up a studio that is in use, and restore it elsewhere: all of it, or nothing."""

import json
import os
import signal
import subprocess
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.studio_content import read_content, undo_everything
from tests.support.errors_and_faults.fault_measurements import busy_clients
from tests.support.midi_files import as_base64, tune
from tests.support.servers.older_postgres import OlderPostgres
from tests.support.servers.storage_servers import ExternalS3
from tests.support.servers.studio import CONSORT, Studio


def backup(studio: Studio, file: Path) -> dict[str, Any]:
    """Make a backup and return its manifest."""
    done = studio.consort("backup", str(file))
    assert done.returncode == 0, done.stderr
    with tarfile.open(file) as archive:
        member = archive.extractfile("manifest.json")
        assert member is not None
        manifest: dict[str, Any] = json.loads(member.read())
        return manifest


def restore(studio: Studio, file: Path) -> None:
    done = studio.consort("restore", str(file))
    assert done.returncode == 0, done.stderr


def kept_members(manifest: dict[str, Any]) -> dict[str, Any]:
    return {name: member for name, member in manifest["members"].items() if name not in manifest["unused"]}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Studio]:
    """Return a studio in an empty data folder. It is not started."""
    studio = Studio(tmp_path / "elsewhere")
    yield studio
    studio.consort("down")


def test_a_studio_in_use_is_restored_elsewhere(own_studio: Studio, elsewhere: Studio, tmp_path: Path) -> None:
    own_studio.up()
    own_studio.call("store_midi", base64=as_base64(tune(4)), name="kept.mid")
    own_studio.call("store_midi", base64=as_base64(tune(5)), name="kept.mid", overwrite=True)
    song = own_studio.call("create_song", title="Undone", tracks={"Lead": "Flute"})["song_id"]
    for bar in range(4):
        own_studio.call("add_notes", song_id=song, track="Lead", notes=f"C4 @{bar}")
    own_studio.call("undo_last_action", song_id=song)
    (own_studio.data / "import" / "mine.txt").write_text("of the user")
    before = read_content(own_studio.call)
    with busy_clients(own_studio, clients=1) as seen:
        while len(seen.acknowledged) < 8:
            time.sleep(0.05)
        acknowledged = list(seen.acknowledged)
        backup(own_studio, tmp_path / "studio.tar.gz")
    token = own_studio.token.encode()
    password = (own_studio.data / "postgres.password").read_bytes().strip()
    with tarfile.open(tmp_path / "studio.tar.gz") as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            content = file.read() if file else b""
            assert token not in content and password not in content, member.name
    restore(elsewhere, tmp_path / "studio.tar.gz")
    elsewhere.up()
    after = read_content(elsewhere.call)  # reading every file shows that each row has its bytes
    for kind, rows in before.items():
        for key, row in rows.items():
            assert after[kind][key] == row
    for each in acknowledged:
        key = each.get("midi_file_id") or each.get("song_id") or each.get("audio_file_id") or each["project_name"]
        assert any(key in rows for rows in after.values()), each
    assert (elsewhere.data / "import" / "mine.txt").read_text() == "of the user"
    assert elsewhere.token != own_studio.token
    assert undo_everything(elsewhere.call, song) == undo_everything(own_studio.call, song)
    assert elsewhere.call("store_midi", name="kept.mid", restore_version=1)["note_count"] == 4
    refused = elsewhere.consort("restore", str(tmp_path / "studio.tar.gz"))
    assert refused.returncode == 1 and "consort down" in refused.stderr


@pytest.mark.long
def test_between_storages_and_versions_of_postgres(
    cloud_studio: Studio, external_s3: ExternalS3, elsewhere: Studio, tmp_path: Path
) -> None:
    """From S3 and a Postgres given by URL to an embedded one, to S3 and an older Postgres: nothing changes."""
    cloud_studio.call("store_midi", base64=as_base64(tune(6)), name="from the cloud.mid")
    first = backup(cloud_studio, tmp_path / "1.tar.gz")
    restore(elsewhere, tmp_path / "1.tar.gz")
    second = backup(elsewhere, tmp_path / "2.tar.gz")
    with OlderPostgres(tmp_path) as postgres:
        storage = {"CONSORT_DATABASE_URL": postgres.url, "CONSORT_BLOB_URL": f"{external_s3.url}-2"}
        third_studio = Studio(tmp_path / "third", {**storage, **external_s3.environment})
        restore(third_studio, tmp_path / "2.tar.gz")
        third = backup(third_studio, tmp_path / "3.tar.gz")
        again = third_studio.consort("restore", str(tmp_path / "1.tar.gz"))
        assert again.returncode == 1 and "Use an empty prefix" in again.stderr
    assert (first["postgres"], second["postgres"], third["postgres"]) == ("18", "18", "16")
    queues = {f"database/{schema}/jobs.copy" for schema in first["schemas"]}  # a restore ends unfinished jobs
    members = [
        {name: each for name, each in kept_members(one).items() if name not in queues} for one in (first, second, third)
    ]
    assert members[0] == members[1] == members[2]
    assert any(name.startswith("blobs/midi/") for name in members[0])


@pytest.mark.long
def test_a_restore_that_is_killed_leaves_no_half_studio(own_studio: Studio, elsewhere: Studio, tmp_path: Path) -> None:
    own_studio.up()
    own_studio.call("store_midi", base64=as_base64(tune(4)), name="kept.mid")
    own_studio.down()
    backup(own_studio, tmp_path / "studio.tar.gz")
    restoring = subprocess.Popen([*CONSORT, "restore", str(tmp_path / "studio.tar.gz")], env=elsewhere.environment)
    while not (elsewhere.data / "postgres").exists():
        assert restoring.poll() is None
        time.sleep(0.01)
    os.kill(restoring.pid, signal.SIGKILL)
    restoring.wait()
    refused = elsewhere.consort("up", "--detach")
    assert refused.returncode == 1 and "was cut off" in refused.stderr
    restore(elsewhere, tmp_path / "studio.tar.gz")
    (blob,) = [key for key in elsewhere.blobs.all_keys() if key.startswith("midi/midi_")]
    (elsewhere.data / blob).unlink()
    done = elsewhere.consort("backup", str(tmp_path / "without bytes.tar.gz"))
    assert done.returncode == 0 and blob in done.stderr, "lost bytes are named, and the rest is kept"


def test_data_of_a_newer_consort_are_refused(own_studio: Studio) -> None:
    (own_studio.data / "made-by.json").write_text('{"consort": "9.0", "migrations": {"midi_store": 4000}}')
    refused = own_studio.consort("up", "--detach")
    assert refused.returncode == 1 and "newer Consort" in refused.stderr and "4000" in refused.stderr
