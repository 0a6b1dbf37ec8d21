"""Test S3 and a Postgres given by URL: what differs from the studio's own storage, and what happens in an outage.

The tests marked `on_every_storage` show that everything else is the same.
"""

import hashlib
import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from consort_kit.ids import new_id
from consort_kit.services import SERVICES
from evaluation.processes.servers import free_port, wait_until
from tests.support.midi_files import as_base64, tune
from tests.support.servers.storage_servers import ExternalPostgres, ExternalS3
from tests.support.servers.studio import Studio, bytes_of


def error_within(seconds: float, studio: Studio, tool: str, **arguments: Any) -> dict[str, Any]:
    began = time.monotonic()
    ok, result = studio.try_call(tool, **arguments)
    assert time.monotonic() - began < seconds
    assert not ok, result
    error: dict[str, Any] = result["error"]
    return error


def test_no_local_blobs_and_no_embedded_postgres(cloud_studio: Studio, external_s3: ExternalS3) -> None:
    status = cloud_studio.status()
    assert status["healthy"] is True
    assert set(status["services"]) == {*SERVICES, "gateway"}
    stored = cloud_studio.call("store_midi", base64=as_base64(tune(3)), name=f"{new_id('x')}.mid")
    assert len(bytes_of(external_s3, stored["midi_file_id"])) == 1
    assert stored["path"] == f"midi/{stored['name']}" and "full_path" not in stored
    again = cloud_studio.call("store_midi", path=stored["path"])
    assert again["midi_file_id"] == stored["midi_file_id"], "the path is valid as input"
    assert not (cloud_studio.data / "postgres").exists()
    assert [path for path in (cloud_studio.data / "midi").rglob("*") if path.is_file()] == []


def test_a_bucket_that_does_not_answer_is_reported_and_nothing_changes(
    cloud_studio: Studio, external_s3: ExternalS3
) -> None:
    kept = cloud_studio.call("store_midi", base64=as_base64(tune(3)), name=f"{new_id('x')}.mid")
    name = kept["name"]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("store_midi", {"base64": as_base64(tune(4)), "name": name, "overwrite": True}),
        ("store_midi", {"base64": as_base64(tune(5)), "name": f"{new_id('x')}.mid"}),
        ("get_midi", {"path": name, "include_base64": True}),
    ]
    with external_s3.silent(), ThreadPoolExecutor() as pool:
        for error in pool.map(lambda call: error_within(5, cloud_studio, call[0], **call[1]), calls):
            assert error["code"] == "SERVICE_DOWN" and "bucket does not answer" in error["message"]
        assert cloud_studio.call("get_midi", path=name)["metadata"]["note_count"] == 3, "the catalogue is still there"
    assert cloud_studio.call("get_midi", path=name, include_base64=True)["base64"] == as_base64(tune(3))
    assert cloud_studio.call("store_midi", base64=as_base64(tune(4)), name=name, overwrite=True)["note_count"] == 4
    for key in external_s3.all_keys():  # an abandoned upload may still be stored, but only completely
        assert hashlib.sha256(external_s3.read(key)).hexdigest() in key


def test_a_database_outage(cloud_studio: Studio, external_postgres: ExternalPostgres) -> None:
    name = f"{new_id('x')}.mid"
    cloud_studio.call("store_midi", base64=as_base64(tune(3)), name=name)
    external_postgres.stop()
    try:
        before = cloud_studio.blobs.all_keys()
        error = error_within(20, cloud_studio, "store_midi", base64=as_base64(tune(4)), name=name, overwrite=True)
        assert error["code"] == "SERVICE_DOWN"
        assert cloud_studio.blobs.all_keys() == before
    finally:
        external_postgres.start()
    wait_until(lambda: cloud_studio.try_call("list_midi")[0], "the database is back", 30)
    assert cloud_studio.call("get_midi", path=name)["metadata"]["note_count"] == 3


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgresql://me:canary-password@127.0.0.1:{free}/x", "Connection refused"),
        ("{postgres}", "FATAL"),
        ("postgresql//me:canary-password@127.0.0.1/x", "is not the address of a Postgres"),
        ("postgresql://me:canary/password@127.0.0.1/x", "is not the address of a Postgres"),
    ],
)
def test_a_wrong_database_url_is_reported_at_the_start(
    own_studio: Studio, external_postgres: ExternalPostgres, url: str, text: str
) -> None:
    known = re.sub("//[^@]*@", "//me:canary-password@", external_postgres.url)
    own_studio.environment["CONSORT_DATABASE_URL"] = url.format(free=free_port(), postgres=known)
    began = time.monotonic()
    done = own_studio.consort("up", "--detach")
    assert done.returncode == 1 and time.monotonic() - began < 20
    assert "CONSORT_DATABASE_URL" in done.stderr and text in done.stderr
    assert own_studio.status()["healthy"] is False
    logs = "".join(path.read_text() for path in (own_studio.data / "logs").iterdir())
    assert text in logs
    assert "canary" not in logs + done.stdout + done.stderr


def test_no_secret_is_in_the_logs(
    cloud_studio: Studio, external_s3: ExternalS3, external_postgres: ExternalPostgres
) -> None:
    logs = "".join(path.read_text() for path in (cloud_studio.data / "logs").iterdir())
    password = external_postgres.url.split(":")[2].partition("@")[0]
    assert external_s3.environment["AWS_SECRET_ACCESS_KEY"] not in logs and password not in logs
