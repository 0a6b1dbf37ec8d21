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


def error(start: int, message: str, suggestion: str | None = None) -> ScriptFinding:
    return ScriptFinding("error", start, message, suggestion)


def warning(start: int, message: str, suggestion: str | None = None) -> ScriptFinding:
    return ScriptFinding("warning", start, message, suggestion)
