"""Collect the files of a bundle, and write them as a zip archive that is the same for the same files."""

import json
import subprocess
import zipfile
from importlib.resources import files
from pathlib import Path

from consort_cli import bootstrap
from consort_cli.bootstrap import ROOT
from consort_cli.bundle.manifest import manifest
from consort_cli.launcher.errors import LauncherError
from consort_kit import API_VERSION

_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, the earliest that the format has."""
_BESIDE_PACKAGES = [
    "pyproject.toml",
    "consort",
    "consort.cmd",
    "README.md",
    "LICENSE",
    "NOTICE",
    "server.json",
    "docs",
    "skills",
]
_LEFT_OUT = ("docs/pictures/", "/tests/")
PYPROJECT = f"""\
# uv only provides Python here. start.py installs the packages, from hashed locks.
[project]
name = "consort-bundle"
version = "{API_VERSION}"
requires-python = ">=3.11,<3.13"
dependencies = []

[tool.uv]
package = false
"""


class NotACheckout(LauncherError):
    """The files of a release cannot be told from others, because git does not list them."""


def bundle_files() -> dict[str, bytes]:
    """Return the content of each file by its name in the bundle. Only files that git knows are in it."""
    command = ["git", "ls-files", "-z", "--", *bootstrap.packages(), *_BESIDE_PACKAGES]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotACheckout(f"A bundle is made from a git checkout, and {ROOT} is none.") from error
    names = [name for name in listed.split("\0") if name and not any(part in name for part in _LEFT_OUT)]
    return {
        "manifest.json": (json.dumps(manifest(), indent=1, ensure_ascii=False) + "\n").encode(),
        "pyproject.toml": PYPROJECT.encode(),
        "start.py": files("consort_cli.bundle").joinpath("start.py").read_bytes(),
        **{f"consort/{name}": (ROOT / name).read_bytes() for name in sorted(names)},
    }


def write_archive(target: Path, content: dict[str, bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # so that the mode below counts
            entry.external_attr = (0o755 if name == "consort/consort" else 0o644) << 16
            archive.writestr(entry, data)
