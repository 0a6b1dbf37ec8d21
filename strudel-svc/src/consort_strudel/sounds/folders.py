"""Where fetched packs are, and what the library's description is called."""

from pathlib import Path

DESCRIPTION_FILE = "library.json"


def packs_folder(data: Path) -> Path:
    """Return the folder of the packs that the user has fetched, in the data folder."""
    return data / "sounds"
