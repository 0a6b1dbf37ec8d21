"""The path sandbox writes complete files into the given folder, and nowhere else."""

import os
from pathlib import Path

import pytest

from consort_kit.errors import AlreadyExists, ConsortError, InvalidInput
from consort_kit.storage.path_sandbox import Sandbox


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    (tmp_path / "data" / "export").mkdir(parents=True)
    return Sandbox(tmp_path / "data", ("export",))


def test_a_file_is_replaced_only_with_overwrite(sandbox: Sandbox, tmp_path: Path) -> None:
    assert sandbox.write("export", "a.mid", b"one", overwrite=False) == "export/a.mid"
    with pytest.raises(AlreadyExists):
        sandbox.write("export", "a.mid", b"two", overwrite=False)
    assert sandbox.read("export/a.mid", 100) == b"one"
    sandbox.write("export", "a.mid", b"two", overwrite=True)
    assert sandbox.read("export/a.mid", 100) == b"two"
    assert [path.name for path in (tmp_path / "data" / "export").iterdir()] == ["a.mid"], "no temporary file is left"


@pytest.mark.parametrize("name", ["../a", "/etc/x", "a/b", "con", "", ".hidden", "a\0b", "x" * 300, "a\u202eb"])
def test_names_that_lead_outside_are_rejected(sandbox: Sandbox, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        sandbox.write("export", name, b"x", overwrite=True)
    assert [path.name for path in tmp_path.rglob("*")] == ["data", "export"]


def test_symbolic_links_are_replaced_and_not_followed(sandbox: Sandbox, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    os.symlink(outside, tmp_path / "data" / "export" / "link.mid")
    with pytest.raises(AlreadyExists):
        sandbox.write("export", "link.mid", b"x", overwrite=False)
    sandbox.write("export", "link.mid", b"x", overwrite=True)
    assert outside.read_bytes() == b"precious"
    assert not (tmp_path / "data" / "export" / "link.mid").is_symlink()


@pytest.mark.parametrize(("overwrite", "error"), [(False, AlreadyExists), (True, InvalidInput)])
def test_a_folder_has_the_name(sandbox: Sandbox, tmp_path: Path, overwrite: bool, error: type[ConsortError]) -> None:
    (tmp_path / "data" / "export" / "a.mid").mkdir()
    with pytest.raises(error):
        sandbox.write("export", "a.mid", b"x", overwrite=overwrite)
