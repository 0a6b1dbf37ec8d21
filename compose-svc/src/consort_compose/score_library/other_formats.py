"""Read the formats that only music21 reads, by converting them to MusicXML, which our own reader parses.

Run this in a child process: music21 takes a second to import, and its parsers have no limits. It is imported from the
folder of the score library.
"""

import base64
import binascii
import importlib
import io
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from consort_music.errors import MusicError, quoted
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
_LOOKED_AT = 4096
_MAX_CHARACTERS = 500_000
"""A movement of a string quartet has 70,000 in kern."""
_MAX_CAPELLA_BYTES = 20_000_000
_DATA_URL = re.compile(r"data:[\w.+/-]*;base64,", re.ASCII)
_SIGNS = {
    "kern": re.compile(r"(?:!![^\n]*\n\s*)*\*\*(?:kern|recip|dynam|text|harm|mxhm)\b"),
    "mei": re.compile(r"<(?:\?xml|!|[\w:]*mei\b)[^>]*>?(?:[^<]|<[?!])*<?(?:[\w:]*:)?mei\b"),
    "capella": re.compile(r"<[^>]*>?\s*(?:<!--.*?-->\s*)*<?score[^>]{0,400}capella", re.DOTALL),
    "tinynotation": re.compile(r"tinynotation:", re.IGNORECASE),
    "romantext": re.compile(
        r"(?:(?:composer|piece|title|analyst|proofreader|movement|note|key signature|form)\s*:[^\n]*\n\s*)*"
        r"(?:time signature\s*:[^\n]*|m[0-9]+[a-z]?\s+(?:b[0-9.]+\s+)?\S+.*)(?:\n|$)",
        re.IGNORECASE,
    ),
    "musedata": re.compile(r"(?:[^\n]{0,200}\n){0,40}\$\s?[A-Z][0-9]?:"),
}


def detect_other_format(text: str) -> str | None:
    """Return the format of a text if it is one of `NAMES`."""
    head = text[:_LOOKED_AT].lstrip("\ufeff \t\r\n")
    return next((form for form, sign in _SIGNS.items() if sign.match(head)), None)


def read_other_format(text: str, form: str, folder: Path) -> tuple[Score, list[str]]:
    """Read a text in one of the formats of `NAMES`. Raise PARSE_ERROR if music21 cannot read it."""
    if len(text) > _MAX_CHARACTERS:
        raise MusicError("TOO_LARGE", f"The music has {len(text):,} characters. Send at most {_MAX_CHARACTERS:,}.")
    if form == "capella":
        text = _capella_xml(text)
    musicxml = _convert(text, form, folder)
    try:
        return read_musicxml(musicxml)
    except MusicError as error:
        if error.code != "PARSE_ERROR":
            raise
        raise _unreadable(form) from None


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
    importer.parseXMLText(text)
    return importer.partScoreFromSystemScore(importer.systemScoreFromScore(importer.mainDom.documentElement))


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
        packed = base64.b64decode(_DATA_URL.sub("", text.strip(), count=1), validate=False)
        with zipfile.ZipFile(io.BytesIO(packed)) as archive, archive.open("score.xml") as entry:
            xml = entry.read(_MAX_CAPELLA_BYTES + 1)
    except (binascii.Error, ValueError, zipfile.BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError):
        raise MusicError(
            "PARSE_ERROR", f"{quoted(text)} is neither XML nor a .capx file as base64. {_HINTS['capella']}"
        ) from None
    if len(xml) > _MAX_CAPELLA_BYTES:
        raise MusicError("TOO_LARGE", f"The Capella score has over {_MAX_CAPELLA_BYTES:,} bytes.")
    return xml.decode("utf-8", errors="replace")
