"""Every tune of music21's corpus in ABC (each X: of a file) or MusicXML (compressed or not).

Other formats, mostly Palestrina's masses in Humdrum, are left out, because our readers do not support them.
"""

import base64
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import music21

from evaluation.corpora.music21_files import corpus_folder

_ABC_TUNE = re.compile(r"^X:\s*\d+", re.MULTILINE)


@dataclass(frozen=True, order=True)
class CorpusTune:
    path: str
    """Relative to the corpus folder."""
    number: int
    """The number of the tune in an ABC file, counted from 1; 0 for a MusicXML file."""

    @property
    def name(self) -> str:
        return f"{self.path}#{self.number}" if self.number else self.path

    def text(self) -> str:
        """Return the tune in the form that composer tools accept: text, or base64 for a compressed file."""
        file = corpus_folder() / self.path
        if file.suffix == ".mxl":
            return base64.b64encode(file.read_bytes()).decode()
        if file.suffix == ".abc":
            return _abc_tunes(file)[self.number - 1]
        return file.read_bytes().decode("utf-16" if file.read_bytes()[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")


def all_tunes() -> Iterator[CorpusTune]:
    for file in sorted(corpus_folder().rglob("*")):
        path = file.relative_to(corpus_folder()).as_posix()
        if file.suffix in (".mxl", ".xml", ".musicxml"):
            yield CorpusTune(path, 0)
        elif file.suffix == ".abc":
            for number in range(1, len(_abc_tunes(file)) + 1):
                yield CorpusTune(path, number)


def is_readable_to_music21(tune: CorpusTune) -> bool:
    """Return whether music21 can read the tune and finds notes in it."""
    read = (
        partial(music21.converter.parseData, tune.text(), format="abc")
        if tune.number
        else partial(music21.converter.parse, corpus_folder() / tune.path)
    )
    try:
        with warnings.catch_warnings(action="ignore"):
            return bool(read().flatten().notes)
    except Exception:
        return False


@cache
def _abc_tunes(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8", errors="replace")
    starts = [match.start() for match in _ABC_TUNE.finditer(text)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
