"""Measure the song editor over HTTP: add 10,000 notes in one call, read ranges of 100,000 notes, undo large edits.

One client uses one connection to one service process on an embedded Postgres. Each row has the time that a caller waits
and the CPU time of the service, which does not depend on the load of the machine. The big song has 100,000 notes in 10
tracks. Undo and redo are measured for the largest edit of each kind. The requirement for ranges is a percentile; the
other requirements are for the worst time.
"""

import tempfile
import time
from collections.abc import Callable
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from benchmarks.support.report import Cell, Report, Requirement, Row
from benchmarks.support.service_caller import TOKEN, ServiceCaller
from evaluation.processes.servers import embedded_postgres, running_service

TRACKS = 10
NOTES = 10_000
"""Notes in each track, added in one call."""
RANGES = 60


def run() -> Report:
    with (
        tempfile.TemporaryDirectory() as folder,
        embedded_postgres(Path(folder)) as (url, _),
        running_service("consort_compose", folder, url, CONSORT_TOKEN=TOKEN) as (port, service),
    ):
        bench = SongMeasurements(ServiceCaller(port), service.pid)
        bench.run()

    def slowest(group: str, column: str) -> float:
        return max(float(row[column] or 0) for row in bench.rows if row["group"] == group)

    return Report(
        title=f"songs over HTTP: {TRACKS * NOTES:,} notes in {TRACKS} tracks",
        rows=bench.rows,
        summary=(
            f"at the worst: {NOTES:,} notes are added in {slowest('add', 'worst ms'):.0f} ms, a range is read in "
            f"{slowest('range', 'worst ms'):.0f} ms, a step is undone in {slowest('undo', 'worst ms'):.0f} ms."
        ),
        requirements=[Requirement(text, slowest(group, column), limit) for text, group, column, limit in REQUIREMENTS],
    )


REQUIREMENTS = [
    (f"ms to add {NOTES:,} notes in one call, the worst", "add", "worst ms", 1000),
    ("ms for a range of 100,000 notes, p95 of the slowest kind", "range", "p95 ms", 50),
    ("ms to undo or redo a step, the worst", "undo", "worst ms", 200),
]


class SongMeasurements:
    def __init__(self, call: ServiceCaller, pid: int) -> None:
        self._call = call
        self._service = psutil.Process(pid)
        self.rows: list[Row] = []

    def run(self) -> None:
        names = [f"T{number}" for number in range(TRACKS)]
        self._call("create_song", tracks={name: "piano" for name in names})
        self.time("add", "10,000 notes as objects, new track", lambda n: self.add(names[n], as_objects()), TRACKS // 2)
        self.time(
            "add", "10,000 notes as text, new track", lambda n: self.add(names[n + TRACKS // 2], as_text()), TRACKS // 2
        )
        self.time("range", "8 beats of all tracks", lambda n: self.notes(n * 40, n * 40 + 8), RANGES)
        self.time("range", "8 beats of one track", lambda n: self.notes(n * 40, n * 40 + 8, track="T3"), RANGES)
        self.time("range", "first page of everything", lambda n: self.notes(0, 5000, limit=200), 20)
        self.time("range", "a page far behind", lambda n: self.notes(0, 5000, limit=200, cursor=90_000), 20)
        self.time("other", "by pitch, everything", lambda n: self.notes(0, 5000, pitch="C6-C7", limit=200), 10)
        self.time("other", "one note more", lambda n: self.add("T1", [note(n * 7)]), 20)
        self.time("other", "get_song_info", lambda n: self._call("get_song_info"), 20)
        self.time("other", "get_song_info, overview", lambda n: self._call("get_song_info", overview=True), 3)
        self.time("other", "check_song", lambda n: self._call("check_song", kinds=["collision"]), 3)
        self.steps(
            {
                "10,000 notes more among 100,000": lambda: self.add("T0", as_objects(" + 1/16")),
                "transpose all notes": lambda: self._call("edit_notes", transpose=1),
                "remove all notes": lambda: self._call("remove_notes_in_range", start_time=0, end_time=90_000),
                "remove a track": lambda: self._call("remove_track", name="T2"),
            }
        )

    def steps(self, works: dict[str, Callable[[], Any]]) -> None:
        for name, work in works.items():
            group = "add" if "10,000 notes" in name else "other"
            self.time(group, name, lambda _, work=work: work(), 1)  # type: ignore[misc]
            self.time("undo", f"undo: {name}", lambda _: self._call("undo_last_action"), 1)
            self.time("undo", f"redo: {name}", lambda _: self._call("redo_last_action"), 1)
            self._call("undo_last_action")

    def add(self, track: str, notes: Any) -> Any:
        return self._call("add_notes", track=track, notes=notes)

    def notes(self, start: int, end: int, **more: Any) -> Any:
        return self._call("get_notes", start_time=start, end_time=end, **more)

    def time(self, group: str, task: str, work: Callable[[int], Any], times: int) -> None:
        spent = []
        cpu = self.cpu_s()
        for number in range(times):
            began = time.perf_counter()
            work(number)
            spent.append((time.perf_counter() - began) * 1000)
        row: dict[str, Cell] = {"group": group, "task": task, "times": times}
        row |= {"median ms": median(spent), "p95 ms": sorted(spent)[ceil(times * 0.95) - 1], "worst ms": max(spent)}
        row |= {"CPU ms each": (self.cpu_s() - cpu) * 1000 / times}
        self.rows.append(row)

    def cpu_s(self) -> float:
        times = self._service.cpu_times()
        return float(times.user + times.system)


def note(number: int, shift: str = "") -> dict[str, Any]:
    """Return a note that starts at a third of a beat, plus `shift`."""
    return {"pitch": 40 + number * 7 % 50, "start": f"{number // 4} + {number % 4}/3{shift}", "duration": "1/3"}


def as_objects(shift: str = "") -> list[dict[str, Any]]:
    return [note(number, shift) for number in range(NOTES)]


def as_text() -> str:
    return "; ".join(f"{40 + number * 7 % 50} @{number // 4}+{number % 4}/3 1/3" for number in range(NOTES))
