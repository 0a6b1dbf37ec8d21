"""Read the header `Content-Range`, by which a request to upload a piece of a file says where the piece belongs."""

import re
from dataclasses import dataclass

from consort_kit.errors import InvalidInput

_RANGE = re.compile(r"bytes (?:(\d{1,15})-(\d{1,15})|\*)/(\d{1,15})")


@dataclass(frozen=True)
class UploadRange:
    """The place of a piece: from `start` up to, but not including, `end`. Both are None in a question for the state."""

    start: int | None
    end: int | None
    total: int


def read_content_range(header: str) -> UploadRange:
    """Return the place of a piece. Raise InvalidInput if the header is not understood."""
    match = _RANGE.fullmatch(header.strip())
    if match is not None:
        first, last, total = (int(each) if each is not None else None for each in match.groups())
        assert total is not None
        if first is None or last is None:
            return UploadRange(None, None, total)
        if first <= last < total:
            return UploadRange(first, last + 1, total)
    raise InvalidInput(
        f"The header 'Content-Range' is {header[:60]!r}, and it must be 'bytes FIRST-LAST/TOTAL' for a piece, or "
        "'bytes */TOTAL' to ask how much has arrived. Example: bytes 0-1048575/5000000.",
        code="INVALID_CONTENT_RANGE",
        suggestions=["bytes 0-1048575/5000000", "bytes */5000000"],
    )
