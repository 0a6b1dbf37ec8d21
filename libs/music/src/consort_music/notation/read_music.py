"""Read music in any of the text formats, and detect the format.

musicxml   starts with <
mxl        compressed MusicXML, as base64
abc        starts with a field such as X: or K:
notes      a note list; starts with a pitch (C4, 11:q), a rest R, or the name of a part
"""

import base64
import binascii
import re
from typing import Literal, TypeAlias, get_args

from consort_music.errors import MusicError, quoted
from consort_music.notation.note_list import PART_NAME, parse_note_list
from consort_music.score import Score

Format: TypeAlias = Literal["musicxml", "mxl", "abc", "notes"]

_MAX_CHARACTERS = 14_000_000  # 10 MB as base64
_LOOKED_AT = 4096
_DATA_URL = re.compile(r"data:[\w.+/-]*;base64,", re.ASCII)
_ABC = re.compile(r"(?:%[^\n]*\n\s*)*[A-Za-z]:(?![|:])")
_REST = re.compile(r"[Rr]:(?:[whqest]d*3?|[0-9.]+(?:/[0-9]+)?)~?(?:[\s,|]|$)")  # but not the ABC field R: of `R:reel`
_NOTES = re.compile(
    rf"""{PART_NAME}?[\s,|]*(?:[A-Ga-g](?:[#♯x𝄪]*|[b♭𝄫]*)-?[0-9]|[Rr](?:[:\s,|~]|$)|[0-9]{{1,3}}[:+~])"""
)
_NO_OCTAVE = re.compile(r"([A-Ga-g][#b]{0,2}):([whqest]d*3?)(?=[ \t,|]+\S|\s*$)")
"""Notes without an octave, such as `C:q D:q`, which start like an ABC field."""
_NOTE_WITH_LENGTH = re.compile(
    r"(?<![A-Za-z])[A-Ga-g][#b]{0,2}-?[0-9]~?(?::[whqest0-9.]|\+[A-Ga-g][#b]{0,2}[0-9](?=[+:\s])|,(?:\s|$))"
)
"""A note that only a note list has: in ABC no letter or number follows a colon, and no comma or + follows a length."""
_ABC_KEY = re.compile(r"^[ \t]{0,9}K:|\[K:", re.MULTILINE)
"""The field that every whole tune in ABC has."""


def detect_format(text: str) -> Format:
    """Return the format of a text.

    Raise EMPTY_INPUT if the text is empty, INVALID_NOTE if it is a note list without octaves, and PARSE_ERROR if it is
    in none of the formats.
    """
    head = text[:_LOOKED_AT].lstrip("\ufeff \t\r\n")
    if not head:
        raise MusicError("EMPTY_INPUT", "The music is empty. Write some, such as C4:q D4:q E4:h.", ["C4:q"])
    if head.startswith("<"):
        return "musicxml"
    if _DATA_URL.match(head) or head.startswith("UEsDB"):  # PK\x03\x04 in base64
        return "mxl"
    if bare := _NO_OCTAVE.match(head):
        raise MusicError(
            "INVALID_NOTE",
            f"{quoted(bare[0])} has no octave. Write it as {bare[1]}4:{bare[2]}; C4 is middle C.",
            [f"{bare[1]}4:{bare[2]}"],
        )
    if _ABC.match(head) and not _REST.match(head):
        return "abc"
    if _NOTES.match(head):
        return "notes"
    raise MusicError(
        "PARSE_ERROR",
        f"Could not detect the format of {quoted(head)}. Write notes with octaves and durations, such as "
        "'C4:q D4:q E4:h', chords as C4+E4+G4:h, ABC that begins with X:1, or MusicXML.",
        ["C4:q D4:q E4:h"],
    )


def read_music(text: str, input_format: str | None = None) -> tuple[Score, list[str]]:
    """Read a text in any of the formats. Return the score and warnings. Raise the errors of the format's reader."""
    if len(text) > _MAX_CHARACTERS:
        raise MusicError("TOO_LARGE", f"The music has {len(text):,} characters. Send at most {_MAX_CHARACTERS:,}.")
    form = input_format or detect_format(text)
    if not text.strip():
        raise MusicError("EMPTY_INPUT", "The music is empty. Write some, such as C4:q D4:q E4:h.", ["C4:q"])
    if form == "notes":
        return parse_note_list(text), []
    if form == "abc":
        if _NOTE_WITH_LENGTH.search(text[:_LOOKED_AT]) and not _ABC_KEY.search(text):
            raise MusicError(
                "PARSE_ERROR", "The music is a note list, not ABC. Leave the format out, or give notes.", ["notes"]
            )
        from consort_music.notation.abc.reader import read_abc

        return read_abc(text)
    if form in ("musicxml", "mxl"):
        from consort_music.notation.musicxml.reader import read_musicxml

        is_packed = form == "mxl" or not text.lstrip("\ufeff \t\r\n").startswith("<")
        return read_musicxml(_decoded(text) if is_packed else text)
    raise MusicError(
        "PARSE_ERROR", f"{quoted(form)} is not a format. Give musicxml, mxl, abc or notes.", get_args(Format)
    )


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(_DATA_URL.sub("", text.strip(), count=1), validate=False)
    except (binascii.Error, ValueError):
        raise MusicError(
            "PARSE_ERROR",
            f"{quoted(text)} is neither MusicXML, which begins with <, nor an .mxl file as base64. Leave the format "
            "out to "
            "have it detected.",
        ) from None
