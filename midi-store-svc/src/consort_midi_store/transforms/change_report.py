"""Counts what an operation changed, and collects its warnings for the user."""

from collections import Counter
from dataclasses import dataclass, field

MAX_WARNINGS = 20


@dataclass(slots=True)
class ChangeReport:
    """The report of one operation. `changed` has the number of changes by kind; `warnings` are sentences."""

    type: str
    changed: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)

    def finish(self) -> None:
        """Remove counts of zero, and all warnings after the first 20."""
        self.changed = Counter({kind: count for kind, count in self.changed.items() if count})
        left_out = len(self.warnings) - MAX_WARNINGS
        if left_out > 0:
            self.warnings[MAX_WARNINGS:] = [f"{left_out} more warnings are left out."]
