"""Convert uploaded music that is not MIDI. compose-svc reads it: MusicXML, ABC, kern, MEI and other notation."""

import base64
import re
from pathlib import PurePosixPath
from typing import NamedTuple

from consort_kit.errors import ConsortError, ServiceDown, TimedOut
from consort_kit.http.service_client import ServiceClient
from consort_music.errors import MusicError
from consort_music.notation.musicxml.mxl import is_mxl

_LOOKED_AT = 4096
_NOTATION = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml|<!--|<!DOCTYPE|<score|<mei|\*\*[a-z]|!!!?[A-Za-z ]|%abc|X:\s*[0-9]|tinynotation:"
    rb"|(?:composer|piece|title|analyst|time signature)\s?:.{0,4000}^m[0-9]{1,4}[a-z]?\s)"
    rb"|(?=.{0,4000}^\$\s?[A-Z][0-9]?:)[\t\n\r -~\xa0-\xff]*$",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
"""How such files begin: XML, kern, ABC, TinyNotation, RomanText, or text with a line of MuseData's attributes."""
_UTF_16 = (b"\xff\xfe<\x00", b"\xfe\xff\x00<")


class ConvertedFile(NamedTuple):
    content: bytes
    name: str | None
    warnings: list[str]


def is_notation(content: bytes) -> bool:
    """Return whether a file looks like music notation, not like MIDI."""
    head = content[:_LOOKED_AT]
    return is_mxl(head) or head.startswith(_UTF_16) or _NOTATION.match(head) is not None


async def as_midi(client: ServiceClient, content: bytes, name: str | None) -> ConvertedFile:
    """Return the music as a MIDI file, whose name ends in `.mid`. Raise MusicError if it cannot be read."""
    headers = {"Content-Type": "application/octet-stream"}
    try:
        made = await client.call("compose", "POST", "/uploaded-music", content=content, headers=headers)
    except (ServiceDown, TimedOut):
        raise
    except ConsortError as error:
        raise MusicError(error.body.code, error.body.message, error.body.suggestions) from None
    stem = PurePosixPath(name).stem if name else None
    return ConvertedFile(base64.b64decode(made["base64"]), f"{stem}.mid" if stem else None, made["warnings"])
