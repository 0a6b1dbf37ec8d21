"""The measure of every fault: errors in the one shape in 5 s, all back in 30 s, nothing lost or half-written."""

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from consort_cli.mcp_client import McpConnection
from tests.faults.table import EXAMPLES, KEEPERS, PROBES, STILL_THERE
from tests.studio import Studio

MAX_ERROR_S = 5.0
MAX_BACK_S = 30.0
PAUSE_S = 0.05
"""Between two calls of a client: all that it was told is looked at again in the end."""


@dataclass
class Crowd:
    """Clients that store things all the time, and what they were told."""

    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    slowest_error_s: float = 0.0


@contextmanager
def crowd(studio: Studio, clients: int = 4) -> Iterator[Crowd]:
    seen, done = Crowd(), threading.Event()

    def client(tool: str) -> None:
        connection = McpConnection(studio.url, studio.token)
        while not done.is_set():
            began = time.monotonic()
            arguments = EXAMPLES[tool]()
            ok, result = connection.call_tool(tool, arguments)
            if ok:
                seen.acknowledged.append({**result, "sent": arguments, "tool": tool})
            else:
                seen.errors.append(result)
                seen.slowest_error_s = max(seen.slowest_error_s, time.monotonic() - began)
            done.wait(PAUSE_S)
        connection.close()

    threads = [threading.Thread(target=client, args=(tool,)) for tool in KEEPERS.values() for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        done.set()
        for thread in threads:
            thread.join()


def seconds_until_back(studio: Studio) -> float:
    """Until every probe goes well and everything is healthy, twice in a row."""
    began = time.monotonic()
    well = 0
    while well < 2:
        probes = all(studio.try_call(tool, **EXAMPLES[tool]())[0] for tool in PROBES.values())
        well = well + 1 if probes and studio.status()["healthy"] else 0
        assert time.monotonic() - began < 2 * MAX_BACK_S, studio.status()
    return time.monotonic() - began


def assert_shape(error: dict[str, Any]) -> None:
    assert set(error) == {"success", "error", "partial_result"} and error["success"] is False, error
    assert set(error["error"]) == {"code", "message", "field", "suggestions", "details"}, error
    assert error["error"]["code"].isupper() and error["error"]["message"]


def assert_nothing_lost(studio: Studio, acknowledged: list[dict[str, Any]]) -> None:
    """What was acknowledged is there, to the byte, and every file on disk is whole.

    The name of a kept file is its checksum; what is shown under another name is one of those.
    """
    for each in acknowledged:
        assert STILL_THERE[each["tool"]](studio, each), each
    folder = studio.data / "midi"
    kept = {path.stem: path for path in folder.glob("*/*.mid")}
    for path in [*kept.values(), *folder.glob("*.mid")]:
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        assert checksum == path.stem or (path.parent == folder and checksum in kept), path
