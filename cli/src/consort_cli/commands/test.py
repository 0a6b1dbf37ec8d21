"""`consort test`: run ruff, mypy and pytest, in that order, as CI does."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from consort_cli import bootstrap, listening_models
from consort_cli.commands.lock import DEV_LOCK
from consort_cli.system_packages import SYNTH, SystemPackage, can_install, install, missing

DEV_STAMP = bootstrap.VENV / "consort-dev-stamp"

SYSTEM_PACKAGES = (
    SystemPackage("chromium", "/usr/bin/chromium"),  # the browser pages
    SystemPackage("git", "/usr/bin/git"),
    SystemPackage("jackd2", "/usr/bin/jackd"),  # real MIDI ports on a machine without a sound card
    *SYNTH,
)
"""Programs that the tests need from the operating system."""

WHOLE_SUITE = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
"""Options for pytest-xdist: three workers, also on two cores, because many tests wait. Each worker runs whole files, in
the order of `testpaths`: otherwise files with few but slow tests would come last."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="the long tests too")
    parser.add_argument(
        "pytest", nargs=argparse.REMAINDER, help="arguments for pytest: paths, or any option after `--`"
    )


def run(args: argparse.Namespace) -> int:
    install_development_packages()
    install_system_packages()
    listening_models.install_if_possible()
    environment = os.environ | {"MYPYPATH": os.pathsep.join(f"{folder}/src" for folder in bootstrap.packages())}
    everything = ["-m", "long or not long"] if args.all else []
    asked = [part for part in args.pytest if part != "--"]
    steps = [
        ["ruff", "check"],
        ["ruff", "format", "--check"],
        *(["mypy", "--explicit-package-bases", *folders] for folders in typed_folders(bootstrap.ROOT)),
        ["pytest", *everything, *(asked or WHOLE_SUITE)],  # last: its summary ends the output
    ]
    for command in steps:
        if code := run_step(command, environment):
            return code
    return 0


def run_step(command: list[str], environment: Mapping[str, str]) -> int:
    print("──", *command, flush=True)
    began = time.monotonic()
    code = subprocess.run([sys.executable, "-m", *command], cwd=bootstrap.ROOT, env=environment).returncode
    if command[0] != "pytest":
        print(f"   {time.monotonic() - began:.1f} s", *(["FAILED"] if code else []), flush=True)
    return code


def typed_folders(root: Path) -> list[list[str]]:
    """Return the folders that mypy checks, in as few runs as possible.

    For mypy a file in `audio-svc/tests` is a top-level module, because `audio-svc` is not a valid package name. So two
    test files with the same name must be in different runs.
    """
    shared = [name for name in ("tests", "benchmarks", "evaluation", "conftest.py") if (root / name).exists()]
    runs = [[f"{folder}/src" for folder in bootstrap.packages(root)] + shared]
    modules = [{"conftest.py"}]
    for folder in bootstrap.packages(root):
        tests = root / folder / "tests"
        found = {str(path.relative_to(tests)) for path in tests.glob("**/*.py")}
        if not found:
            continue
        index = next((index for index, others in enumerate(modules) if not others & found), len(runs))
        if index == len(runs):
            runs.append([])
            modules.append(set())
        runs[index].append(f"{folder}/tests")
        modules[index] |= found
    return runs


def install_development_packages() -> None:
    wanted = str(bootstrap.posix_checksum((bootstrap.ROOT / DEV_LOCK).read_bytes()))
    with bootstrap.one_at_a_time(bootstrap.INSTALL_LOCK):
        if DEV_STAMP.exists() and DEV_STAMP.read_text() == wanted:
            return
        DEV_STAMP.unlink(missing_ok=True)
        bootstrap.uv_pip("development packages", "install", "--no-deps", "--require-hashes", "-r", DEV_LOCK)
        DEV_STAMP.write_text(wanted)


def install_system_packages() -> None:
    lacking = missing(SYSTEM_PACKAGES)
    if not lacking:
        return
    if not can_install():
        raise SystemExit(f"consort test: these must be installed first: {', '.join(lacking)}")
    install(lacking)
