"""Upgrade a studio whose database is that of Consort 0.1: Postgres 17, with the password `consort`."""

import re
import subprocess

import pytest

from consort_cli.bootstrap import ROOT
from tests.support.servers.docker_studio import DockerStudio

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

UPGRADE = ("-f", "docker-compose.yml", "-f", "containers/upgrade-from-postgres-17.yml")
COPY_TO_OLD = """
set -eu
PGPASSFILE=/credentials/pgpass pg_dump --host=postgres --username=consort --no-password --file=/tmp/dump consort
PGPASSWORD=consort psql --host=before --username=consort --quiet --set=ON_ERROR_STOP=1 --output=/dev/null \
    --command='create extension vector with schema public' --file=/tmp/dump consort
"""


def old_image(studio: DockerStudio) -> str:
    """Return the image that the upgrade uses: CONSORT_POSTGRES_17_IMAGE, or the pinned one."""
    written = (ROOT / UPGRADE[-1]).read_text()
    [default] = re.findall(r"CONSORT_POSTGRES_17_IMAGE:-(\S+)}", written)
    return studio.environment.get("CONSORT_POSTGRES_17_IMAGE") or default


def run_postgres(studio: DockerStudio, *files: str) -> subprocess.CompletedProcess[str]:
    command = ["docker", "compose", *files, "run", "--rm", "-T", "postgres"]
    return subprocess.run(command, cwd=ROOT, env=studio.environment, capture_output=True, text=True)


def make_it_old(studio: DockerStudio) -> None:
    """Move the database to Postgres 17, in the volume where Consort 0.1 had it, and delete the present one."""
    studio.compose("stop", "gateway", "audio", "compose", "midi-store", "strudel")
    studio.compose(*UPGRADE, "up", "--wait", "--no-build", "--no-recreate", "before")
    studio.compose("run", "--rm", "--no-deps", "-T", "--entrypoint", "sh", "postgres", "-c", COPY_TO_OLD)
    studio.compose(*UPGRADE, "down")
    studio.docker("volume", "rm", *(f"{studio.project}_{name}" for name in ("database", "credentials")))


def test_the_database_of_postgres_17_is_copied(studio: DockerStudio) -> None:
    image = old_image(studio)
    if subprocess.run(["docker", "image", "inspect", image], capture_output=True).returncode:
        pulled = subprocess.run(["docker", "pull", "--quiet", image], capture_output=True, text=True)
        if pulled.returncode:
            pytest.skip(f"the image {image} cannot be downloaded: {pulled.stderr.strip()}")
    song = studio.call("create_song", title="Kept", tracks={"Lead": "flute"})["song_id"]
    studio.call("add_notes", song_id=song, track="Lead", notes="C4 1; D4 1")
    studio.call("add_notes", song_id=song, track="Lead", notes="E4 1")
    rows = studio.query("select count(*) from midi_store.files")
    try:
        make_it_old(studio)
        refused = run_postgres(studio)
        assert refused.returncode == 1 and UPGRADE[-1] in refused.stderr, refused.stderr
        copied = run_postgres(studio, *UPGRADE)
        assert copied.returncode == 0, copied.stderr
        again = run_postgres(studio, *UPGRADE)
        assert again.returncode == 1 and "Nothing was changed" in again.stderr, again.stderr
        studio.compose(*UPGRADE, "down")
    finally:
        studio.up()
    assert studio.query("select count(*) from midi_store.files") == rows
    assert studio.query("show server_version_num")[0][0].startswith("18")
    assert studio.call("get_notes", song_id=song)["note_count"] == 3
    studio.call("undo_last_action", song_id=song)
    assert studio.call("get_notes", song_id=song)["note_count"] == 2, "with the undo history"
