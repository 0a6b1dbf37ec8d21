"""Tell whether the library is up to date, without importing what builds it. Standard library only."""

import hashlib
import json
from pathlib import Path

from consort_kit.sounds_folder import find_sonic_pi_samples, find_soundfont
from consort_strudel.sounds.folders import DESCRIPTION_FILE
from consort_strudel.sounds.substitutes import substitute_tables

_CODE = ("build", "drum_keys", "drum_kits", "folders", "general_midi", "sample_names", "soundfont_file", "wavetables")
"""The modules that decide what is built."""


def fingerprint(font: Path | None, samples: Path | None) -> str:
    """Return the checksum of what the library is made from: the code, and the names and sizes of the sources."""
    digest = hashlib.sha256(json.dumps(substitute_tables(), sort_keys=True).encode())
    for module in _CODE:
        digest.update(Path(__file__).with_name(f"{module}.py").read_bytes())
    files = [*([font] if font else []), *(sorted(samples.glob("*.flac")) if samples else [])]
    for file in files:
        digest.update(f"{file.name} {file.stat().st_size}\n".encode())
    return digest.hexdigest()


def is_current(folder: Path) -> bool:
    """Return whether the library was built from what is installed now, by this code."""
    try:
        description = json.loads((folder / DESCRIPTION_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return bool(description.get("fingerprint") == fingerprint(find_soundfont(), find_sonic_pi_samples()))
