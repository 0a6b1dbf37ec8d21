import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from consort_cli import bootstrap
from consort_cli.commands.test import typed_folders

SKIPPING = {
    "a test": "import pytest\ndef test_sound():\n    pytest.skip('no sound card')\ndef test_fine():\n    pass\n",
    "a module": "import pytest\npytest.importorskip('no_such_module')\n",
}


@pytest.mark.parametrize("what", SKIPPING)
@pytest.mark.parametrize("ci", ["true", ""])
def test_a_skip_is_a_failure_on_ci_and_loud_elsewhere(tmp_path: Path, what: str, ci: str) -> None:
    shutil.copy(bootstrap.ROOT / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(SKIPPING[what])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    environment = os.environ | {"CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # plugins take seconds to load
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    if ci:
        assert done.returncode in (1, 2)
        assert "nothing may be skipped on CI" in done.stdout
    else:
        assert done.returncode in (0, 5)  # 5: no other test was there
        assert "1 SKIPPED: on CI each of them is a failure" in done.stdout


def test_equal_test_names_are_typed_in_runs_of_their_own(tmp_path: Path) -> None:
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
