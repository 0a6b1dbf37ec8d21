"""Test the `./consort` script on a new machine: a fresh copy of the repository and an empty HOME."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from consort_cli import bootstrap

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the script is for POSIX shells")


class RepositoryCopy:
    """A copy of the repository in a folder with spaces, run with an empty HOME."""

    def __init__(self, base: Path) -> None:
        self.root = base / "a folder with spaces" / "consort"
        self.home = base / "home"
        self.home.mkdir()
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=bootstrap.ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for name in filter(None, listed.split("\0")):
            if (bootstrap.ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(bootstrap.ROOT / name, self.root / name)
        cache = subprocess.run([bootstrap.UV, "cache", "dir"], capture_output=True, text=True, check=True).stdout
        self.environment = os.environ | {"HOME": str(self.home), "UV_CACHE_DIR": cache.strip()}  # avoids downloads

    def start(self, script: Path | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [script or self.root / "consort", "--help"],
            cwd="/",
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, script: Path | None = None) -> tuple[str, str]:
        """Run the script and return its standard output and standard error."""
        return self.finish(self.start(script))

    def finish(self, child: subprocess.Popen[str]) -> tuple[str, str]:
        output, errors = child.communicate()
        assert child.returncode == 0, errors
        return output, errors


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> tuple[RepositoryCopy, str, str]:
    """Return a copy that was started once, through a symbolic link, with its standard output and standard error."""
    copy = RepositoryCopy(tmp_path_factory.mktemp("fresh"))
    link = copy.home / "link"
    link.symlink_to(copy.root / "consort")
    return copy, *copy.run(link)


def test_first_start_installs_and_keeps_standard_output_clean(fresh: tuple[RepositoryCopy, str, str]) -> None:
    _, output, errors = fresh
    assert output.startswith("usage: consort")
    assert "consort: installing into" in errors
    assert "consort: installed in" in errors


def test_script_and_bootstrap_agree_on_the_stamp(fresh: tuple[RepositoryCopy, str, str]) -> None:
    root = fresh[0].root
    assert (root / ".venv/consort-stamp").read_text() == f"{bootstrap.fingerprint(root)}\n{root.resolve()}\n"


def test_second_start_does_nothing(fresh: tuple[RepositoryCopy, str, str]) -> None:
    copy = fresh[0]
    output, errors = copy.run()
    assert output.startswith("usage: consort")
    assert errors == ""


def test_changed_package_is_installed_again_in_the_same_environment(fresh: tuple[RepositoryCopy, str, str]) -> None:
    copy = fresh[0]
    with (copy.root / "gateway/pyproject.toml").open("a") as file:
        file.write("\n# changed\n")
    _, errors = copy.run()
    assert "installing into" in errors
    assert "environment:" not in errors
    assert copy.run()[1] == ""


@pytest.mark.long
def test_interrupted_install_is_repaired_by_one_of_two_starts_at_once(fresh: tuple[RepositoryCopy, str, str]) -> None:
    copy = fresh[0]
    (copy.root / ".venv/consort-stamp").unlink()
    half_written = next((copy.root / ".venv").glob("lib/python3.*/site-packages/pydantic/main.py"))
    half_written.unlink()
    both = [copy.start(), copy.start()]
    finished = [copy.finish(child) for child in both]
    assert all(output.startswith("usage: consort") for output, _ in finished)
    assert sum("installing into" in errors for _, errors in finished) == 1
    assert half_written.exists()


def test_the_cache_is_in_the_environment_if_home_is_not_writable() -> None:
    program = "from consort_cli import bootstrap; print(bootstrap.uv_environment()['UV_CACHE_DIR'])"
    bare = {"HOME": "/dev/null", "PATH": os.environ["PATH"]}
    found = subprocess.run([bootstrap.PYTHON, "-c", program], env=bare, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(bootstrap.VENV / "uv-cache")


@pytest.mark.parametrize("data", [b"", b"consort\n", bytes(range(256)) * 300])
def test_checksum_is_that_of_cksum(data: bytes) -> None:
    expected = subprocess.run(["cksum"], input=data, capture_output=True, check=True).stdout.split()[0]
    assert bootstrap.posix_checksum(data) == int(expected)
