"""The composer: what each tool costs, in CPU time, beside plain music21 where it makes the same."""

import importlib
from pathlib import Path

from benchmarks.report import Report

PARTS = sorted(path.stem for path in (Path(__file__).parent / "parts").glob("compose_*.py"))


def run() -> Report:
    reports = [importlib.import_module(f"benchmarks.parts.{name}").run() for name in PARTS]
    return Report(
        title="; ".join(report.title for report in reports),
        rows=[row for report in reports for row in report.rows],
        summary=" ".join(report.summary for report in reports),
        floors=[floor for report in reports for floor in report.floors],
    )
