"""`consort test`: lint, types and tests, in that order, as CI runs them."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from consort_cli import bootstrap
from consort_cli.commands.lock import DEV_LOCK

DEV_STAMP = bootstrap.VENV / "consort-dev-stamp"

DEBIAN_PACKAGES = {"git": "git"}
"""What the tests run that no lock brings: command, Debian package."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="the long tests too")
    parser.add_argument(
        "pytest", nargs=argparse.REMAINDER, help="arguments for pytest: paths, or any option after `--`"
    )


def run(args: argparse.Namespace) -> int:
    install_development_packages()
    install_system_packages()
    # Test modules in several folders have equal names: told the roots of our packages, mypy uses their full names.
    environment = os.environ | {"MYPYPATH": os.pathsep.join(f"{folder}/src" for folder in bootstrap.packages())}
    everything = ["-m", "long or not long"] if args.all else []
    steps: dict[str, list[str]] = {
        "ruff check": ["ruff", "check"],
        "ruff format": ["ruff", "format", "--check"],
        "mypy": ["mypy", "--explicit-package-bases", *typed_folders()],
        # last, so that its summary ends the output
        "pytest": ["pytest", *everything, *(part for part in args.pytest if part != "--")],
    }
    for title, command in steps.items():
        if code := run_step(title, command, environment):
            return code
    return 0


def run_step(title: str, command: list[str], environment: Mapping[str, str]) -> int:
    print(f"── {title}", flush=True)
    began = time.monotonic()
    code = subprocess.run([sys.executable, "-m", *command], cwd=bootstrap.ROOT, env=environment).returncode
    if code:
        print(f"consort test: {title} failed with exit code {code}", file=sys.stderr)
    elif title != "pytest":
        print(f"   {time.monotonic() - began:.1f} s", flush=True)
    return code


def typed_folders() -> list[str]:
    """The sources and tests of every package, then what belongs to all of them."""
    inside = [f"{folder}/{part}" for folder in bootstrap.packages() for part in ("src", "tests")]
    return [name for name in [*inside, "tests", "benchmarks", "conftest.py"] if holds_python(bootstrap.ROOT / name)]


def holds_python(path: Path) -> bool:
    return path.is_file() or any(path.glob("**/*.py"))


def install_development_packages() -> None:
    wanted = str(bootstrap.posix_checksum((bootstrap.ROOT / DEV_LOCK).read_bytes()))
    with bootstrap.one_at_a_time(bootstrap.INSTALL_LOCK):
        if DEV_STAMP.exists() and DEV_STAMP.read_text() == wanted:
            return
        DEV_STAMP.unlink(missing_ok=True)
        bootstrap.uv_pip("development packages", "install", "--no-deps", "--require-hashes", "-r", DEV_LOCK)
        DEV_STAMP.write_text(wanted)


def install_system_packages() -> None:
    missing = [package for command, package in DEBIAN_PACKAGES.items() if not shutil.which(command)]
    if not missing:
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        raise SystemExit(f"consort test: these must be installed first: {', '.join(missing)}")
    bootstrap.step("package lists", ["apt-get", "-qq", "update"])
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    bootstrap.step(", ".join(missing), ["apt-get", "-qq", "-y", "install", "--no-install-recommends", *missing], quiet)
