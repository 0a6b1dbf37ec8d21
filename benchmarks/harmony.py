"""Measure the chords of reharmonize: against Bach's, against printed chords, and by the idioms of jazz."""

from benchmarks.harmonizations import chorales, jazz_idioms, lead_sheets, printed_chords
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, join_reports

TASKS = {
    "chorales": chorales.run,
    "printed_chords": printed_chords.run,
    "jazz_idioms": jazz_idioms.run,
    "lead_sheets": lead_sheets.run,
}


def run(options: BenchOptions) -> Report:
    return join_reports([run(options) for name, run in TASKS.items() if not options.tasks or name in options.tasks])
