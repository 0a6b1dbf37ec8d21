"""The sounds that are on this machine: their names, files, origins and licences."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from consort_kit.sounds_folder import library_folder
from consort_strudel.sounds.folders import DESCRIPTION_FILE, gm_file_name, packs_folder
from consort_strudel.sounds.substitutes import substitute

SampleFiles = list[str] | dict[str, list[str]]
"""The files of a sound, or those of each note (`{"c4": [...]}`), as paths inside the library."""
PACKS = "packs"
"""The files of a fetched pack are at `packs/NAME/…` inside the library."""
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".flac": "audio/flac",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".mp3": "audio/mpeg",
}


@dataclass(frozen=True)
class SoundOrigin:
    """Where a part of the library comes from."""

    name: str
    origin: str
    licence: str
    folder: str


@dataclass
class SoundLibrary:
    """The library of a folder, and the packs that were fetched to another one. Either may be missing."""

    folder: Path
    packs: Path
    samples: dict[str, SampleFiles] = field(default_factory=dict)
    programs: tuple[int, ...] = ()
    """The programs of General MIDI for which there are instruments."""
    origins: tuple[SoundOrigin, ...] = ()
    fingerprint: str = ""
    """Changes whenever the sounds change."""
    substitutes: dict[str, Any] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not self.samples and not self.programs

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all samples, in lower case. Instruments of General MIDI are names of the engine."""
        return frozenset(name.lower() for name in self.samples)

    def substitute(self, name: str) -> str | None:
        """Return the sound that plays for a name that the library does not have, or None if nothing plays."""
        return substitute(name, lambda each: each in self.names or (each.startswith("gm_") and bool(self.programs)))

    def path(self, name: str) -> Path | None:
        """Return the file with this path inside the library, or None if it is not part of it."""
        if name not in self._files:
            return None
        pack, found, rest = name.removeprefix(f"{PACKS}/").partition("/")
        file = self.packs / pack / rest if found and name.startswith(f"{PACKS}/") else self.folder / name
        return file if file.is_file() else None

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The paths of all files inside the library."""
        return tuple(sorted(self._files))

    @cached_property
    def _files(self) -> frozenset[str]:
        instruments = {gm_file_name(program) for program in self.programs}
        return frozenset(instruments | {file for files in self.samples.values() for file in flat_files(files)})

    def description(self) -> dict[str, Any]:
        """Return what the page and the renderer need to play the sounds."""
        return {"samples": self.samples, "programs": self.programs, "substitutes": self.substitutes}


def flat_files(files: SampleFiles) -> list[str]:
    return files if isinstance(files, list) else [file for each in files.values() for file in each]


def media_type(file: Path) -> str:
    """Return the media type with which a file of the library is sent."""
    return _MEDIA_TYPES.get(file.suffix.lower(), "application/octet-stream")


def open_library(data: Path) -> SoundLibrary:
    """Read the description of the library and of the packs in the data folder. Without them it is empty."""
    folder, packs = library_folder(), packs_folder(data)
    library = SoundLibrary(folder, packs)
    described = _read(folder)
    library.samples = dict(described.get("samples", {}))
    library.programs = tuple(described.get("programs", ()))
    library.substitutes = described.get("substitutes", {})
    origins = [SoundOrigin(**each) for each in described.get("origins", [])]
    marks = [described.get("fingerprint", "")]
    for pack in sorted(path.parent for path in packs.glob(f"*/{DESCRIPTION_FILE}")):
        fetched = _read(pack)
        library.samples.update(fetched.get("samples", {}))
        origins += [SoundOrigin(**each) for each in fetched.get("origins", [])]
        marks.append(fetched.get("fingerprint", ""))
    library.origins = tuple(origins)
    library.fingerprint = "+".join(mark[:16] for mark in marks if mark)
    return library


def _read(folder: Path) -> dict[str, Any]:
    try:
        described = json.loads((folder / DESCRIPTION_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return described if isinstance(described, dict) else {}
