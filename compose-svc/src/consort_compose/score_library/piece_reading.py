"""Read a piece of the score library. Imports only the music library, because a child process runs this."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from consort_compose.score_library.catalogue import CataloguedScore
from consort_compose.score_library.other_formats import read_other_format
from consort_music.errors import MusicError
from consort_music.notation.abc.reader import read_abc
from consort_music.notation.musicxml.mxl import is_mxl, unpack_mxl
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.score_bars import cut_bars
from consort_music.score import Score
from consort_music.texts.visible_text import visible_line

CORPUS = "music21/corpus"
KERN = ".krn"
_TUNE = re.compile(r"^X:[ \t]{0,9}(\S{1,20})", re.MULTILINE)
_RIGHTS = {
    ".krn": re.compile(r"^!!!(?:YEC|YEM|EED)[^:\n]{0,9}:(.+)$", re.MULTILINE),
    ".abc": re.compile(r"^Z:(.+)$", re.MULTILINE),
    ".xml": re.compile(r"<rights[^>]{0,99}>([^<]{1,999})</rights>"),
}
_NO_NAME = re.compile(r"(?:copyright|\W)*", re.IGNORECASE)
"""A note of rights that names nobody."""
_COLLECTION_RIGHTS = {
    "essenFolksong": "Essen folk song collection, encoded under Helmut Schaffrath; its legal status is unclear, and the"
    " permission for this copy is for non-commercial use.",
}
_MAX_NOTE = 300


@dataclass(frozen=True)
class LibraryPiece:
    score: Score
    warnings: list[str]
    rights: str | None = None
    """What the source says about rights. It is the first warning too."""


def read_piece(piece: CataloguedScore, bars: tuple[int, int] | None, folder: Path) -> LibraryPiece:
    """Read a piece, or some bars of it. Raise INVALID_BARS if it does not have them.

    The first warning says what the file says about rights, if it says anything.
    """
    path = folder / CORPUS / piece.file
    content = path.read_bytes()
    if is_mxl(content):
        content = unpack_mxl(content)
    text = content.decode("utf-8", errors="replace")
    if path.suffix == KERN:
        score, warnings = read_other_format(text, "kern", folder)
    elif path.suffix == ".abc":
        text = tune_of(text, piece.tune)
        score, warnings = read_abc(text)
    else:
        score, warnings = read_musicxml(content)
    score = replace(score, title=score.title or piece.title or None)
    if bars is not None:
        try:
            score = cut_bars(score, *bars)
        except MusicError as error:
            error.suggestions = [f"corpus:{piece.name}#{each}" for each in error.suggestions]
            raise
    rights = _rights(piece, text, path.suffix)
    return LibraryPiece(score, [*([rights] if rights else []), *warnings], rights)


def tune_of(text: str, number: str) -> str:
    """Return one tune of an ABC file with several, by its number (X:). Without a number, return the whole text."""
    if not number:
        return text
    starts = [(found[1], found.start()) for found in _TUNE.finditer(text)]
    for (name, start), (_, end) in zip(starts, [*starts[1:], ("", len(text))], strict=True):
        if name == number:
            return text[start:end]
    raise MusicError("PARSE_ERROR", f"The file has no tune {number}.")


def _rights(piece: CataloguedScore, text: str, suffix: str) -> str | None:
    pattern = _RIGHTS.get(".xml" if suffix in (".musicxml", ".mxl") else suffix)
    found = list(dict.fromkeys(pattern.findall(text))) if pattern else []
    found.append(_COLLECTION_RIGHTS.get(piece.file.partition("/")[0], ""))
    note = visible_line(" ".join(each.strip() for each in found if not _NO_NAME.fullmatch(each)))
    shown = note if len(note) <= _MAX_NOTE else f"{note[: _MAX_NOTE - 1]}…"
    return f"Rights of corpus:{piece.name}, says its source: {shown}" if shown else None
