"""Measure midi-store over HTTP: read pages of a list of 100,000 files, and store a file of 100 KB.

The rows of the list are inserted by SQL, because storing 100,000 files takes minutes. Each row of the table has the
median and the 95th percentile of calls on one connection.
"""

import base64
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

import psycopg

from benchmarks.support.report import Report, Requirement, Row
from benchmarks.support.service_caller import TOKEN, ServiceCaller
from evaluation.processes.servers import embedded_postgres, running_service

FILES = 100_000
CALLS = 60

MAKE_FILES = """
insert into midi_store.files (id, name, blob_key, bytes, summary, created_at)
select 'midi_' || lpad(number::text, 26, '0'), 'file ' || number || '.mid', 'midi/' || number, 1000,
    '{"duration_ms": 1000, "note_count": 10, "warnings": [], "omitted": {}}',
    now() - number * interval '1 second'
from generate_series(1, %s) number
"""


def run() -> Report:
    with (
        tempfile.TemporaryDirectory() as folder,
        embedded_postgres(Path(folder)) as (url, _),
        running_service("consort_midi_store", folder, url, CONSORT_TOKEN=TOKEN) as (port, _),
    ):
        with psycopg.connect(url, autocommit=True) as database:
            database.execute(MAKE_FILES, (FILES,))
            database.execute("analyze midi_store.files")
        rows = measure(ServiceCaller(port))
    by_task = {str(row["task"]): float(row["p95 ms"] or 0) for row in rows}
    pages = max(ms for task, ms in by_task.items() if task.startswith("page"))
    store = float(next(row["p50 ms"] or 0 for row in rows if row["task"] == "store 100 KB"))
    return Report(
        title=f"midi-store with {FILES:,} files, over HTTP",
        rows=rows,
        summary=f"a page of 100 takes {pages:.1f} ms (p95) wherever it is; storing 100 KB takes {store:.1f} ms (p50).",
        requirements=[
            Requirement("ms for a page of the list, p95", pages, 50),
            Requirement("ms to store 100 KB, p50", store, 20),
        ],
    )


def measure(call: ServiceCaller) -> list[Row]:
    deep = cursors(call, 900)  # to the end of the list
    midi = base64.b64encode(file_of(100_000)).decode()
    tasks: dict[str, Callable[[int], object]] = {
        "page, the first": lambda _: call("list_midi", limit=100),
        "page, far behind": lambda number: call("list_midi", limit=100, cursor=deep[-1 - number % 50]),
        "find by name": lambda number: call("list_midi", limit=100, name_contains=f"{number}999"),
        "store 100 KB": lambda number: call("store_midi", base64=midi, name=f"new {number}.mid"),
        "describe": lambda number: call("get_midi", path=f"new {number}.mid"),
    }
    rows: list[Row] = []
    for task, work in tasks.items():
        milliseconds = []
        for number in range(CALLS):
            began = time.perf_counter()
            work(number)
            milliseconds.append((time.perf_counter() - began) * 1000)
        percentiles = quantiles(milliseconds, n=100)
        rows.append({"task": task, "p50 ms": percentiles[49], "p95 ms": percentiles[94]})
    return rows


def cursors(call: ServiceCaller, pages: int) -> list[str]:
    found: list[str] = []
    while len(found) < pages:
        page = call("list_midi", limit=100, **({"cursor": found[-1]} if found else {}))
        found.append(page["next_cursor"])
    return found


def file_of(size: int) -> bytes:
    """Return a file of about `size` bytes with successive notes, 8 bytes each."""
    notes = b"".join(bytes((0, 0x90, 36 + n % 60, 80, 120, 0x80, 36 + n % 60, 64)) for n in range(size // 8))
    body = notes + b"\x00\xff\x2f\x00"
    return b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk" + len(body).to_bytes(4, "big") + body
