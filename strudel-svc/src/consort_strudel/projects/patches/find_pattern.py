"""Find a pattern of a caller in a script, by RE2: the time is linear in the length of the script."""

import asyncio

import re2

from consort_kit.errors import InvalidInput
from consort_strudel.projects.patches.outline import Span

MAX_MATCHES = 1000
MAX_PROGRAM_SIZE = 5000
"""Steps of the compiled pattern. The time for a search grows with it."""
_FLAGS = "(?m)"
_SHOWN = 60


async def find_pattern(pattern: str, script: str, occurrence: str) -> list[Span]:
    """Return the first, the last or all matches.

    Case matters, and `^` and `$` match at the ends of lines. Raise INVALID_PATTERN or PATTERN_NOT_FOUND.
    """
    matches = await asyncio.to_thread(_matches, pattern, script, 1 if occurrence == "first" else MAX_MATCHES)
    if not matches:
        raise InvalidInput(
            f"'pattern' matches nothing in the script: {_shown(pattern)}. Case matters, and ( ) * + . ? [ ] $ need a"
            r' backslash, as in sound\("bd\*4"\). get_song shows the script.',
            code="PATTERN_NOT_FOUND",
            suggestions=["get_song"],
        )
    return matches if occurrence == "all" else [matches[-1]]


def _matches(pattern: str, script: str, most: int) -> list[Span]:
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(f"{_FLAGS}{pattern}", options)
    except re2.error as error:
        raise InvalidInput(
            f"'pattern' is not a regular expression of RE2: {_reason(error, pattern)}. It is {_shown(pattern)}. A"
            " bracket that is meant as text needs a backslash; lookahead, lookbehind and back references do not exist"
            " in RE2.",
            code="INVALID_PATTERN",
        ) from error
    if compiled.programsize > MAX_PROGRAM_SIZE:
        raise InvalidInput(
            f"'pattern' is too complex: {_shown(pattern)}. Use fewer repetitions with large counts.",
            code="INVALID_PATTERN",
        )
    found: list[Span] = []
    for match in compiled.finditer(script):
        if match.start() == match.end():
            raise InvalidInput(
                f"'pattern' must not match an empty text: {_shown(pattern)}. Use + instead of *.",
                code="INVALID_PATTERN",
            )
        found.append(Span(match.start(), match.end()))
        if len(found) == most:
            break
    if most > 1 and len(found) == most:
        raise InvalidInput(
            f"'pattern' matches {MAX_MATCHES} times or more: {_shown(pattern)}. Make it more exact.",
            code="INVALID_PATTERN",
        )
    return found


def _reason(error: Exception, pattern: str) -> str:
    reason = error.args[0] if error.args else "it cannot be read"
    text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    return text.removesuffix(f": {_FLAGS}{pattern}").replace(_FLAGS, "")


def _shown(pattern: str) -> str:
    return pattern if len(pattern) <= _SHOWN else f"{pattern[:_SHOWN]}…"
