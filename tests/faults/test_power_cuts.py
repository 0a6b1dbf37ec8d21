"""What is reported as stored must survive a power cut: bytes and names are on the disk before the row is sent."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.errors_and_faults.example_calls import EXAMPLE_CALLS
from tests.support.errors_and_faults.injected_faults import pid_of
from tests.support.errors_and_faults.system_calls import SystemCall, recorded_calls
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="strace runs on Linux only")


def synchronized(calls: list[SystemCall], path: Path, after: int, before: int) -> bool:
    """Return whether a file or folder was written to the disk between two places of the recording."""
    return any(
        call.name in ("fsync", "fdatasync") and f"<{path}>" in call.text and after < call.began and call.ended < before
        for call in calls
    )


def stored_blob(studio: Studio, folder: str, file_id: str) -> Path:
    (key,) = [key for key in studio.blobs.all_keys() if key.startswith(f"{folder}/{file_id}/")]
    return studio.data / key


def check_order(calls: list[SystemCall], blob: Path, statement: str) -> None:
    """Assert the order: bytes on the disk, rename, names on the disk, and only then the row."""
    (row,) = [call for call in calls if statement in call.text]
    (renamed,) = [call for call in calls if call.name.startswith("rename") and f'"{blob}"' in call.text]
    temporary = Path(renamed.text.split('"')[1])
    assert synchronized(calls, temporary, -1, renamed.began), "the bytes"
    assert synchronized(calls, blob.parent, renamed.ended, row.began), "the name of the file"
    for made in (call for call in calls if call.name.startswith("mkdir") and f'"{blob.parent}"' in call.text):
        assert synchronized(calls, blob.parent.parent, made.ended, row.began), "the name of its folder"


@pytest.mark.parametrize(
    ("service", "folder", "tool", "arguments"),
    [
        ("midi-store", "midi", "store_midi", {"base64": as_base64(tune(7)), "name": "power cut.mid"}),
        ("audio", "audio", "store_audio", EXAMPLE_CALLS["store_audio"]()),
    ],
)
def test_a_stored_file_is_on_the_disk_before_its_row_is_sent(
    attacked_studio: Studio, tmp_path: Path, service: str, folder: str, tool: str, arguments: dict[str, Any]
) -> None:
    with recorded_calls(pid_of(attacked_studio, service), tmp_path) as calls:
        answer = attacked_studio.call(tool, **arguments)
    blob = stored_blob(attacked_studio, folder, answer.get("midi_file_id") or answer["audio_file_id"])
    check_order(calls, blob, "insert into files")


def test_an_exported_file_is_on_the_disk_before_the_answer(attacked_studio: Studio, tmp_path: Path) -> None:
    with recorded_calls(pid_of(attacked_studio, "midi-store"), tmp_path) as calls:
        attacked_studio.call("export_midi", path="kept.mid", export_name="power cut.mid")
    folder = attacked_studio.data / "export"
    (answer,) = [call for call in calls if "export_path" in call.text and "HTTP/1.1 200" not in call.text]
    assert synchronized(calls, folder, -1, answer.began)
