"""Clips to start with: hand-written patterns, `FAMILY/GENRE.toml`.

A file has a table `[defaults]` (`genre`, `tempo` in BPM, `key`, `beats` in a cycle) and a table `[[clip]]` for each
clip, which may say otherwise. Clips of one file share tempo and key, so they can be combined. The words for tags are
those of `consort_strudel.clips.tagging.vocabularies`. Rhythm and fx have a key only if they name one; other clips
without pitch have the key `none`. A clip's code sets no tempo: it takes the tempo of the song it is put into.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any


@dataclass(frozen=True)
class LibraryClip:
    name: str
    """Unique and readable: `Rolling acid line`."""
    description: str
    code: str
    genre: tuple[str, ...]
    element: str
    instrument: tuple[str, ...]
    feeling: tuple[str, ...]
    technique: tuple[str, ...]
    complexity: str
    tempo: int
    """The tempo in BPM at which it sounds best."""
    key: str | None
    """For example `F minor`. None: without pitch."""
    tags: tuple[str, ...] = ()
    """Further words to find it by."""
    beats: int = 4
    """Beats in a cycle."""

    @property
    def tempo_range(self) -> tuple[int, int]:
        """The tempos in BPM at which it still sounds right."""
        return round(self.tempo * 0.93), round(self.tempo * 1.07)

    @property
    def script(self) -> str:
        """The code with its tempo, to be played alone."""
        return f"setcpm({self.tempo}/{self.beats})\n{self.code}"


@cache
def library_clips() -> tuple[LibraryClip, ...]:
    """Read all clips, in the order of their files."""
    folders = sorted((each for each in files(__name__).iterdir() if each.is_dir()), key=lambda each: each.name)
    found = [file for folder in folders for file in sorted(folder.iterdir(), key=lambda each: each.name)]
    return tuple(clip for file in found if file.name.endswith(".toml") for clip in _read(file))


def _read(file: Traversable) -> list[LibraryClip]:
    described = tomllib.loads(file.read_text("utf-8"))
    return [_clip(described["defaults"], each) for each in described["clip"]]


def _clip(defaults: dict[str, Any], described: dict[str, Any]) -> LibraryClip:
    values = {**defaults, **described}
    if values["key"] == "none" or (described["element"] in ("rhythm", "fx") and "key" not in described):
        values["key"] = None
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return LibraryClip(**{**values, **lists, "code": described["code"].strip()})
