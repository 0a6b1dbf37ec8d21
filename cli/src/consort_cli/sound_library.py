"""Build the local sound library of strudel-svc from packages of the operating system.

A child process does the work. Without the library scripts can be played with synths only, so a failure is reported in
one line and the studio starts.
"""

import os
import subprocess
import sys

from consort_cli import bootstrap, system_packages
from consort_strudel.sounds.fingerprint import is_current
from consort_strudel.sounds.folders import FOLDER_SETTING, find_sonic_pi_samples, find_soundfont, library_folder


def install_if_possible() -> None:
    """Install what makes Strudel sound if it is missing or out of date. If that fails, print one line and return."""
    if os.environ.get(FOLDER_SETTING):  # a folder that you give is yours
        return
    system_packages.install_if_possible(system_packages.SOUNDS, "the sound library of Strudel")
    if (find_soundfont() is None and find_sonic_pi_samples() is None) or is_current(library_folder()):
        return
    try:
        build()
    except (subprocess.CalledProcessError, OSError):
        bootstrap.say("the sound library could not be built; Strudel plays synths only")


def build() -> None:
    """Build the library. Raise CalledProcessError if that fails."""
    bootstrap.step("sound library (73 MB)", [sys.executable, "-P", "-m", "consort_strudel.sounds.build"])
