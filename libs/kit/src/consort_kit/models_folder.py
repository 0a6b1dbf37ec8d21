"""Where the listening models of audio-svc are. The command line installs them without importing that service."""

import os
import sys
from pathlib import Path

FOLDER_SETTING = "CONSORT_AUDIO_MODELS"


def models_folder() -> Path:
    """Return the folder of the models: CONSORT_AUDIO_MODELS, otherwise one in this Python's environment."""
    given = os.environ.get(FOLDER_SETTING)
    return Path(given) if given else Path(sys.prefix) / "share" / "consort-models"
