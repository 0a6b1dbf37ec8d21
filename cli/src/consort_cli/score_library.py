"""Install the score library of compose-svc: music21 with its corpus, without the packages for its plots.

A child process does the work: `python -m consort_cli.score_library`. MusicXML, ABC and note lists are read without it,
so a failure is reported in one line and the studio starts.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from consort_cli import bootstrap, model_packages
from consort_kit.score_library_folder import FOLDER_SETTING, score_library_folder

VERSION = "10.5.1"
LICENCE = "BSD-3-Clause; pieces have their own licences"
LOCK = "compose-svc/score-library.lock"
DOWNLOAD_MB = 25
PACKAGES = (
    f"music21=={VERSION}",
    "chardet>=5",
    "more-itertools>=10",
    "webcolors>=24",
    "requests>=2.32",  # this and the next four: music21 imports requests, and nothing here calls it
    "urllib3>=2",
    "idna>=3",
    "certifi>=2024",
    "charset-normalizer>=3",
)


def install_if_possible() -> None:
    """Install the library if it is missing or out of date. If that fails, print one line and return."""
    if os.environ.get(FOLDER_SETTING) or is_current():  # a folder that you give is yours
        return
    try:
        bootstrap.step(f"score library ({DOWNLOAD_MB} MB)", [sys.executable, "-P", "-m", "consort_cli.score_library"])
    except (subprocess.CalledProcessError, OSError):
        bootstrap.say("the score library could not be installed; find_scores works, but its pieces cannot be read")


def is_current() -> bool:
    """Return whether the library is the one of the lock."""
    return model_packages.has_stamp(score_library_folder(), fingerprint())


def fingerprint() -> str:
    """Return the checksum of what the folder is made from."""
    return hashlib.sha256((bootstrap.ROOT / LOCK).read_bytes()).hexdigest()


def install(folder: Path) -> None:
    """Make the folder of the library. Raise CalledProcessError if the download fails."""

    def fill(packages: Path, library: Path) -> None:
        model_packages.download(LOCK, packages)
        for path in packages.iterdir():
            path.rename(library / path.name)

    model_packages.make_folder(folder, fingerprint(), fill)


def main() -> int:
    return model_packages.install_once(is_current, lambda: install(score_library_folder()))


def describe() -> str:
    """Return the name, version and licence of the library."""
    return f"music21 {VERSION} with its corpus ({LICENCE})"


if __name__ == "__main__":
    sys.exit(main())
