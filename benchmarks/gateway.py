"""Measure the cost of a call through the gateway, compared with the service itself and fastmcp's OpenAPI provider.

All of them use the same midi-store and take turns in short rounds, so that a busy machine affects all equally.
Latencies are percentiles over all rounds. Other numbers are the median of the rounds. A ratio is the median of the
ratios within each round. CPU time is that of the server process only (for direct HTTP: of the service); the client is
this process.

The official client calls both MCP servers in the newest protocol revision, and over HTTP also in the previous revision,
which most assistants still use. In the newest revision the plain provider lists all its tools in each call. The client
validates results against a tool's output schema. Only the plain provider has output schemas, so part of its latency is
spent in the client.
"""

import asyncio
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import httpx2
import psutil
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION

from benchmarks.support.report import Cell, Report, Requirement
from evaluation.mcp_answers import answer_of
from evaluation.processes.servers import embedded_postgres, free_port, listens, wait_until

TOOL = "list_midi"
FILES = 20
ARGUMENTS = {"limit": FILES}
"""Must not be empty: the plain provider would then send no body, and the service would reject the call."""
AT_ONCE = (1, 20)
REVISIONS = {LATEST_MODERN_VERSION: "auto", LATEST_HANDSHAKE_VERSION: "legacy"}
"""Protocol revisions, and the client's mode for each."""
WARM_UP_CALLS = 20
CALLS = 40
"""Calls to one server in one round."""
ROUNDS = 8
MOST_OF_PLAIN = 1.2
"""A call through the gateway may cost at most this many times the CPU time of the plain provider."""
STOP_TIMEOUT_S = 20.0
CALL_TIMEOUT_S = 30.0

PLAIN = [sys.executable, str(Path(__file__).parent / "baselines" / "plain_provider.py")]
STDIO = {
    "plain provider": [*PLAIN, "stdio"],
    "gateway": [sys.executable, "-m", "consort_cli.main", "mcp", "--no-start"],
}
HTTP = {"plain provider": [*PLAIN, "http"], "gateway": [sys.executable, "-m", "consort_gateway"]}

TOKEN = "this-is-not-secret"
MIDI = b"MThd\0\0\0\6\0\0\0\1\0\x60MTrk\0\0\0\x0c\0\x90\x3c\x40\x60\x80\x3c\0\0\xff\x2f\0"
"""A MIDI file with one quarter note."""


@dataclass(frozen=True)
class MeasuredServer:
    server: str
    transport: str
    process: psutil.Process
    call: Callable[[], Awaitable[object]]


@dataclass(frozen=True)
class Round:
    calls_a_second: float
    cpu_ms: float
    """CPU time per call."""
    latencies_ms: list[float]


Results = Mapping[tuple[str, str, int], list[Round]]
"""The rounds, by (server, transport, number of concurrent calls)."""


def run() -> Report:
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as (database_url, _):
        try:
            return report(asyncio.run(measure(Path(folder), database_url)))
        except BaseExceptionGroup as group:  # nested, one for each open connection
            raise first_in(group) from None


def first_in(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return first_in(first) if isinstance(first, BaseExceptionGroup) else first


def report(results: Results) -> Report:
    rows = []
    requirements = []
    for (server, transport, at_once), rounds in results.items():
        percentiles = quantiles((ms for each in rounds for ms in each.latencies_ms), n=100)
        row: dict[str, Cell] = {
            "at once": at_once,
            "over": transport,
            "server": server,
            "calls/s": median(each.calls_a_second for each in rounds),
            "p50 ms": percentiles[49],
            "p95 ms": percentiles[94],
            "CPU ms a call": median(each.cpu_ms for each in rounds),
        }
        if server == "gateway":
            beside = zip(rounds, results["plain provider", transport, at_once], strict=True)
            ratio = round(median(ours.cpu_ms / plain.cpu_ms for ours, plain in beside), 3)
            row["beside plain"] = f"{ratio:.2f}x"
            requirements.append(
                Requirement(f"CPU beside the plain provider's, {transport}, {at_once} at once", ratio, MOST_OF_PLAIN)
            )
        rows.append(row)
    ratios = [requirement.measured for requirement in requirements]
    return Report(
        title=f"{TOOL} with {FILES} files: the service itself, the plain fastmcp provider, the gateway",
        rows=rows,
        summary=f"the gateway's CPU a call is {min(ratios):.2f} to {max(ratios):.2f} times the plain provider's.",
        requirements=requirements,
    )


async def measure(folder: Path, database_url: str) -> Results:
    async with AsyncExitStack() as stack:
        servers = [each async for each in start_servers(stack, folder, database_url)]
        for each in servers:
            for at_once in AT_ONCE:
                await one_round(each, at_once, WARM_UP_CALLS)
        results: dict[tuple[str, str, int], list[Round]] = {
            (each.server, each.transport, at_once): [] for at_once in AT_ONCE for each in servers
        }
        for number in range(ROUNDS):
            for at_once in AT_ONCE:
                for each in servers if number % 2 else reversed(servers):
                    results[each.server, each.transport, at_once].append(await one_round(each, at_once, CALLS))
        return results


async def one_round(server: MeasuredServer, at_once: int, calls: int) -> Round:
    left = iter(range(calls))
    latencies_ms: list[float] = []

    async def caller() -> None:
        for _ in left:
            began = time.perf_counter()
            await server.call()
            latencies_ms.append((time.perf_counter() - began) * 1000)

    cpu_before, began = cpu_seconds(server.process), time.perf_counter()
    async with asyncio.TaskGroup() as callers:
        for _ in range(at_once):
            callers.create_task(caller())
    seconds = time.perf_counter() - began
    cpu = cpu_seconds(server.process) - cpu_before
    return Round(calls / seconds, cpu / calls * 1000, latencies_ms)


def cpu_seconds(process: psutil.Process) -> float:
    if sys.platform == "linux":  # the clock of clock_getcpuclockid(3): /proc has a resolution of 10 ms only
        return time.clock_gettime(~process.pid << 3 | 2)
    times = process.cpu_times()
    return float(times.user + times.system)


async def start_servers(stack: AsyncExitStack, folder: Path, database_url: str) -> AsyncIterator[MeasuredServer]:
    """Start each server and yield it. The exit stack stops them."""
    environment = {"CONSORT_DATA": str(folder), "CONSORT_TOKEN": TOKEN, "CONSORT_DATABASE_URL": database_url}
    command = [sys.executable, "-m", "consort_midi_store"]
    service_url, process = stack.enter_context(listening(command, environment, folder))
    client = await stack.enter_async_context(http_client())
    await fill(client, service_url)

    async def direct() -> None:
        check(len((await post(client, service_url, TOOL, ARGUMENTS))["items"]))

    yield MeasuredServer("service", "direct HTTP", process, direct)

    environment["CONSORT_SERVICE_URLS"] = json.dumps({"midi-store": service_url})
    spec = folder / "openapi.json"
    spec.write_text((await client.get(f"{service_url}/openapi.json")).text)
    environment |= {"SERVICE_URL": service_url, "SPEC": str(spec)}
    for server, command in STDIO.items():
        connection, process = await stack.enter_async_context(over_stdio(command, environment, folder))
        yield MeasuredServer(server, "stdio", process, caller_of(connection))
    listeners = {
        server: stack.enter_context(listening(command, environment, folder)) for server, command in HTTP.items()
    }
    for revision in REVISIONS:
        for server, (url, process) in listeners.items():
            connection = await stack.enter_async_context(over_http(f"{url}/mcp", revision))
            yield MeasuredServer(server, f"HTTP, MCP {revision}", process, caller_of(connection))


def caller_of(client: Client) -> Callable[[], Awaitable[None]]:
    async def call() -> None:
        result = await client.call_tool(TOOL, ARGUMENTS, CALL_TIMEOUT_S)
        check(len(answer_of(result).get("items", [])))

    return call


def check(items: int) -> None:
    if items != FILES:
        raise RuntimeError(f"{TOOL} answered {items} files instead of {FILES}")


async def fill(client: httpx2.AsyncClient, service_url: str) -> None:
    for number in range(FILES):
        arguments = {"base64": base64.b64encode(MIDI).decode(), "name": f"quarter-note-{number}.mid"}
        await post(client, service_url, "store_midi", arguments)


async def post(
    client: httpx2.AsyncClient, service_url: str, tool: str, arguments: Mapping[str, str | int]
) -> dict[str, list[object]]:
    answer = await client.post(f"{service_url}/tools/{tool}", json=arguments)
    answer.raise_for_status()
    content: dict[str, list[object]] = answer.json()
    return content


def http_client() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=CALL_TIMEOUT_S, trust_env=False)


@asynccontextmanager
async def over_stdio(
    command: list[str], environment: Mapping[str, str], folder: Path
) -> AsyncIterator[tuple[Client, psutil.Process]]:
    parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(environment), cwd=folder)
    before = set(psutil.Process().children())
    async with Client(stdio_client(parameters)) as client:
        (process,) = set(psutil.Process().children()) - before
        yield client, process


@asynccontextmanager
async def over_http(url: str, revision: str) -> AsyncIterator[Client]:
    async with (
        http_client() as http,
        Client(streamable_http_client(url, http_client=http), mode=REVISIONS[revision]) as client,
    ):
        if client.protocol_version != revision:
            raise RuntimeError(f"the server speaks {client.protocol_version}, not {revision}")
        yield client


@contextmanager
def listening(command: list[str], environment: Mapping[str, str], folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    """Run a server on a free port and yield its URL. It watches its stdin, so it always ends with this process."""
    port = free_port()
    ours = {name: value for name, value in os.environ.items() if not name.startswith("CONSORT_")}
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            command,
            env={**ours, **environment, "CONSORT_PORT": str(port), "CONSORT_WATCH_STDIN": "1"},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until(lambda: listens(port), "it listens", child=child, poll_s=0.002)
            yield f"http://127.0.0.1:{port}", psutil.Process(child.pid)
        except BaseException:
            output.seek(0)
            sys.stderr.write(output.read().decode(errors="replace")[-2000:])
            raise
        finally:
            child.terminate()
            try:
                child.wait(STOP_TIMEOUT_S)
            finally:
                child.kill()
                child.wait()
