"""Measure a fault. Errors must come within 5 s, the studio must be healthy within 30 s, and nothing may be lost."""

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from consort_cli.mcp_client import McpConnection
from tests.support.errors_and_faults.example_calls import EXAMPLE_CALLS
from tests.support.errors_and_faults.injected_faults import ONE_CLIENT, READING_TOOLS, STILL_THERE, STORING_TOOLS
from tests.support.servers.studio import Studio

MAX_ERROR_S = 5.0
MAX_BACK_S = 30.0
PAUSE_S = 0.2
"""Time between two calls of a client. It limits how many results `assert_nothing_lost` must read at the end."""


@dataclass
class ClientResults:
    """Results and errors of clients that keep calling the storing tools."""

    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    slowest_error_s: float = 0.0


@contextmanager
def busy_clients(studio: Studio, clients: int = 2) -> Iterator[ClientResults]:
    """Run clients that keep calling the storing tools; `clients` is their number per tool."""
    seen, done = ClientResults(), threading.Event()

    def client(tool: str) -> None:
        connection = McpConnection(studio.url, studio.token)
        while not done.is_set():
            began = time.monotonic()
            arguments = EXAMPLE_CALLS[tool]()
            ok, result = connection.call_tool(tool, arguments)
            if ok:
                seen.acknowledged.append({**result, "sent": arguments, "tool": tool})
            else:
                seen.errors.append(result)
                seen.slowest_error_s = max(seen.slowest_error_s, time.monotonic() - began)
            done.wait(PAUSE_S)
        connection.close()

    threads = [
        threading.Thread(target=client, args=(tool,))
        for tool in STORING_TOOLS.values()
        for _ in range(1 if tool in ONE_CLIENT else clients)
    ]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        done.set()
        for thread in threads:
            thread.join()


def seconds_until_back(studio: Studio) -> float:
    """Return the seconds until, twice in a row, all reading tools succeed and all processes are healthy."""
    began = time.monotonic()
    well = 0
    while well < 2:
        probes = all(studio.try_call(tool, **EXAMPLE_CALLS[tool]())[0] for tool in READING_TOOLS.values())
        well = well + 1 if probes and studio.status()["healthy"] else 0
        assert time.monotonic() - began < 2 * MAX_BACK_S, studio.status()
    return time.monotonic() - began


def assert_nothing_lost(studio: Studio, acknowledged: list[dict[str, Any]]) -> None:
    """Assert that every acknowledged result is stored unchanged, and that every file on disk is complete.

    The name of a stored file is its checksum. A file with a human-readable name must have the content of a stored one.
    """
    for each in acknowledged:
        assert STILL_THERE[each["tool"]](studio, each), each
    folder = studio.data / "midi"
    kept = {path.stem: path for path in folder.glob("*/*.mid")}
    for path in [*kept.values(), *folder.glob("*.mid")]:
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        assert checksum == path.stem or (path.parent == folder and checksum in kept), path
