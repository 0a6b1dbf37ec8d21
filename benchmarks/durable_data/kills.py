"""Kill processes of a studio 30 times while clients store things, and read everything back that was acknowledged."""

import json
import os
import signal
import tempfile
import time
from pathlib import Path

from benchmarks.durable_data.writers import Ledger, OwnStudio, writing
from benchmarks.support.report import Report, Requirement, Row
from consort_kit.processes.studio_state import read_studio_state

KILLS = 30
LEAST_WRITES = 6000
_PARTS = ("postgres", "midi-store", "compose", "gateway", "strudel", "launcher")


def run() -> Report:
    with tempfile.TemporaryDirectory() as folder:
        studio, ledger = OwnStudio(Path(folder)), Ledger()
        studio.consort("up", "--detach")
        slowest = 0.0
        try:
            with writing(studio, ledger):
                for number in range(KILLS):
                    while len(ledger) < LEAST_WRITES * (number + 1) / (KILLS + 1):
                        time.sleep(0.02)
                    slowest = max(slowest, _kill(studio, _PARTS[number % len(_PARTS)]))
                while len(ledger) < LEAST_WRITES:
                    time.sleep(0.02)
            lost = ledger.lost(studio)
        finally:
            studio.consort("down")
    row: Row = {
        "trial": f"{KILLS} times kill -9",
        "acknowledged": len(ledger),
        "errors seen": ledger.errors,
        "lost": len(lost),
        "slowest return s": slowest,
    }
    return Report(
        title="Writes that were acknowledged, while processes are killed",
        rows=[row],
        summary=f"{len(lost)} of {len(ledger)} acknowledged writes lost under {KILLS} kills {lost[:5] or ''}.".strip(),
        requirements=[
            Requirement("acknowledged writes that are lost", len(lost), 0),
            Requirement("acknowledged writes", len(ledger), LEAST_WRITES, more_is_better=True),
        ],
    )


def _kill(studio: OwnStudio, part: str) -> float:
    """Kill a process, or with it all others if it is the launcher. Return the seconds until all are healthy."""
    state = read_studio_state(studio.data)
    if state is None:
        raise RuntimeError("the studio does not run")
    pid = state.launcher_pid if part == "launcher" else state.services[part].pid
    began = time.monotonic()
    if pid:
        os.kill(pid, signal.SIGKILL)
    if part == "launcher":
        studio.consort("up", "--detach")
    time.sleep(0.5)  # until the launcher has noticed
    while not json.loads(studio.consort("status", "--json") or "{}").get("healthy"):
        time.sleep(0.1)
    return time.monotonic() - began
