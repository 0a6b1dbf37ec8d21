"""Which notation a text is in, and reading it whatever it is.

musicxml   begins with an XML declaration, a document type or a score element
mxl        compressed MusicXML, as base64
abc        begins with a field such as X: or K:
notes      the composer's note list: begins with a pitch (C4, 11:q), a rest R, or a part's name
"""

import base64
import binascii
import re
from typing import Literal, TypeAlias, get_args

from consort_music.errors import MusicError, quoted
from consort_music.note_list import PART_NAME, parse_note_list
from consort_music.score import Score

Format: TypeAlias = Literal["musicxml", "mxl", "abc", "notes"]

_MAX_CHARACTERS = 14_000_000  # 10 MB as base64
_LOOKED_AT = 4096
_DATA_URL = re.compile(r"data:[\w.+/-]*;base64,", re.ASCII)
_XML = re.compile(r"<(\?xml|!DOCTYPE|!--|score-)", re.IGNORECASE)
_ABC = re.compile(r"(?:%[^\n]*\n\s*)*[A-Za-z]:(?![|:])")
_REST = re.compile(r"[Rr]:(?:[whqest]d*3?|[0-9.]+(?:/[0-9]+)?)~?(?:[\s,|]|$)")  # and no ABC field R:, as in R:reel
_NOTES = re.compile(
    rf"""(?:{PART_NAME}\s*)?[\s,|]*(?:[A-Ga-g](?:[#♯x𝄪]*|[b♭𝄫]*)-?[0-9]|[Rr](?:[:\s,|~]|$)|[0-9]{{1,3}}[:+~])"""
)
_HINT = (
    "Could not detect input format. Write a note list such as 'C4:q D4:q E4:h', ABC that begins with X:1, or MusicXML; "
    "or name the format in input_format."
)


def detect_format(text: str) -> Format:
    """The notation that a text is in; raises PARSE_ERROR, or EMPTY_INPUT."""
    head = text[:_LOOKED_AT].lstrip("\ufeff \t\r\n")
    if not head:
        raise MusicError("EMPTY_INPUT", "There is no music in the input; write some, such as C4:q D4:q E4:h.", ["C4:q"])
    if _XML.match(head):
        return "musicxml"
    if _DATA_URL.match(head) or head.startswith("UEsDB"):  # PK\x03\x04 in base64
        return "mxl"
    if _ABC.match(head) and not _REST.match(head):
        return "abc"
    if _NOTES.match(head):
        return "notes"
    raise MusicError("PARSE_ERROR", _HINT, ["C4:q D4:q E4:h"])


def read_music(text: str, input_format: str | None = None) -> tuple[Score, list[str]]:
    """The score of a text in any of the notations, and warnings; raises what their readers raise."""
    if len(text) > _MAX_CHARACTERS:
        raise MusicError("TOO_LARGE", f"The input has {len(text):,} characters; at most {_MAX_CHARACTERS:,} are read.")
    form = input_format or detect_format(text)
    if not text.strip():
        raise MusicError("EMPTY_INPUT", "There is no music in the input; write some, such as C4:q D4:q E4:h.", ["C4:q"])
    if form == "notes":
        return parse_note_list(text), []
    if form == "abc":
        from consort_music.notation.abc_reader import read_abc

        return read_abc(text)
    if form in ("musicxml", "mxl"):
        from consort_music.notation.musicxml_reader import read_musicxml

        is_packed = form == "mxl" or not text.lstrip("\ufeff \t\r\n").startswith("<")
        return read_musicxml(_decoded(text) if is_packed else text)
    raise MusicError(
        "PARSE_ERROR", f"There is no format {quoted(form)}; it is musicxml, mxl, abc or notes.", get_args(Format)
    )


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(_DATA_URL.sub("", text.strip(), count=1), validate=False)
    except (binascii.Error, ValueError):
        raise MusicError(
            "PARSE_ERROR", "This is neither MusicXML, which begins with <, nor an .mxl file as base64."
        ) from None
