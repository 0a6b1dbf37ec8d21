"""What a benchmark returns: a table with its baselines, a line to quote, and the floors that must hold."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Cell = str | int | float | None
Row = Mapping[str, Cell]
"""One line of the table, by column; units belong in the column's name: `ms a call`."""


@dataclass(frozen=True)
class Floor:
    """A promise: `measured` is at most `required`, or at least, when more is better."""

    name: str
    measured: float
    required: float
    more_is_better: bool = False

    @property
    def ok(self) -> bool:
        return self.measured >= self.required if self.more_is_better else self.measured <= self.required

    def __str__(self) -> str:
        relation = "at least" if self.more_is_better else "at most"
        return f"{'ok    ' if self.ok else 'MISSED'} {self.name}: {self.measured:g} ({relation} {self.required:g})"


@dataclass(frozen=True)
class Report:
    title: str
    rows: Sequence[Row]
    summary: str
    floors: Sequence[Floor] = field(default=())

    @property
    def ok(self) -> bool:
        return all(floor.ok for floor in self.floors)

    def to_dict(self) -> dict[str, Any]:
        floors = [{**asdict(floor), "ok": floor.ok} for floor in self.floors]
        return {"title": self.title, "rows": [dict(row) for row in self.rows], "summary": self.summary} | {
            "floors": floors,
            "ok": self.ok,
        }

    def to_text(self) -> str:
        """The title, the table, the floors, and the summary as the last line."""
        return "\n".join([self.title, "", *table(self.rows), "", *map(str, self.floors), self.summary])


def table(rows: Sequence[Row]) -> list[str]:
    """Columns in the order of their first appearance; numbers to the right."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    cells = [columns, *([_text(row.get(column)) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [any(isinstance(row.get(column), int | float) for row in rows) for column in columns]
    lines = []
    for line in cells:
        padded = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    lines.insert(1, "  ".join("─" * width for width in widths))
    return lines


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
    return str(cell)
