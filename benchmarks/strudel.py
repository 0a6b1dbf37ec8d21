"""Measure strudel-svc. Options: `--task NAME`, `--limit N` for the first N items of each task.

- `transcribing`: 60 pieces become code and, through the real engine, the same pieces again.
- `export`: MIDI files of 44 scripts have exactly the notes that the engine plays.
- `service`: the time to start, and 20 scripts at once.
- `scripts`: validate_script and analyze_song_structure, accuracy and CPU time.
"""

from benchmarks.strudel_code import midi_export, round_trip, scripts, service
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, join_reports

TASKS = {
    "transcribing": round_trip.run,
    "export": midi_export.run,
    "scripts": scripts.run,
    "service": service.run,
}


def run(options: BenchOptions) -> Report:
    return join_reports([TASKS[task](options) for task in options.tasks or TASKS if task in TASKS])
