"""The files of music21's corpus."""

from functools import cache
from pathlib import Path


def corpus_folder() -> Path:
    import music21

    return Path(music21.__file__).parent / "corpus"


@cache
def corpus_files(*suffixes: str) -> list[Path]:
    """Return the files whose names end with one of the suffixes, sorted by path."""
    return sorted(
        path for path in corpus_folder().rglob("*") if path.suffix in suffixes and not path.name.startswith(".")
    )
