"""Where the sound library of strudel-svc is, and its sources on this machine.

The command line builds the library without importing that service.
"""

import glob
import os
import sys
from pathlib import Path

FOLDER_SETTING = "CONSORT_STRUDEL_SOUNDS"
_SOUNDFONTS = ("/usr/share/sounds/sf3/FluidR3Mono_GM.sf3", "/usr/share/*/FluidR3Mono_GM.sf3")
_SAMPLES = ("/usr/share/sonic-pi/samples",)


def library_folder() -> Path:
    """Return the folder of the library: CONSORT_STRUDEL_SOUNDS, otherwise one in this Python's environment."""
    given = os.environ.get(FOLDER_SETTING)
    return Path(given) if given else Path(sys.prefix) / "share" / "consort-sounds"


def find_soundfont() -> Path | None:
    """Return the soundfont FluidR3Mono of this machine, or None."""
    return _first(_SOUNDFONTS)


def find_sonic_pi_samples() -> Path | None:
    """Return the folder with the samples of Sonic Pi, or None."""
    return _first(_SAMPLES)


def _first(patterns: tuple[str, ...]) -> Path | None:
    return next((Path(path) for pattern in patterns for path in sorted(glob.glob(pattern))), None)
