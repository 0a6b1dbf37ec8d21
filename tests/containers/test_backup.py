"""Back up a studio in containers while it runs, delete it with its volumes, and restore it."""

import subprocess
from pathlib import Path

import httpx2
import pytest

from consort_cli.bootstrap import ROOT
from tests.support.midi_files import as_base64, tune
from tests.support.servers.docker_studio import DockerStudio

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

RUN = ("docker", "compose", "run", "--rm", "-T", "backup")


def test_a_studio_is_restored_after_its_volumes_are_deleted(studio: DockerStudio, tmp_path: Path) -> None:
    content, backup = tune(23), tmp_path / "consort.tar.gz"
    stored = studio.call("store_midi", base64=as_base64(content), name="backed-up.mid")["midi_file_id"]
    song = studio.call("create_song", title="Backed up", tracks={"Lead": "flute"})["song_id"]
    for notes in ("C4 1; D4 1", "E4 1"):
        studio.call("add_notes", song_id=song, track="Lead", notes=notes)
    studio.compose("--profile", "backup", "build", "backup", timeout_s=900)
    with backup.open("wb") as file:
        subprocess.run(RUN, cwd=ROOT, env=studio.environment, stdout=file, check=True)
    refused = subprocess.run(
        [*RUN, "restore"], cwd=ROOT, env=studio.environment, input=backup.read_bytes(), capture_output=True
    )
    assert refused.returncode != 0 and b"is not empty" in refused.stderr, "a running studio is not overwritten"

    studio.delete_data()
    with backup.open("rb") as file:
        subprocess.run([*RUN, "restore"], cwd=ROOT, env=studio.environment, stdin=file, check=True)
    studio.up()
    kept = studio.call("get_midi", midi_file_id=stored)
    assert kept["metadata"]["note_count"] == 23 and httpx2.get(kept["download_url"]).content == content
    assert studio.call("get_notes", song_id=song)["note_count"] == 3
    studio.call("undo_last_action", song_id=song)
    assert studio.call("get_notes", song_id=song)["note_count"] == 2, "with the undo history"
