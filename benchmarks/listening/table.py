"""The rows of the benchmark's table, and what they require."""

import math
from dataclasses import dataclass

from benchmarks.support.report import Requirement, Row


@dataclass(frozen=True)
class MeasuredRow:
    name: str
    items: int
    ours: float | None
    """None: the tool does not exist."""
    floor: float | None = None
    aim: float | None = None
    librosa: float | None = None
    basic_pitch: float | None = None
    other: str = ""
    more_is_better: bool = True

    def row(self) -> Row:
        return {
            "task": self.name,
            "items": self.items,
            "ours": _rounded(self.ours),
            "librosa": _rounded(self.librosa),
            "basic-pitch": _rounded(self.basic_pitch),
            "floor": self.floor,
            "aim": self.aim,
            "": self.verdict(),
            "beside it": self.other,
        }

    def verdict(self) -> str:
        if self.ours is None or math.isnan(self.ours):
            return "not measured"
        if self.floor is None:
            return ""
        if not self._reaches(self.floor):
            return "BELOW FLOOR"
        return "ok" if self.aim is None or self._reaches(self.aim) else "below aim"

    def requirement(self) -> Requirement | None:
        if self.floor is None:
            return None
        measured = math.nan if self.ours is None else round(self.ours, 4)
        return Requirement(self.name.strip(), measured, self.floor, self.more_is_better)

    def _reaches(self, limit: float) -> bool:
        assert self.ours is not None
        return self.ours >= limit - 1e-9 if self.more_is_better else self.ours <= limit + 1e-9


def _rounded(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, 3)
