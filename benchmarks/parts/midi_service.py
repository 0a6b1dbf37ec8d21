"""midi-store over HTTP: pages of a list of 100,000 files, and storing one of 100 KB.

The rows of the big list are made by SQL, for storing 100,000 files takes minutes; everything else is the service as it
runs. Each figure is the median and the 95th percentile of calls on one connection.
"""

import base64
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from typing import Any

import psycopg

from benchmarks.report import Floor, Report, Row
from benchmarks.start import embedded_postgres, free_port, is_healthy, process, wait_until

FILES = 100_000
CALLS = 60
TOKEN = "not-a-secret"

MAKE_FILES = """
insert into midi_store.files (id, name, blob_key, bytes, summary, created_at)
select 'midi_' || lpad(number::text, 26, '0'), 'file ' || number || '.mid', 'midi/' || number, 1000,
    '{"duration_ms": 1000, "note_count": 10, "warnings": [], "omitted": {}}',
    now() - number * interval '1 second'
from generate_series(1, %s) number
"""


def run() -> Report:
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as (url, _):
        port = free_port()
        settings = {"CONSORT_DATA": folder, "CONSORT_DATABASE_URL": url, "CONSORT_PORT": str(port)}
        command = [sys.executable, "-m", "consort_midi_store"]
        with process(command, {**os.environ, **settings, "CONSORT_TOKEN": TOKEN}) as service:
            wait_until(lambda: is_healthy(port), service)
            with psycopg.connect(url, autocommit=True) as database:
                database.execute(MAKE_FILES, (FILES,))
                database.execute("analyze midi_store.files")
            rows = measure(Caller(port))
            service.terminate()
    by_task = {str(row["task"]): float(row["p95 ms"] or 0) for row in rows}
    pages = max(ms for task, ms in by_task.items() if task.startswith("page"))
    store = float(next(row["p50 ms"] or 0 for row in rows if row["task"] == "store 100 KB"))
    return Report(
        title=f"midi-store with {FILES:,} files, over HTTP",
        rows=rows,
        summary=f"a page of 100 takes {pages:.1f} ms (p95) wherever it is; storing 100 KB takes {store:.1f} ms (p50).",
        floors=[Floor("ms for a page of the list, p95", pages, 50), Floor("ms to store 100 KB, p50", store, 20)],
    )


class Caller:
    def __init__(self, port: int) -> None:
        self._http = HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}

    def __call__(self, tool: str, **arguments: Any) -> Any:
        self._http.request("POST", f"/tools/{tool}", json.dumps(arguments), self._headers)
        answer = self._http.getresponse()
        body = json.loads(answer.read())
        assert answer.status == 200, body
        return body


def measure(call: Caller) -> list[Row]:
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


def cursors(call: Caller, pages: int) -> list[str]:
    found: list[str] = []
    while len(found) < pages:
        page = call("list_midi", limit=100, **({"cursor": found[-1]} if found else {}))
        found.append(page["next_cursor"])
    return found


def file_of(size: int) -> bytes:
    """Notes one after the other, some 12,000 in 100 KB."""
    notes = b"".join(bytes((0, 0x90, 36 + n % 60, 80, 120, 0x80, 36 + n % 60, 64)) for n in range(size // 8))
    body = notes + b"\x00\xff\x2f\x00"
    return b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk" + len(body).to_bytes(4, "big") + body
