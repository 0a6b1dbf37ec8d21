"""Measure the service over HTTP: how long it takes to start, and whether 20 scripts at once all get a verdict."""

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement
from benchmarks.support.service_caller import TOKEN, ServiceCaller
from evaluation.processes.servers import embedded_postgres, running_service
from evaluation.strudel_scripts.voices import songs

AT_ONCE = 20
MOST_START_S = 3.0
_MODULE = "consort_strudel"


def run(options: BenchOptions) -> Report:
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as (url, _):
        with running_service(_MODULE, folder, url, CONSORT_TOKEN=TOKEN):
            pass  # the first start creates the tables
        began = time.perf_counter()
        with running_service(_MODULE, folder, url, CONSORT_TOKEN=TOKEN) as (port, _):
            healthy_s = time.perf_counter() - began
            ServiceCaller(port)("validate_script", script_content='s("bd*4")')
            first_s = time.perf_counter() - began
            failures, all_s = _at_once(port)
    return Report(
        "strudel-svc as a service",
        [
            {"what": "start until healthy", "seconds": healthy_s},
            {"what": "start until the first verdict", "seconds": first_s},
            {"what": f"{AT_ONCE} songs at once, all verdicts", "items": AT_ONCE, "seconds": all_s},
        ],
        f"Started in {healthy_s:.2f} s; {failures} of {AT_ONCE} validations at once failed.",
        [
            Requirement("seconds until healthy", healthy_s, MOST_START_S),
            Requirement(f"failures of {AT_ONCE} validations at once", failures, 0),
        ],
    )


def _at_once(port: int) -> tuple[int, float]:
    """Return how many validations failed or gave a wrong verdict, and the seconds for all of them."""

    def is_valid(script: str) -> Any:
        return ServiceCaller(port)("validate_script", script_content=script)["valid"]

    began = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as clients:
        asked = [clients.submit(is_valid, song.script) for song in songs(AT_ONCE)]
    failures = sum(each.exception() is not None or not each.result() for each in asked)
    return failures, time.perf_counter() - began
