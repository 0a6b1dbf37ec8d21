"""Readable paths of stored files."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from consort_kit.settings import Settings
from consort_kit.storage.blobs import Blobs
from consort_midi_store.files.readable_paths import ReadablePaths
from consort_midi_store.files.store import FileRow


def stored(data: Path, name: str, content: bytes, file_id: str = "midi_a") -> FileRow:
    key = f"midi/{file_id}/{content.hex()}.mid"
    (data / key).parent.mkdir(parents=True, exist_ok=True)
    (data / key).write_bytes(content)
    now = datetime.now(UTC)
    return FileRow(file_id, name, key, len(content), {}, now, now, None)


def paths_of(data: Path, *, in_container: bool = False) -> ReadablePaths:
    settings = Settings(data=data, in_container=in_container)
    return ReadablePaths(settings, Blobs(settings))


def test_in_a_container_the_path_has_a_hint(tmp_path: Path) -> None:
    row = stored(tmp_path, "song.mid", b"MThd")
    shown = paths_of(tmp_path, in_container=True).full_path(row)
    assert shown is not None and shown.startswith(f"{tmp_path}/midi/song.mid (in the container; ")
    assert f"docker compose cp midi-store:{tmp_path}/midi/song.mid ." in shown


def test_the_link_has_the_current_bytes_and_is_read_only(tmp_path: Path) -> None:
    paths = paths_of(tmp_path)
    first, second = stored(tmp_path, "song.mid", b"one"), stored(tmp_path, "song.mid", b"two")
    assert paths.full_path(first) == str(tmp_path / "midi" / "song.mid")
    assert Path(paths.full_path(second) or "").read_bytes() == b"two"
    assert paths.full_path(second), "a second call works too"
    assert os.stat(tmp_path / "midi" / "song.mid").st_mode & 0o222 == 0
    assert sorted(each.name for each in (tmp_path / "midi").iterdir()) == ["midi_a", "song.mid"], (
        "no other file is left"
    )
    paths.forget(second)
    assert not (tmp_path / "midi" / "song.mid").exists()


def test_the_link_is_made_again_after_bytes_are_stored_again(tmp_path: Path) -> None:
    paths, place = paths_of(tmp_path), tmp_path / "midi" / "song.mid"
    first = stored(tmp_path, "song.mid", b"one")
    assert paths.full_path(first) == str(place)
    store_again(tmp_path / first.blob_key)
    assert paths.full_path(first) == str(place)
    assert place.samefile(tmp_path / first.blob_key)
    store_again(tmp_path / first.blob_key)
    second = stored(tmp_path, "song.mid", b"two")
    assert Path(paths.full_path(second) or "").read_bytes() == b"two"
    store_again(tmp_path / second.blob_key)
    paths.forget(second)
    assert not place.exists()


def store_again(blob: Path) -> None:
    """Write the same bytes in the same way as the blob store: to a new file that replaces the old one."""
    new = blob.with_name("new")
    new.write_bytes(blob.read_bytes())
    new.replace(blob)


@pytest.mark.parametrize("theirs", ["file", "link", "folder"])
def test_a_file_of_the_user_is_not_replaced(tmp_path: Path, theirs: str) -> None:
    paths, row, place = paths_of(tmp_path), stored(tmp_path, "song.mid", b"one"), tmp_path / "midi" / "song.mid"
    if theirs == "file":
        place.write_bytes(b"theirs")
    elif theirs == "link":
        place.symlink_to(tmp_path / row.blob_key)
    else:
        place.mkdir()
    assert paths.full_path(row) is None
    paths.forget(row)
    assert os.path.lexists(place)
