"""Regular expressions of callers on texts that are not in Postgres: RE2, whose time is linear in the text."""

from typing import Any

import re2

from consort_kit.errors import InvalidInput

MAX_PROGRAM_SIZE = 5000
"""Steps of the compiled pattern. The time for a search grows with it."""
_SHOWN = 60


def compile_pattern(pattern: str, field: str, *, flags: str = "", any_case: bool = False) -> Any:
    """Return the compiled pattern. Raise INVALID_PATTERN. `flags` are such as `(?m)`."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not any_case
    name = field.rpartition(".")[2]
    try:
        compiled = re2.compile(f"{flags}{pattern}", options)
    except re2.error as error:
        raise InvalidInput(
            f"'{name}' is not a regular expression of RE2: {_reason(error, flags, pattern)}. It is"
            f" {shown_pattern(pattern)}. A bracket that is meant as text needs a backslash; lookahead, lookbehind and"
            " back references do not exist in RE2.",
            code="INVALID_PATTERN",
            field=field,
        ) from error
    if compiled.programsize > MAX_PROGRAM_SIZE:
        raise InvalidInput(
            f"'{name}' is too complex: {shown_pattern(pattern)}. Use fewer repetitions with large counts.",
            code="INVALID_PATTERN",
            field=field,
        )
    return compiled


def shown_pattern(pattern: str) -> str:
    """Return a pattern as an error shows it: not all of a long one."""
    return pattern if len(pattern) <= _SHOWN else f"{pattern[:_SHOWN]}…"


def _reason(error: Exception, flags: str, pattern: str) -> str:
    reason = error.args[0] if error.args else "it cannot be read"
    text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    return text.removesuffix(f": {flags}{pattern}").replace(flags, "") if flags else text.removesuffix(f": {pattern}")
