"""Find Chromium on this machine, and say how to get it."""

import os
import shutil
from pathlib import Path

SETTING = "CONSORT_CHROMIUM"
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_PLACES = (
    "/usr/lib/chromium/chromium-headless-shell",  # first: it starts in a third of the CPU time
    "/usr/lib/chromium/chromium",  # without the shell script around it
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
HOW_TO_GET = "apt-get install chromium-headless-shell (or chromium); other systems: install Chrome or Chromium"


def find_browser() -> Path | None:
    """Return the program in CONSORT_CHROMIUM, otherwise the first Chromium or Chrome that is installed, or None."""
    given = os.environ.get(SETTING)
    if given:
        return Path(given) if os.access(given, os.X_OK) else None
    for place in _PLACES:
        if os.access(place, os.X_OK):
            return Path(place)
    return next((Path(found) for name in _NAMES if (found := shutil.which(name))), None)
