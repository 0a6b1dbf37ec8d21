"""A trial of the whole studio with very many calls. The processes must not grow, and no call may fail inside.

`./consort test --all -- -s -k trial` prints the figures.
"""

import itertools
import json
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import psutil
import pytest

from consort_cli.mcp_client import McpConnection
from consort_gateway.tools.catalogue import load_catalogue
from tests.support.errors_and_faults.example_calls import EXAMPLE_CALLS
from tests.support.errors_and_faults.injected_faults import HOSTILE_TEXTS
from tests.support.servers.studio import Studio

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

HOSTILE_CALLS = 4500
SEQUENTIAL_CALLS = 10_000
PARALLEL_CALLS = 500
PART = 1000
MOST_SLOWDOWN = 1.3
"""The last calls in sequence may cost so many times as much processor time as the first."""
MOST_GROWTH = 20e6
"""Bytes of resident memory of one process."""
WARM_UP = 500
"""After so many calls, and one of each tool without faults, imports and indexes are in memory."""


def hostile_calls() -> Iterator[tuple[str, dict[str, object]]]:
    """Yield every hostile text in every text field of every tool, again and again, one field after the other."""
    fields = [
        (tool.name, name)
        for tool in load_catalogue()
        for name, field in tool.input_schema["properties"].items()
        if field.get("type") == "string"
    ]
    for text in itertools.cycle(HOSTILE_TEXTS.values()):
        for tool, field in fields:
            yield tool, {**EXAMPLE_CALLS[tool](), field: text}


def memory_of(studio: Studio) -> dict[str, int]:
    parts = studio.status()["services"].items()
    return {name: psutil.Process(part["pid"]).memory_info().rss for name, part in parts if name != "postgres"}


def cpu_seconds_of(studio: Studio) -> float:
    """Return the processor time of the gateway and midi-store, which does not depend on what else the machine does."""
    times = [psutil.Process(studio.status()["services"][name]["pid"]).cpu_times() for name in ("gateway", "midi-store")]
    return sum((float(each.user + each.system) for each in times), 0.0)


def assert_small_growth(before: dict[str, int], after: dict[str, int]) -> None:
    growth = {name: round((after[name] - before[name]) / 1e6, 1) for name in before}
    print(f"growth in MB: {growth}")
    assert max(growth.values()) * 1e6 < MOST_GROWTH, growth


def test_trial_of_hostile_calls(own_studio: Studio, request: pytest.FixtureRequest) -> None:
    own_studio.up()
    own_studio.call("create_project", name="kept", initial_script='$: s("bd*4")')
    connection = McpConnection(own_studio.url, own_studio.token, "trial")
    request.addfinalizer(connection.close)
    for tool in load_catalogue():
        connection.call_tool(tool.name, EXAMPLE_CALLS[tool.name]())  # identify_pattern keeps an index of 58 MB
    codes: dict[str, int] = {}
    before: dict[str, int] = {}
    began = time.monotonic()
    for index, (name, arguments) in enumerate(itertools.islice(hostile_calls(), WARM_UP + HOSTILE_CALLS)):
        if index == WARM_UP:
            before = memory_of(own_studio)
        ok, result = connection.call_tool(name, arguments)
        if index % 500 == 0:
            print(f"{index} hostile calls, {time.monotonic() - began:.0f} s", flush=True)
        code = "ok" if ok else result["error"]["code"]
        codes[code] = codes.get(code, 0) + 1
        assert code not in ("INTERNAL_ERROR", "SERVICE_DOWN"), (name, str(arguments)[:300], result)
    print(f"{HOSTILE_CALLS} hostile calls: {json.dumps(codes)}")
    assert_small_growth(before, memory_of(own_studio))
    assert all(part["healthy"] for part in own_studio.status()["services"].values())


def test_trial_of_many_calls(own_studio: Studio, request: pytest.FixtureRequest) -> None:
    own_studio.up()
    with ThreadPoolExecutor(100) as pool:
        began = time.monotonic()
        answers = list(pool.map(lambda _: own_studio.try_call("list_midi"), range(PARALLEL_CALLS)))
        print(f"{PARALLEL_CALLS} parallel calls: {time.monotonic() - began:.1f} s")
    assert all(ok for ok, _ in answers)
    connection = McpConnection(own_studio.url, own_studio.token, "trial")
    request.addfinalizer(connection.close)
    durations, processor = [], []
    before: dict[str, int] = {}
    for index in range(WARM_UP + SEQUENTIAL_CALLS + 1):
        if index == WARM_UP:
            before = memory_of(own_studio)
        if index >= WARM_UP and (index - WARM_UP) % PART == 0:
            processor.append(cpu_seconds_of(own_studio))
        began = time.perf_counter()
        ok, result = connection.call_tool("list_midi", {"limit": 1})
        durations.append(time.perf_counter() - began)
        assert ok, result
    first, last = (statistics.median(part) * 1000 for part in (durations[WARM_UP:][:PART], durations[-PART:]))
    print(f"{SEQUENTIAL_CALLS} calls in sequence: median of the first {PART} {first:.2f} ms, of the last {last:.2f} ms")
    costs = [later - earlier for earlier, later in pairwise(processor)]
    print(f"CPU ms per call, of each {PART}: {', '.join(f'{cost / PART * 1000:.2f}' for cost in costs)}")
    assert costs[-1] < MOST_SLOWDOWN * costs[0], "the last calls cost as much as the first"
    assert_small_growth(before, memory_of(own_studio))
