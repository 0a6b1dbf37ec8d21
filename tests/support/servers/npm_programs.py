"""Install and run programs from npm, with the Node of the development packages."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def node() -> str:
    return _program("node")


def install(folder: Path) -> Path:
    """Install the packages of a folder's package-lock.json, if needed. Return the folder `node_modules`."""
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
