"""Read the JSON body of a request. Reject values that cannot be stored in Postgres or sent as JSON."""

import json
import re
from typing import Any

from fastapi import Request


class StrictJsonRequest(Request):
    """A request whose body must be strict JSON.

    NaN and Infinity are rejected, and so are texts with NUL or a lone surrogate. FastAPI turns the exception into an
    error about invalid JSON.
    """

    async def json(self) -> Any:
        try:
            text = (await self.body()).decode()
        except UnicodeDecodeError as error:
            raise json.JSONDecodeError("it is not UTF-8", "", 0) from error
        value = json.loads(text, parse_constant=_reject_constant)
        if _INVALID_ESCAPE.search(text) and _has_invalid_text(value):
            raise json.JSONDecodeError("a text has a NUL character or half of a surrogate pair", "", 0)
        return value


_INVALID_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_INVALID = re.compile("[\0\ud800-\udfff]")


def _reject_constant(name: str) -> Any:
    raise json.JSONDecodeError(f"{name} is not a number", "", 0)


def _has_invalid_text(value: Any) -> bool:
    unchecked = [value]
    while unchecked:
        each = unchecked.pop()
        if isinstance(each, str):
            if _INVALID.search(each):
                return True
        elif isinstance(each, list):
            unchecked.extend(each)
        elif isinstance(each, dict):
            unchecked.extend(each)
            unchecked.extend(each.values())
    return False
