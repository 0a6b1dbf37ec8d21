"""Where the library's description, its instruments and fetched packs are."""

from pathlib import Path

DESCRIPTION_FILE = "library.json"
GM_FOLDER = "gm"


def gm_file_name(program: int) -> str:
    """Return the file of a program of General MIDI inside the library, such as `gm/004.js`."""
    return f"{GM_FOLDER}/{program:03d}.js"


def packs_folder(data: Path) -> Path:
    """Return the folder of the packs that the user has fetched, in the data folder."""
    return data / "sounds"
