"""Nothing that was acknowledged may be lost: under `kill -9`, and in a backup that is made under load."""

from benchmarks.durable_data import backup_under_load, kills
from benchmarks.support.report import Report, join_reports


def run() -> Report:
    return join_reports([kills.run(), backup_under_load.run()])
