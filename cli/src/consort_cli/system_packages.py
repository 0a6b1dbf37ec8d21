"""Libraries and programs that come from the operating system, not from a lock file.

They are installed with apt on Debian and Ubuntu if this process is root, and with Homebrew on macOS (untested). On
other systems the missing packages are only reported.
"""

import glob
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from consort_cli import bootstrap


@dataclass(frozen=True)
class SystemPackage:
    debian: str
    proof: str
    """A file that exists if the package is installed. The path may have wildcards."""
    homebrew: str | None = None
    homebrew_proof: str | None = None
    substitute: str | None = None
    """A file that can be used instead, like `proof`. If it exists, the package is installed but not asked for."""


SYNTH = (
    SystemPackage("libfluidsynth3", "/usr/lib/*/libfluidsynth.so.3", "fluid-synth", "/*/*/lib/libfluidsynth.dylib"),
    SystemPackage(
        "musescore-general-soundfont-small",
        "/usr/share/sounds/sf[23]/MuseScore_General*.sf[23]",
        substitute="/usr/share/*/sf[23]/*.sf[23]",
    ),
)
"""FluidSynth and a General MIDI soundfont: the built-in synth of the playback agent, and rendering in audio-svc."""
SOUNDS = (
    SystemPackage("fluidr3mono-gm-soundfont", "/usr/share/sounds/sf3/FluidR3Mono_GM.sf3"),
    SystemPackage("sonic-pi-samples", "/usr/share/sonic-pi/samples"),
)
"""What the sound library of strudel-svc is built from."""
BROWSER = (
    SystemPackage(
        "chromium-headless-shell",
        "/usr/lib/chromium/chromium*",
        substitute="/usr/bin/google-chrome*",
    ),
)
"""Renders Strudel scripts. Any Chromium or Chrome will do."""
_SIZES = {
    "musescore-general-soundfont-small": "40 MB",
    "fluidr3mono-gm-soundfont": "23 MB",
    "sonic-pi-samples": "22 MB",
    "chromium-headless-shell": "220 MB",
}
"""What large packages take on disk."""


def missing(packages: Sequence[SystemPackage]) -> list[str]:
    """Return the names of the missing packages, as used by this system's package manager."""
    if sys.platform == "darwin":
        wanted = [(each.homebrew, each.homebrew_proof) for each in packages]
        return [name for name, proof in wanted if name and proof and not glob.glob(proof)]
    if sys.platform != "linux":
        return []
    return [each.debian for each in packages if not glob.glob(each.proof)]


def can_install() -> bool:
    if sys.platform == "darwin":
        return shutil.which("brew") is not None
    return sys.platform == "linux" and shutil.which("apt-get") is not None and os.geteuid() == 0


def install(names: Sequence[str]) -> None:
    """Install the packages. Raise CalledProcessError if the installer fails."""
    title = ", ".join(f"{name} ({_SIZES[name]})" if name in _SIZES else name for name in names)
    if sys.platform == "darwin":
        bootstrap.step(title, ["brew", "install", "--quiet", *names])
        return
    bootstrap.step("package lists", ["apt-get", "-qq", "update"])
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    bootstrap.step(title, ["apt-get", "-qq", "-y", "install", "--no-install-recommends", *names], quiet)


def install_if_possible(packages: Sequence[SystemPackage], why: str) -> None:
    """Install the missing packages if possible, otherwise print a message. The studio also starts without them."""
    names = missing(packages)
    if not names:
        return
    if not can_install():
        packages = [each for each in packages if not (each.substitute and glob.glob(each.substitute))]
        if not (names := missing(packages)):
            return
        command = "brew install" if sys.platform == "darwin" else "apt-get install"
        bootstrap.say(f"{why} is not installed: {command} {' '.join(names)}")
        return
    try:
        install(names)
    except (subprocess.CalledProcessError, OSError):
        bootstrap.say(f"{why} could not be installed; the studio starts without it")
