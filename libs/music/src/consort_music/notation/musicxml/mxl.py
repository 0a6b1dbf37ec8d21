"""Unpack compressed MusicXML (.mxl): a ZIP archive whose `META-INF/container.xml` names the file of the score."""

import io
import zipfile
import zlib

from consort_music.errors import MusicError
from consort_music.notation.musicxml.xml_elements import MAX_BYTES, Element, ElementReader

_CONTAINER = "META-INF/container.xml"
_MAX_FILES = 1000
_MAX_CONTAINER_BYTES = 100_000
_ENTRY = b"PK\x01\x02"


def is_mxl(data: bytes) -> bool:
    """Return whether a file is a ZIP archive, as every .mxl file is. Capella's .capx files are archives too."""
    return data.startswith(b"PK\x03\x04")


def unpack_mxl(data: bytes) -> bytes:
    """Return the MusicXML document in an archive. Raise PARSE_ERROR if there is none, TOO_LARGE if it is too large."""
    if len(data) > MAX_BYTES or data.count(_ENTRY) > _MAX_FILES:
        raise MusicError(
            "TOO_LARGE",
            f"The .mxl archive has more than {MAX_BYTES:,} bytes or {_MAX_FILES} files. Send a smaller one.",
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read(archive, _score_name(archive), MAX_BYTES)
    except MusicError:
        raise
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, KeyError, OSError, ValueError):
        raise MusicError(
            "PARSE_ERROR", "The .mxl archive cannot be read. Export it again, or send plain MusicXML."
        ) from None


def _score_name(archive: zipfile.ZipFile) -> str:
    names = archive.namelist()
    if _CONTAINER in names:
        found: list[str] = []

        def root_file(element: Element) -> None:
            if element.tag.rpartition(":")[2] == "rootfile":
                found.append(element.attributes.get("full-path", ""))

        ElementReader((), (), root_file, lambda tag: None, lambda element: None).read(
            _read(archive, _CONTAINER, _MAX_CONTAINER_BYTES)
        )
        if found and found[0] in names:
            return found[0]
    scores = [name for name in names if name.endswith((".xml", ".musicxml")) and not name.startswith("META-INF/")]
    if not scores:
        raise MusicError(
            "PARSE_ERROR", "The .mxl archive has no MusicXML file in it. Export it again, or send plain MusicXML."
        )
    return scores[0]


def _read(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """Return a file of the archive. Raise TOO_LARGE if it has more than `limit` bytes, whatever size it states."""
    with archive.open(name) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise MusicError("TOO_LARGE", f"The .mxl archive unpacks to more than {limit:,} bytes. Send a smaller one.")
    return data
