"""Open files with MuseScore (Debian's `musescore3`) and collect what it says about them.

MuseScore opens all files in one process and writes them in its own format, then these as MusicXML again. What it prints
about a file when it opens it is a complaint, except one line of its debugging output: `instr 'P1-I43', tick 1/8 (240):
element already exists`. It prints this for every percussion part in which two drums sound together, also for files
that it wrote itself.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PROGRAMS = ("musescore3", "mscore3", "musescore", "mscore")
_TIMEOUT_S = 1200
_FILE = re.compile(r"convert <(.+?)>\.\.\.")
_EXPECTED = re.compile(r"\s*(to <.*>|\.\.\. success!|instr '.*', tick .*: element already exists)?\s*")


class OpenedFile(NamedTuple):
    complaints: tuple[str, ...]
    again: Path | None
    """The file as MuseScore wrote it; None if it did not."""


def musescore_program() -> str | None:
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def open_with_musescore(program: str, files: Sequence[Path], folder: Path) -> dict[Path, OpenedFile]:
    """Open files, write them into a folder, and return what happened to each."""
    own = {file: folder / f"{file.stem}.mscx" for file in files}
    said = _by_file(_convert(program, own, folder))
    again = {own[file]: folder / f"{file.stem}.again.musicxml" for file in files if own[file].exists()}
    _convert(program, again, folder)
    return {
        file: OpenedFile(
            tuple(said.get(str(file), ("MuseScore did not open it.",))),
            again[own[file]] if own[file] in again and again[own[file]].exists() else None,
        )
        for file in files
    }


def _convert(program: str, files: Mapping[Path, Path], folder: Path) -> str:
    """Convert files in one process, and return what MuseScore prints."""
    jobs = folder / "jobs.json"
    jobs.write_text(json.dumps([{"in": str(file), "out": str(out)} for file, out in files.items()]))
    with tempfile.TemporaryDirectory() as home:
        hidden = {"HOME": home, "XDG_RUNTIME_DIR": home, "QT_QPA_PLATFORM": "offscreen"}
        done = subprocess.run(
            [program, "-j", str(jobs)],
            env={**os.environ, **hidden},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    return done.stderr + done.stdout


def _by_file(output: str) -> Mapping[str, list[str]]:
    """Return the unexpected lines of MuseScore's output by file."""
    found: dict[str, list[str]] = {}
    here: list[str] = []
    for line in output.splitlines():
        if match := _FILE.fullmatch(line):
            here = found.setdefault(match[1], [])
        elif not _EXPECTED.fullmatch(line):
            here.append(line.strip())
    return found
