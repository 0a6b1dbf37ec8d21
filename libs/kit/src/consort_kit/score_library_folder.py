"""Where the score library of compose-svc is. The command line installs it without importing that service."""

import os
import sys
from pathlib import Path

FOLDER_SETTING = "CONSORT_SCORE_LIBRARY"


def score_library_folder() -> Path:
    """Return the folder with music21: CONSORT_SCORE_LIBRARY, otherwise one in this Python's environment."""
    given = os.environ.get(FOLDER_SETTING)
    return Path(given) if given else Path(sys.prefix) / "share" / "consort-score-library"
