"""Where the sentence model of strudel-svc is. The command line installs it without importing that service."""

import os
import sys
from pathlib import Path

FOLDER_SETTING = "CONSORT_SENTENCE_MODEL"
NAME = "all-MiniLM-L6-v2"


def sentence_model_folder() -> Path:
    """Return the folder of the model: CONSORT_SENTENCE_MODEL, otherwise one in this Python's environment."""
    given = os.environ.get(FOLDER_SETTING)
    return Path(given) if given else Path(sys.prefix) / "share" / "consort-sentence-model" / NAME
