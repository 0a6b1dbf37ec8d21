"""Every tune of music21's corpus in a notation that we read: ABC (each X: of a file), MusicXML, compressed or not.

What the corpus keeps in other formats (Humdrum, mostly Palestrina's masses) has no melody of its own to harmonise and
would have to be written as MusicXML by music21 first; it is left out.
"""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import music21

_ABC_TUNE = re.compile(r"^X:\s*\d+", re.MULTILINE)


@dataclass(frozen=True, order=True)
class CorpusTune:
    path: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.path}#{self.number}" if self.number else self.path

    def text(self) -> str:
        """As a composer tool takes it."""
        file = folder() / self.path
        if file.suffix == ".mxl":
            return base64.b64encode(file.read_bytes()).decode()
        if file.suffix == ".abc":
            return _abc_tunes(file)[self.number - 1]
        return file.read_bytes().decode("utf-16" if file.read_bytes()[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")


def folder() -> Path:
    return Path(music21.__file__).parent / "corpus"


def all_tunes() -> Iterator[CorpusTune]:
    for file in sorted(folder().rglob("*")):
        path = file.relative_to(folder()).as_posix()
        if file.suffix in (".mxl", ".xml", ".musicxml"):
            yield CorpusTune(path, 0)
        elif file.suffix == ".abc":
            for number in range(1, len(_abc_tunes(file)) + 1):
                yield CorpusTune(path, number)


@cache
def _abc_tunes(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8", errors="replace")
    starts = [match.start() for match in _ABC_TUNE.finditer(text)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
