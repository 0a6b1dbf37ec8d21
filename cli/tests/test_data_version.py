"""The file that says which Consort made the data."""

import json
from pathlib import Path

import pytest

from consort_cli.launcher.data_version import check_data_version
from consort_cli.launcher.errors import LauncherError

DAMAGED = ["", "{", "[]", '{"migrations": 5}', '{"migrations": {"midi_store": "x"}}', '{"migrations": {"audio": null}}']


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_written_again(tmp_path: Path, content: str) -> None:
    file = tmp_path / "made-by.json"
    file.write_text(content)
    check_data_version(tmp_path)
    assert json.loads(file.read_text())["migrations"]["midi_store"] >= 3


def test_data_of_a_newer_consort_are_refused_and_not_changed(tmp_path: Path) -> None:
    content = '{"consort": "9.0", "migrations": {"midi_store": 4000}}'
    (tmp_path / "made-by.json").write_text(content)
    with pytest.raises(LauncherError, match="newer Consort"):
        check_data_version(tmp_path)
    assert (tmp_path / "made-by.json").read_text() == content
