"""What a rule finds in a script."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Finding:
    severity: Literal["error", "warning"]
    start: int
    """Offset into the script."""
    message: str
    suggestion: str | None = None


def error(start: int, message: str, suggestion: str | None = None) -> Finding:
    return Finding("error", start, message, suggestion)


def warning(start: int, message: str, suggestion: str | None = None) -> Finding:
    return Finding("warning", start, message, suggestion)
