"""Install the listening models of audio-svc: download their packages, convert them, and keep only the result.

A child process does the work: `python -m consort_cli.listening_models`. It makes the models folder under a temporary
name and renames it at the end, so that there is never half a folder. The stamp file in the folder names what it was
made from; as long as it matches, nothing is installed. Everything works without the models, only less precisely, so a
failure is reported in one line and the studio starts.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from consort_cli import bootstrap
from consort_kit.models_folder import FOLDER_SETTING, models_folder

if TYPE_CHECKING:
    from consort_audio.neural.catalogue import ListeningModel

LOCK = "audio-svc/models.lock"
DOWNLOAD_MB = 88
_CODE = "audio-svc/src/consort_audio/neural"
_STAMP = "consort-stamp"
_TEMPORARY = ".consort-models-"


def install_if_possible() -> None:
    """Install the models if they are missing or out of date. If that fails, print one line and return."""
    if os.environ.get(FOLDER_SETTING) or is_current():  # a folder that you give is yours
        return
    title = f"listening models ({DOWNLOAD_MB} MB)"
    try:
        bootstrap.step(title, [sys.executable, "-P", "-m", "consort_cli.listening_models"])
    except (subprocess.CalledProcessError, OSError):
        bootstrap.say("the listening models could not be installed; audio is analyzed by plain methods")


def is_current() -> bool:
    """Return whether the models were made from this lock by this code."""
    try:
        return (models_folder() / _STAMP).read_text() == fingerprint()
    except OSError:
        return False


def missing_models() -> "list[ListeningModel]":
    """Return the models that are not installed."""
    from consort_audio.neural.catalogue import CATALOGUE

    folder = models_folder()
    return [model for model in CATALOGUE if not all((folder / name).is_file() for name in model.files)]


def fingerprint() -> str:
    """Return the checksum of what the models are made from: the lock, the catalogue and the conversion."""
    paths = [bootstrap.ROOT / LOCK, bootstrap.ROOT / _CODE / "catalogue.py"]
    paths += sorted((bootstrap.ROOT / _CODE / "conversion").glob("*.py"))
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def install(folder: Path) -> None:
    """Make the models folder. Raise CalledProcessError if the download fails, UnknownModelFile if a package differs."""
    from consort_audio.neural.conversion.convert_all import convert_all  # imports numpy

    folder.parent.mkdir(parents=True, exist_ok=True)
    for left_over in folder.parent.glob(f"{_TEMPORARY}*"):
        shutil.rmtree(left_over)
    temporary = folder.parent / f"{_TEMPORARY}{os.getpid()}"
    packages, models, replaced = (temporary / name for name in ("packages", "models", "replaced"))
    try:
        models.mkdir(parents=True)
        download(packages)
        convert_all(packages, models)
        (models / _STAMP).write_text(fingerprint())
        if folder.exists():
            folder.rename(replaced)
        models.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def download(target: Path) -> None:
    """Install the packages of the lock into a folder of their own: wheels only, so that none of their code runs."""
    command: list[str | Path] = [
        bootstrap.UV,
        "pip",
        "install",
        "--quiet",
        "--python",
        bootstrap.PYTHON,
        "--target",
        target,
    ]
    command += ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", bootstrap.ROOT / LOCK]
    environment = {"UV_HTTP_RETRIES": "1"} | bootstrap.uv_environment()  # without a network, do not delay the start
    subprocess.run(command, env=environment, check=True, capture_output=True, text=True)


def main() -> int:
    from consort_audio.neural.conversion.errors import UnknownModelFile

    try:
        with bootstrap.one_at_a_time(bootstrap.INSTALL_LOCK):
            if not is_current():  # another process may have installed them while this one waited
                install(models_folder())
    except subprocess.CalledProcessError as error:
        lines = [line.strip() for line in str(error.stderr).splitlines() if line.strip()]
        bootstrap.say(f"the download failed: {' '.join(lines[:1] + lines[1:][-1:])[:240]}")
        return 1
    except (UnknownModelFile, OSError) as error:
        bootstrap.say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
