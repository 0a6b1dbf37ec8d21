"""Build the local sound library of strudel-svc from packages of the operating system.

A child process does the work. The stamp file in the library's folder names what it was made from; as long as it
matches, nothing is built. Without the library scripts can be played with synths only, so a failure is reported in one
line and the studio starts. The service is not imported.
"""

import hashlib
import os
import subprocess
import sys

from consort_cli import bootstrap, system_packages
from consort_kit.sounds_folder import FOLDER_SETTING, find_sonic_pi_samples, find_soundfont, library_folder

_CODE = bootstrap.ROOT / "strudel-svc" / "src" / "consort_strudel" / "sounds"
_STAMP = "consort-stamp"


def install_if_possible() -> None:
    """Install what makes Strudel sound if it is missing or out of date. If that fails, print one line and return."""
    if os.environ.get(FOLDER_SETTING):  # a folder that you give is yours
        return
    system_packages.install_if_possible(system_packages.SOUNDS, "the sound library of Strudel")
    if (find_soundfont() is None and find_sonic_pi_samples() is None) or is_current():
        return
    try:
        build()
    except (subprocess.CalledProcessError, OSError):
        bootstrap.say("the sound library could not be built; Strudel plays synths only")


def is_current() -> bool:
    """Return whether the library was built from what is installed now, by this code."""
    try:
        return (library_folder() / _STAMP).read_text() == fingerprint()
    except OSError:
        return False


def fingerprint() -> str:
    """Return the checksum of the code, and of the names and sizes of the sources."""
    digest = hashlib.sha256()
    for path in sorted(_CODE.glob("*.py")):
        digest.update(path.name.encode() + b"\n" + path.read_bytes())
    font, samples = find_soundfont(), find_sonic_pi_samples()
    for file in [*([font] if font else []), *(sorted(samples.glob("*.flac")) if samples else [])]:
        digest.update(f"{file.name} {file.stat().st_size}\n".encode())
    return digest.hexdigest()


def build() -> None:
    """Build the library. Raise CalledProcessError if that fails."""
    bootstrap.step("sound library (73 MB)", [sys.executable, "-P", "-m", "consort_strudel.sounds.build"])
    (library_folder() / _STAMP).write_text(fingerprint())
