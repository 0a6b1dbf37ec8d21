"""The path sandbox copies large files out of its folders, with the same checks as for reading."""

from pathlib import Path

import pytest

from consort_kit.errors import InvalidInput, NotFound, ServiceDown, TooLarge
from consort_kit.storage.path_sandbox import Sandbox


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    for folder in ("import", "export"):
        (tmp_path / "data" / folder).mkdir(parents=True)
    return Sandbox(tmp_path / "data", ("import", "export"), "take.wav")


def test_a_file_is_copied(sandbox: Sandbox, tmp_path: Path) -> None:
    content = bytes(range(256)) * 20_000
    (tmp_path / "data" / "export" / "long.wav").write_bytes(content)
    sandbox.copy("long.wav", tmp_path / "copy", len(content))
    assert (tmp_path / "copy").read_bytes() == content
    with pytest.raises(TooLarge, match="at most 5,119,999"):
        sandbox.copy("long.wav", tmp_path / "second", len(content) - 1)
    assert not (tmp_path / "second").exists()


def test_a_copy_that_cannot_be_written_is_reported(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "data" / "import" / "take.wav").write_bytes(b"sound")
    with pytest.raises(ServiceDown, match="disk is not full"):
        sandbox.copy("take.wav", tmp_path / "no folder" / "copy", 1000)


def test_paths_that_are_not_copied_name_a_fitting_example(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "data" / "secret").write_bytes(b"canary")
    (tmp_path / "data" / "import" / "link").symlink_to(tmp_path / "data" / "secret")
    for path in ("../secret", "/etc/passwd", "link", "a\\b"):
        with pytest.raises(InvalidInput, match=r"Example: import/take\.wav"):
            sandbox.copy(path, tmp_path / "copy", 1000)
    with pytest.raises(NotFound):
        sandbox.copy("nothing.wav", tmp_path / "copy", 1000)
    assert not (tmp_path / "copy").exists()
