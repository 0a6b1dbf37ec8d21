"""Types of fields that several project tools share. The schemas omit most bounds, to keep the list of tools small."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from consort_kit.tools.models import one_or_more

MAX_SCRIPT_BYTES = 256 * 1024
MAX_PATTERN = 300

_TEXT = WithJsonSchema({"type": "string"})


def with_unix_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _with_time_zone(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _known_time(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Return a time. Raise an error in plain words for a value that is none."""
    try:
        return read(value)
    except ValidationError as error:
        message = (
            f"{str(value)[:40]!r} is not a time. Write a date or a time as ISO 8601, such as 2025-12-31 or"
            " 2025-12-31T18:00:00Z."
        )
        suggestions = ["2025-12-31", "2025-12-31T18:00:00Z"]
        raise PydanticCustomError(
            "INVALID_TIME", "{message}", {"message": message, "suggestions": suggestions}
        ) from error


def _distinct(tags: Iterable[str]) -> list[str]:
    """Return the tags without blanks around them, empty ones and repetitions that differ only in case."""
    kept: dict[str, str] = {}
    for tag in tags:
        if tag.strip():
            kept.setdefault(tag.strip().casefold(), tag.strip())
    return list(kept.values())


ProjectName = Annotated[str, Field(max_length=200), _TEXT]
Code = Annotated[str, Field(max_length=2 * MAX_SCRIPT_BYTES), AfterValidator(with_unix_line_ends), _TEXT]
"""Strudel code. Its lines end with \\n."""
Reason = Annotated[str, Field(max_length=500), _TEXT]
Description = Annotated[str, Field(max_length=2000), _TEXT]
ProjectText = Annotated[str, Field(max_length=100), _TEXT]
SearchPattern = Annotated[str, Field(min_length=1, max_length=MAX_PATTERN), _TEXT]
Tags = Annotated[
    list[Annotated[str, Field(max_length=50)]],
    Field(max_length=50),
    BeforeValidator(one_or_more),
    AfterValidator(_distinct),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
Tempo = Annotated[float, Field(ge=0, le=1000), WithJsonSchema({"type": "number"})]
"""Beats per minute; 0 means none."""
ProjectData = Annotated[dict[str, Any], WithJsonSchema({"type": "object"})]
Time = Annotated[datetime, AfterValidator(_with_time_zone), WrapValidator(_known_time), _TEXT]
"""A time; without a time zone it is UTC."""
ProjectsOnPage = Annotated[int, Field(ge=1, le=200), WithJsonSchema({"type": "integer"})]
VersionsOnPage = Annotated[int, Field(ge=1, le=50), WithJsonSchema({"type": "integer"})]
Offset = Annotated[int, Field(ge=0, le=1_000_000), WithJsonSchema({"type": "integer"})]
VersionNumber = Annotated[int, Field(ge=1, le=2**31 - 1), WithJsonSchema({"type": "integer"})]
