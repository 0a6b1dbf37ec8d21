"""Find a pattern of a caller in a script, by RE2: the time is linear in the length of the script."""

import asyncio

from consort_kit.errors import InvalidInput
from consort_strudel.linear_patterns import compile_pattern, shown_pattern
from consort_strudel.projects.patches.outline import Span

MAX_MATCHES = 1000
_FLAGS = "(?m)"


async def find_pattern(pattern: str, script: str, occurrence: str) -> list[Span]:
    """Return the first, the last or all matches.

    Case matters, and `^` and `$` match at the ends of lines. Raise INVALID_PATTERN or PATTERN_NOT_FOUND.
    """
    matches = await asyncio.to_thread(_matches, pattern, script, 1 if occurrence == "first" else MAX_MATCHES)
    if not matches:
        raise InvalidInput(
            f"'pattern' matches nothing in the script: {shown_pattern(pattern)}. Case matters, and ( ) * + . ? [ ] $"
            r' need a backslash, as in sound\("bd\*4"\). get_song shows the script.',
            code="PATTERN_NOT_FOUND",
            suggestions=["get_song"],
        )
    return matches if occurrence == "all" else [matches[-1]]


def _matches(pattern: str, script: str, most: int) -> list[Span]:
    compiled = compile_pattern(pattern, "pattern", flags=_FLAGS)
    found: list[Span] = []
    for match in compiled.finditer(script):
        if match.start() == match.end():
            raise InvalidInput(
                f"'pattern' must not match an empty text: {shown_pattern(pattern)}. Use + instead of *.",
                code="INVALID_PATTERN",
            )
        found.append(Span(match.start(), match.end()))
        if len(found) == most:
            break
    if most > 1 and len(found) == most:
        raise InvalidInput(
            f"'pattern' matches {MAX_MATCHES} times or more: {shown_pattern(pattern)}. Make it more exact.",
            code="INVALID_PATTERN",
        )
    return found
