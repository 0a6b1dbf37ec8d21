"""The result of a benchmark: a table that includes the baselines, a one-line summary, and requirements."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Cell = str | int | float | None
Row = Mapping[str, Cell]
"""One row of the table: the cells by column name. A column name includes the unit, such as `ms a call`."""


@dataclass(frozen=True)
class Requirement:
    """`measured` must be at most `required`, or at least `required` if `more_is_better`."""

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
    requirements: Sequence[Requirement] = field(default=())

    @property
    def ok(self) -> bool:
        return all(requirement.ok for requirement in self.requirements)

    def to_dict(self) -> dict[str, Any]:
        requirements = [{**asdict(requirement), "ok": requirement.ok} for requirement in self.requirements]
        return {"title": self.title, "rows": [dict(row) for row in self.rows], "summary": self.summary} | {
            "floors": requirements,
            "ok": self.ok,
        }

    def to_text(self) -> str:
        """Return the title, the table, the requirements, and the summary as the last line."""
        return "\n".join([self.title, "", *table(self.rows), "", *map(str, self.requirements), self.summary])


def table(rows: Sequence[Row]) -> list[str]:
    """Return the lines of the table: columns in the order of their first appearance, numbers aligned to the right."""
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


def join_reports(reports: Sequence[Report]) -> Report:
    """Return one report with the rows and requirements of all."""
    return Report(
        title="; ".join(report.title for report in reports),
        rows=[row for report in reports for row in report.rows],
        summary=" ".join(report.summary for report in reports),
        requirements=[requirement for report in reports for requirement in report.requirements],
    )
