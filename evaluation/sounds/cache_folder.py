"""The folder where rendered sounds are kept: CONSORT_SOUND_CACHE, or a folder in the system's temporary folder."""

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    folder = Path(os.environ.get("CONSORT_SOUND_CACHE") or Path(tempfile.gettempdir(), "consort-sounds"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
