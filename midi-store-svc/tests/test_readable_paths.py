"""How a stored file is shown under its own name."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from consort_kit.blobs import Blobs
from consort_kit.settings import Settings
from consort_midi_store.files.readable_paths import ReadablePaths
from consort_midi_store.files.store import FileRow


def kept(data: Path, name: str, content: bytes, file_id: str = "midi_a") -> FileRow:
    key = f"midi/{file_id}/{content.hex()}.mid"
    (data / key).parent.mkdir(parents=True, exist_ok=True)
    (data / key).write_bytes(content)
    now = datetime.now(UTC)
    return FileRow(file_id, name, key, len(content), {}, now, now, None)


def paths_of(data: Path, *, in_container: bool = False) -> ReadablePaths:
    settings = Settings(data=data, in_container=in_container)
    return ReadablePaths(settings, Blobs(settings))


def test_in_a_container_the_path_says_so(tmp_path: Path) -> None:
    row = kept(tmp_path, "song.mid", b"MThd")
    told = paths_of(tmp_path, in_container=True).full_path(row)
    assert told is not None and told.startswith(f"{tmp_path}/midi/song.mid (in the container; ")
    assert f"docker compose cp midi-store:{tmp_path}/midi/song.mid ." in told


def test_what_is_shown_follows_the_file_and_cannot_be_written(tmp_path: Path) -> None:
    paths = paths_of(tmp_path)
    first, second = kept(tmp_path, "song.mid", b"one"), kept(tmp_path, "song.mid", b"two")
    assert paths.full_path(first) == str(tmp_path / "midi" / "song.mid")
    assert Path(paths.full_path(second) or "").read_bytes() == b"two"
    assert paths.full_path(second), "and again"
    assert os.stat(tmp_path / "midi" / "song.mid").st_mode & 0o222 == 0
    assert sorted(each.name for each in (tmp_path / "midi").iterdir()) == ["midi_a", "song.mid"], "nothing is left over"
    paths.forget(second)
    assert not (tmp_path / "midi" / "song.mid").exists()


def test_bytes_that_are_stored_again_are_still_shown(tmp_path: Path) -> None:
    paths, place = paths_of(tmp_path), tmp_path / "midi" / "song.mid"
    first = kept(tmp_path, "song.mid", b"one")
    assert paths.full_path(first) == str(place)
    stored_again(tmp_path / first.blob_key)
    assert paths.full_path(first) == str(place)
    assert place.samefile(tmp_path / first.blob_key)
    stored_again(tmp_path / first.blob_key)
    second = kept(tmp_path, "song.mid", b"two")
    assert Path(paths.full_path(second) or "").read_bytes() == b"two"
    stored_again(tmp_path / second.blob_key)
    paths.forget(second)
    assert not place.exists()


def stored_again(blob: Path) -> None:
    """Write the same bytes as a store does: to a new file that takes the place of the old one."""
    new = blob.with_name("new")
    new.write_bytes(blob.read_bytes())
    new.replace(blob)


@pytest.mark.parametrize("theirs", ["file", "link", "folder"])
def test_what_the_user_put_there_stays(tmp_path: Path, theirs: str) -> None:
    paths, row, place = paths_of(tmp_path), kept(tmp_path, "song.mid", b"one"), tmp_path / "midi" / "song.mid"
    if theirs == "file":
        place.write_bytes(b"theirs")
    elif theirs == "link":
        place.symlink_to(tmp_path / row.blob_key)
    else:
        place.mkdir()
    assert paths.full_path(row) is None
    paths.forget(row)
    assert os.path.lexists(place)
