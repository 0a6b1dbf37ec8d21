import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from consort_cli import bootstrap
from consort_cli.commands.test import typed_folders

SKIPPING = [
    pytest.param(
        "import pytest\ndef test_sound():\n    pytest.skip('no sound card')\ndef test_fine():\n    pass\n",
        {True: 1, False: 0},
        id="a test",
    ),
    pytest.param(
        "import pytest\npytest.importorskip('no_such_module')\n",
        {True: 2, False: 5},  # an error while collecting; no test was found
        id="a module",
    ),
]
"""Test code that skips, and the exit codes of pytest: by True on CI, by False elsewhere."""


@pytest.mark.parametrize(("code", "codes"), SKIPPING)
@pytest.mark.parametrize("ci", ["true", ""])
def test_a_skip_is_a_failure_on_ci_and_reported_elsewhere(
    tmp_path: Path, code: str, codes: dict[bool, int], ci: str
) -> None:
    shutil.copy(bootstrap.ROOT / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(code)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    environment = os.environ | {"CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # plugins take seconds to load
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == codes[bool(ci)]
    assert (
        "skipped, which is not allowed on CI" if ci else "1 SKIPPED: on CI each of them is a failure"
    ) in done.stdout


def test_files_of_the_same_name_are_type_checked_in_separate_runs(tmp_path: Path) -> None:
    for name in ("a-svc", "b-svc", "libs/c"):
        (tmp_path / name / "tests").mkdir(parents=True)
        (tmp_path / name / "pyproject.toml").touch()
    for name in ("a-svc/tests/conftest.py", "b-svc/tests/conftest.py", "libs/c/tests/test_c.py", "conftest.py"):
        (tmp_path / name).touch()
    assert typed_folders(tmp_path) == [
        ["libs/c/src", "a-svc/src", "b-svc/src", "conftest.py", "libs/c/tests"],
        ["a-svc/tests"],
        ["b-svc/tests"],
    ]
