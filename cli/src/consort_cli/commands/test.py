"""`consort test`: run ruff, then pytest with mypy beside it, as CI does."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from consort_cli import bootstrap, downloads, sound_library
from consort_cli.commands.lock import DEV_LOCK
from consort_cli.system_packages import BROWSER, SOUNDS, SYNTH, SystemPackage, can_install, install, missing

DEV_STAMP = bootstrap.VENV / "consort-dev-stamp"

SYSTEM_PACKAGES = (
    *BROWSER,
    SystemPackage("git", "/usr/bin/git"),
    SystemPackage("jackd2", "/usr/bin/jackd"),  # real MIDI ports on a machine without a sound card
    *SYNTH,
    *SOUNDS,
)
"""Programs that the tests need from the operating system."""

WHOLE_SUITE = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
"""Options for pytest-xdist: three workers, also on two cores, because many tests wait. Each worker runs whole files, in
the order of `testpaths`: otherwise files with few but slow tests would come last."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Without these each worker's numpy has a thread per core, which wait for each other and use the cores up."""
WRITE_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}
"""Otherwise, where this is set, each worker and each process of a test compiles the same modules again."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="the long tests too")
    parser.add_argument(
        "pytest", nargs=argparse.REMAINDER, help="arguments for pytest: paths, or any option after `--`"
    )


def run(args: argparse.Namespace) -> int:
    install_development_packages()
    install_system_packages()
    downloads.install_if_possible()
    sound_library.install_if_possible()
    everything = ["-m", "long or not long"] if args.all else []
    asked = [part for part in args.pytest if part != "--"]
    for command in (["ruff", "check"], ["ruff", "format", "--check"]):
        print("──", *command, flush=True)
        if code := run_module(command).returncode:
            return code
    with ThreadPoolExecutor(1) as beside:
        types = beside.submit(check_types)  # takes a core for minutes, while many tests wait
        tests = ["pytest", *everything, *(asked or WHOLE_SUITE)]
        print("──", *tests, flush=True)
        failed = run_module(tests, WRITE_BYTECODE | ({} if asked else ONE_THREAD)).returncode
    print(types.result().stdout, end="")
    return failed or types.result().returncode


def check_types() -> subprocess.CompletedProcess[str]:
    """Run mypy until it finds an error. Return the last run, with the output of all of them."""
    places = {"MYPYPATH": os.pathsep.join(f"{folder}/src" for folder in bootstrap.packages())}
    output = ""
    for folders in typed_folders(bootstrap.ROOT):
        command = ["mypy", "--explicit-package-bases", *folders]
        began = time.monotonic()
        done = run_module(command, places, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output += f"── {' '.join(command)}\n{done.stdout}   {time.monotonic() - began:.1f} s\n"
        if done.returncode:
            break
    return subprocess.CompletedProcess(done.args, done.returncode, output)


def run_module(
    command: list[str], settings: Mapping[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a Python module in the repository, with these environment variables too."""
    environment = os.environ | (settings or {})
    return subprocess.run([sys.executable, "-m", *command], cwd=bootstrap.ROOT, env=environment, text=True, **options)


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
