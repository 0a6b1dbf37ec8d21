"""Keep what was read from music21's corpus in the user's cache folder, because music21 reads slowly."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def read_once(
    name: str, field: str, version: int, read: Callable[[], Iterable[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Return what `read` returns, from the file `name` if it was made by this version and this version of music21.

    `field` is the field of the JSON file that has the list.
    """
    import music21

    place = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "consort" / name
    made_by = [version, music21.__version__]
    try:
        kept = json.loads(place.read_text())
    except (OSError, ValueError):
        kept = {}
    if kept.get("made_by") != made_by:
        kept = {"made_by": made_by, field: list(read())}
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = place.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(kept, separators=(",", ":")))
        fresh.replace(place)
    found: list[dict[str, Any]] = kept[field]
    return found
