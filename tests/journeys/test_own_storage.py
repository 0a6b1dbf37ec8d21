"""Bytes on S3 and a Postgres given by URL: what differs from the studio's own, and what happens when they are away.

That everything else is the same is shown by the tests that are marked `on_every_storage`.
"""

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from consort_kit.ids import new_id
from consort_kit.services import SERVICES
from tests.midi_files import as_base64, tune
from tests.outside import OwnPostgres, OwnS3, free_port, wait_until
from tests.studio import Studio, bytes_of


def error_within(seconds: float, studio: Studio, tool: str, **arguments: Any) -> dict[str, Any]:
    began = time.monotonic()
    ok, result = studio.try_call(tool, **arguments)
    assert time.monotonic() - began < seconds
    assert not ok, result
    error: dict[str, Any] = result["error"]
    return error


def test_nothing_is_kept_or_started_here(cloud_studio: Studio, own_s3: OwnS3) -> None:
    status = cloud_studio.status()
    assert status["healthy"] is True
    assert set(status["services"]) == {*SERVICES, "gateway"}
    stored = cloud_studio.call("store_midi", base64=as_base64(tune(3)), name=f"{new_id('x')}.mid")
    assert len(bytes_of(own_s3, stored["midi_file_id"])) == 1
    assert stored["path"] == f"midi/{stored['name']}" and "full_path" not in stored
    again = cloud_studio.call("store_midi", path=stored["path"])
    assert again["midi_file_id"] == stored["midi_file_id"], "the path is valid as input"
    assert not (cloud_studio.data / "postgres").exists()
    assert [path for path in (cloud_studio.data / "midi").rglob("*") if path.is_file()] == []


def test_a_silent_bucket_is_told_and_changes_nothing(cloud_studio: Studio, own_s3: OwnS3) -> None:
    kept = cloud_studio.call("store_midi", base64=as_base64(tune(3)), name=f"{new_id('x')}.mid")
    name = kept["name"]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("store_midi", {"base64": as_base64(tune(4)), "name": name, "overwrite": True}),
        ("store_midi", {"base64": as_base64(tune(5)), "name": f"{new_id('x')}.mid"}),
        ("get_midi", {"path": name, "include_base64": True}),
    ]
    with own_s3.silent(), ThreadPoolExecutor() as pool:
        for error in pool.map(lambda call: error_within(5, cloud_studio, call[0], **call[1]), calls):
            assert error["code"] == "SERVICE_DOWN" and "bucket does not answer" in error["message"]
        assert cloud_studio.call("get_midi", path=name)["metadata"]["note_count"] == 3, "the catalogue is still there"
    assert cloud_studio.call("get_midi", path=name, include_base64=True)["base64"] == as_base64(tune(3))
    assert cloud_studio.call("store_midi", base64=as_base64(tune(4)), name=name, overwrite=True)["note_count"] == 4
    for key in own_s3.all_keys():  # a request that was given up may still have arrived, but only whole
        assert hashlib.sha256(own_s3.read(key)).hexdigest() in key


def test_a_database_that_goes_away_and_comes_back(cloud_studio: Studio, own_postgres: OwnPostgres) -> None:
    name = f"{new_id('x')}.mid"
    cloud_studio.call("store_midi", base64=as_base64(tune(3)), name=name)
    own_postgres.stop()
    try:
        before = cloud_studio.blobs.all_keys()
        error = error_within(20, cloud_studio, "store_midi", base64=as_base64(tune(4)), name=name, overwrite=True)
        assert error["code"] == "SERVICE_DOWN"
        assert cloud_studio.blobs.all_keys() == before
    finally:
        own_postgres.start()
    wait_until(lambda: cloud_studio.try_call("list_midi")[0], "the database is back", 30)
    assert cloud_studio.call("get_midi", path=name)["metadata"]["note_count"] == 3


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://me:canary-password@127.0.0.1:{free}/x", "Connection refused"),
        ("postgresql://me:canary-password@127.0.0.1:{postgres}/x", "FATAL"),
        ("postgresql//me:canary-password@127.0.0.1/x", "is not the address of a Postgres"),
    ],
)
def test_a_wrong_database_is_told_at_the_start(
    own_studio: Studio, own_postgres: OwnPostgres, url: str, told: str
) -> None:
    port = own_postgres.url.rpartition(":")[2].partition("/")[0]
    own_studio.environment["CONSORT_DATABASE_URL"] = url.format(free=free_port(), postgres=port)
    began = time.monotonic()
    done = own_studio.consort("up", "--detach")
    assert done.returncode == 1 and time.monotonic() - began < 20
    assert "CONSORT_DATABASE_URL" in done.stderr and told in done.stderr
    assert own_studio.status()["healthy"] is False
    logs = "".join(path.read_text() for path in (own_studio.data / "logs").iterdir())
    assert told in logs
    assert "canary" not in logs + done.stdout + done.stderr


def test_no_secret_is_in_the_logs(cloud_studio: Studio, own_s3: OwnS3, own_postgres: OwnPostgres) -> None:
    logs = "".join(path.read_text() for path in (cloud_studio.data / "logs").iterdir())
    password = own_postgres.url.split(":")[2].partition("@")[0]
    assert own_s3.environment["AWS_SECRET_ACCESS_KEY"] not in logs and password not in logs
