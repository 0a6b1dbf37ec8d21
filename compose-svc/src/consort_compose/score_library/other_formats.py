"""Read the formats that only music21 reads, by converting them to MusicXML, which our own reader parses.

Run this in a child process: music21 takes a second to import, and its parsers have no limits. It is imported from the
folder of the score library.
"""

import base64
import importlib
import io
import re
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from consort_music.errors import MusicError, quoted
from consort_music.notation.musicxml.mxl import is_mxl
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.score import Score

NAMES = {
    "kern": "Humdrum kern",
    "mei": "MEI",
    "musedata": "MuseData",
    "romantext": "RomanText",
    "tinynotation": "TinyNotation",
    "capella": "Capella",
}
"""For each format: its name for people."""
_HINTS = {
    "kern": "Each line has one token for each spine, separated by tabs; the first line is **kern, the last *-.",
    "mei": "The document needs an <mei> element with <music> in it.",
    "musedata": "Give the whole file with its header and attribute lines, which begin with $.",
    "romantext": "Write `Time Signature: 4/4` and then one line for each measure, such as `m1 C: I b3 V6`.",
    "tinynotation": "Write `tinyNotation: 4/4 c4 d8 e f2`.",
    "capella": "Give the XML of the score, or a .capx file as base64.",
}
_NO_TITLE = "Music21 Fragment"
"""The title that music21 writes if the music has none."""
_LOOKED_AT = 4096
_MAX_CHARACTERS = 500_000
"""A movement of a string quartet has 70,000 in kern."""
_MAX_LINES = 50_000
"""In kern a line is a moment; a movement of a string quartet has about 5,000. Long texts take music21 minutes."""
_MAX_CAPELLA_BYTES = 20_000_000
_DATA_URL = re.compile(r"data:[\w.+/-]*;base64,", re.ASCII)
_MEI = re.compile(r"<(?:[A-Za-z]{1,20}:)?mei\b")
_CAPELLA = re.compile(r"<score\b[^>]{0,300}capella")
_TINY_NOTATION = re.compile(r"tinynotation:", re.IGNORECASE)
_ROMAN_HEADER = re.compile(
    r"(?:composer|piece|title|analyst|proofreader|movement|note|form|time signature|key signature)\s?:", re.IGNORECASE
)
_ROMAN_MEASURE = re.compile(r"m[0-9]{1,4}[a-z]?\s{1,4}\S")
_MUSEDATA_ATTRIBUTES = re.compile(r"\$\s?[A-Z][0-9]?:")
_MOST_HEADER_LINES = 40


def detect_other_format(text: str) -> str | None:
    """Return the format of a text if it is one of `NAMES`."""
    head = text[:_LOOKED_AT].lstrip("\ufeff \t\r\n")
    if head.startswith(("UEsDB", "data:")):
        return "capella" if _is_packed_capella(text) else None
    if head.startswith("<"):
        return "mei" if _MEI.search(head) else "capella" if _CAPELLA.search(head) else None
    if _TINY_NOTATION.match(head):
        return "tinynotation"
    lines = [line for line in head.splitlines() if line.strip()]
    if next((line for line in lines if not line.startswith("!")), "").startswith("**"):
        return "kern"
    if _is_roman_text(lines):
        return "romantext"
    return "musedata" if any(map(_MUSEDATA_ATTRIBUTES.match, lines[:_MOST_HEADER_LINES])) else None


def _is_packed_capella(text: str) -> bool:
    """Return whether a text is a .capx file as base64. Unlike an .mxl file, it has a score.xml and no container.xml."""
    try:
        packed = _decoded(text)
    except ValueError:
        return False
    return is_mxl(packed) and b"score.xml" in packed and b"META-INF/container.xml" not in packed


def _decoded(text: str) -> bytes:
    """Return the bytes of base64, also of a data URL. Raise ValueError if it is none."""
    return base64.b64decode(_DATA_URL.sub("", text.strip(), count=1), validate=False)


def _is_roman_text(lines: list[str]) -> bool:
    """Return whether headers are followed by a measure such as `m1 C: I b3 V6`. The time signature is a header too."""
    first = next((line for line in lines if not _ROMAN_HEADER.match(line)), "")
    return bool(_ROMAN_MEASURE.match(first)) and (first is not lines[0] or ":" in first)


def read_other_format(text: str, form: str, folder: Path) -> tuple[Score, list[str]]:
    """Read a text in one of the formats of `NAMES`. Raise PARSE_ERROR if music21 cannot read it."""
    if len(text) > _MAX_CHARACTERS:
        raise MusicError("TOO_LARGE", f"The music has {len(text):,} characters. Send at most {_MAX_CHARACTERS:,}.")
    if (lines := text.count("\n")) > _MAX_LINES:
        raise MusicError("TOO_LARGE", f"The music has {lines:,} lines. Send at most {_MAX_LINES:,}.")
    if form == "capella":
        text = _capella_xml(text)
    musicxml = _convert(text, form, folder)
    try:
        score, warnings = read_musicxml(musicxml)
    except MusicError as error:
        if error.code != "PARSE_ERROR":
            raise
        raise _unreadable(form) from None
    return (replace(score, title=None) if score.title == _NO_TITLE else score), warnings


def _convert(text: str, form: str, folder: Path) -> bytes:
    sys.path.insert(0, str(folder))
    exporter = _music21("musicxml.m21ToXml").GeneralObjectExporter
    try:
        music = _PARSERS[form](text)
        if not music.recurse().notes:
            raise MusicError("EMPTY_INPUT", f"The {NAMES[form]} text has no notes. {_HINTS[form]}")
        return bytes(exporter(music).parse())
    except (MusicError, MemoryError):
        raise
    except Exception:  # its parsers raise exceptions of every kind
        raise _unreadable(form) from None


def _unreadable(form: str) -> MusicError:
    return MusicError("PARSE_ERROR", f"The music could not be read as {NAMES[form]}. {_HINTS[form]}")


def _music21(module: str) -> Any:
    return importlib.import_module(f"music21.{module}")


def _parse(converter: str, text: str) -> Any:
    parser = getattr(_music21("converter.subConverters"), converter)()
    parser.parseData(text)
    return parser.stream


def _parse_mei(text: str) -> Any:
    return _music21("mei").MeiToM21Converter(text).run()


def _parse_musedata(text: str) -> Any:
    work = _music21("musedata").MuseDataWork()
    work.addString(text)
    return _music21("musedata.translate").museDataWorkToStreamScore(work)


def _parse_capella(text: str) -> Any:
    importer = _music21("capella.fromCapellaXML").CapellaImporter()
    # music21 10.5 maps a single bar line to "normal", which its own Barline rejects
    importer.barlineMap = {name: "regular" if kind == "normal" else kind for name, kind in importer.barlineMap.items()}
    importer.parseXMLText(text)
    return importer.partScoreFromSystemScore(importer.systemScoreFromScore(importer.mainDom))


def _parse_tiny_notation(text: str) -> Any:
    plain = re.sub(r"^\s*tinynotation:\s*", "", text, flags=re.IGNORECASE)
    return _music21("tinyNotation").Converter(plain).parse().stream


_PARSERS: dict[str, Callable[[str], Any]] = {
    "kern": lambda text: _parse("ConverterHumdrum", text),
    "mei": _parse_mei,
    "musedata": _parse_musedata,
    "romantext": lambda text: _parse("ConverterRomanText", text),
    "tinynotation": _parse_tiny_notation,
    "capella": _parse_capella,
}


def _capella_xml(text: str) -> str:
    """Return the XML of a Capella score, which may be a .capx file, a zip archive, as base64."""
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        return text
    try:
        packed = _decoded(text)
        with zipfile.ZipFile(io.BytesIO(packed)) as archive, archive.open("score.xml") as entry:
            xml = entry.read(_MAX_CAPELLA_BYTES + 1)
    except (ValueError, zipfile.BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError):
        raise MusicError(
            "PARSE_ERROR", f"{quoted(text)} is neither XML nor a .capx file as base64. {_HINTS['capella']}"
        ) from None
    if len(xml) > _MAX_CAPELLA_BYTES:
        raise MusicError("TOO_LARGE", f"The Capella score has over {_MAX_CAPELLA_BYTES:,} bytes.")
    return xml.decode("utf-8", errors="replace")
