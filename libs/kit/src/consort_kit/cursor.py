"""Where a page of a list ended: the time and the id of its last row, as one opaque word."""

import base64
from datetime import datetime

from consort_kit.errors import InvalidInput


def write_cursor(time: datetime, row_id: str) -> str:
    return base64.urlsafe_b64encode(f"{time.isoformat()} {row_id}".encode()).decode().rstrip("=")


def read_cursor(cursor: str, tool: str) -> tuple[datetime, str]:
    """What `write_cursor` was given; `tool` is the one that answered it, for the refusal of any other text."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        time, row_id = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii").split(" ")
        place = datetime.fromisoformat(time)
        if place.tzinfo is None:
            raise ValueError("no time zone")
    except ValueError as error:
        raise InvalidInput(
            f"'cursor' must be the next_cursor that {tool} answered. Leave it out for the first page.",
            code="INVALID_CURSOR",
            field="cursor",
        ) from error
    return place, row_id
