"""Programs from npm that the tests run, with the Node that the development packages bring."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def node() -> str:
    return _program("node")


def install(folder: Path) -> Path:
    """What a folder's package-lock.json says, installed there as it is locked; its node_modules."""
    lock, modules = folder / "package-lock.json", folder / "node_modules"
    installed = modules / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        command = [
            _program("npm"),
            "install",
            "--no-save",
            "--omit=optional",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ]
        subprocess.run(command, cwd=folder, env={**os.environ, "PATH": PATH}, check=True)
    return modules


def _program(name: str) -> str:
    found = shutil.which(name, path=PATH)
    assert found is not None, f"{name} is not among the development packages"
    return found
