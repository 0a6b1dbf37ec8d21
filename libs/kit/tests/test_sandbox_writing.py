"""Files are written whole, by name, into one folder, and nowhere else."""

import os
from pathlib import Path

import pytest

from consort_kit.errors import AlreadyExists, InvalidInput
from consort_kit.sandbox import Sandbox


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    (tmp_path / "data" / "export").mkdir(parents=True)
    return Sandbox(tmp_path / "data", ("export",))


def test_written_and_replaced_only_when_asked(sandbox: Sandbox, tmp_path: Path) -> None:
    assert sandbox.write("export", "a.mid", b"one", overwrite=False) == "export/a.mid"
    with pytest.raises(AlreadyExists):
        sandbox.write("export", "a.mid", b"two", overwrite=False)
    assert sandbox.read("export/a.mid", 100) == b"one"
    sandbox.write("export", "a.mid", b"two", overwrite=True)
    assert sandbox.read("export/a.mid", 100) == b"two"
    assert [path.name for path in (tmp_path / "data" / "export").iterdir()] == ["a.mid"], "no temporary file is left"


@pytest.mark.parametrize("name", ["../a", "/etc/x", "a/b", "con", "", ".hidden", "a\0b", "x" * 300, "a\u202eb"])
def test_names_that_lead_elsewhere(sandbox: Sandbox, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        sandbox.write("export", name, b"x", overwrite=True)
    assert [path.name for path in tmp_path.rglob("*")] == ["data", "export"]


def test_links_are_replaced_and_never_followed(sandbox: Sandbox, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    os.symlink(outside, tmp_path / "data" / "export" / "link.mid")
    with pytest.raises(AlreadyExists):
        sandbox.write("export", "link.mid", b"x", overwrite=False)
    sandbox.write("export", "link.mid", b"x", overwrite=True)
    assert outside.read_bytes() == b"precious"
    assert not (tmp_path / "data" / "export" / "link.mid").is_symlink()


def test_folder_of_that_name(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "data" / "export" / "a.mid").mkdir()
    for overwrite in (False, True):
        with pytest.raises((AlreadyExists, InvalidInput)):
            sandbox.write("export", "a.mid", b"x", overwrite=overwrite)
