"""What a rule finds in a script."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ScriptFinding:
    severity: Literal["error", "warning"]
    start: int
    """Offset into the script."""
    message: str
    suggestion: str | None = None


_LONGEST = 300


def error(start: int, message: str, suggestion: str | None = None) -> ScriptFinding:
    return ScriptFinding("error", start, _short(message), suggestion and _short(suggestion))


def warning(start: int, message: str, suggestion: str | None = None) -> ScriptFinding:
    return ScriptFinding("warning", start, _short(message), suggestion and _short(suggestion))


def _short(text: str) -> str:
    """Return a text without the middle, if it repeats a long part of the script."""
    return text if len(text) <= _LONGEST else f"{text[:200]} … {text[-80:]}"
