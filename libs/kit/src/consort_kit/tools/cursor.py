"""Return a list in pages, newest rows first. A cursor is the time and the id of a page's last row, in base64."""

import base64
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from consort_kit.errors import InvalidInput

T = TypeVar("T")


def write_cursor(time: datetime, row_id: str) -> str:
    return base64.urlsafe_b64encode(f"{time.isoformat()} {row_id}".encode()).decode().rstrip("=")


def read_cursor(cursor: str, tool: str) -> tuple[datetime, str]:
    """Return the time and the id that `write_cursor` was given.

    Raise INVALID_CURSOR if `write_cursor` did not make the text. The message names `tool`.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        time, row_id = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii").split(" ")
        place = datetime.fromisoformat(time)
        if place.tzinfo is None:
            raise ValueError("no time zone")
    except ValueError as error:
        raise InvalidInput(
            f"'cursor' must be the next_cursor that {tool} returned. Leave it out for the first page.",
            code="INVALID_CURSOR",
            field="cursor",
        ) from error
    return place, row_id


def first_page(
    rows: Sequence[T], limit: int, time_and_id: Callable[[T], tuple[datetime, str]]
) -> tuple[Sequence[T], str | None]:
    """Return the first `limit` rows, and the cursor of the next page or None if there are no more rows.

    `time_and_id` returns the time and the id of a row.
    """
    page = rows[:limit]
    return page, write_cursor(*time_and_id(page[-1])) if len(rows) > len(page) else None
