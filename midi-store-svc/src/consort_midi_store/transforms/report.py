"""What an operation tells about itself: true counts, and warnings an assistant can pass on."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from consort_midi_store.transforms.models import OperationReport

_MAX_WARNINGS = 20


@dataclass(slots=True)
class Report:
    """Filled by one operation; `changed` counts by what was done, `warnings` are sentences."""

    type: str
    changed: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)

    def finished(self) -> OperationReport:
        """Counts of nothing are left out; of many warnings only the first are shown."""
        warnings = self.warnings[:_MAX_WARNINGS]
        if len(self.warnings) > _MAX_WARNINGS:
            warnings.append(f"{len(self.warnings) - _MAX_WARNINGS} more warnings are left out.")
        counts: dict[str, Any] = {what: count for what, count in self.changed.items() if count}
        return OperationReport(type=self.type, changed=counts, warnings=warnings or None)
