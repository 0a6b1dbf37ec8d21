"""Calls to a service: patient while it starts, quick when it is down, and never sent twice."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest

from consort_gateway.catalogue import ToolDefinition, load_catalogue
from consort_gateway.settings import GatewaySettings
from consort_gateway.upstream import Launching, Upstream
from consort_kit.errors import ServiceDown
from consort_kit.stack import ServiceState, Stack, State

Result = TypeVar("Result")
TOOL = {tool.name: tool for tool in load_catalogue()}["list_midi"]


class Service(Protocol):
    def app(self, data: Path) -> Any: ...


class Launch:
    """A start of the studio, as the command line asks for it."""

    def __init__(self, why: str | None = None) -> None:
        self.why = why

    def runs(self) -> bool:
        return self.why is None

    def is_alive(self) -> bool:
        return self.why is None

    def revive(self) -> None:
        pass

    def failure(self) -> str | None:
        return self.why


class Reports:
    def __init__(self) -> None:
        self.heard: list[tuple[float, float, str]] = []
        self.first = asyncio.Event()

    async def __call__(self, waited: float, most: float, what: str) -> None:
        self.heard.append((waited, most, what))
        self.first.set()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(asyncio.wait_for(work, 30))


@asynccontextmanager
async def upstream_of(data: Path, port: int, launching: Launching | None = None) -> AsyncIterator[Upstream]:
    urls = {"midi-store": f"http://127.0.0.1:{port}"}
    upstream = Upstream(GatewaySettings(data=data, token="secret-token", service_urls=urls, start_wait_s=20), launching)
    try:
        yield upstream
    finally:
        await upstream.aclose()


def write_stack(data: Path, state: State | None, launcher: int | None = None) -> None:
    services = {} if state is None else {"midi-store": ServiceState(state=state)}
    Stack(launcher or os.getpid(), 8700, services).write(data)


async def limits(upstream: Upstream, reports: Reports, tool: ToolDefinition = TOOL) -> int:
    answer = await upstream.call(tool, {"limit": 2}, reports)
    return len(answer.json()["items"])


@pytest.mark.parametrize("state", ["starting", None])
def test_a_call_waits_for_a_service_that_starts(
    tmp_path: Path, free_port: int, stand_in: Service, serve: Callable[..., str], state: State | None
) -> None:
    write_stack(tmp_path, state)  # None: the launcher still prepares the database

    async def work() -> None:
        reports = Reports()
        async with upstream_of(tmp_path, free_port) as upstream:
            call = asyncio.create_task(limits(upstream, reports))
            await reports.first.wait()
            await asyncio.to_thread(serve, stand_in.app(tmp_path), free_port)
            assert await call == 2
        _, most, what = reports.heard[0]
        assert (most, what) == (20, "midi-store is starting")

    run(work())


def test_a_call_waits_for_a_studio_that_was_just_asked_to_start(
    tmp_path: Path, free_port: int, stand_in: Service, serve: Callable[..., str]
) -> None:
    async def work() -> None:
        reports = Reports()
        async with upstream_of(tmp_path, free_port, Launch()) as upstream:
            call = asyncio.create_task(limits(upstream, reports))
            await reports.first.wait()
            await asyncio.to_thread(serve, stand_in.app(tmp_path), free_port)
            assert await call == 2

    run(work())


def quick_refusal(data: Path, port: int, launching: Launching | None = None) -> ServiceDown:
    async def work() -> ServiceDown:
        reports = Reports()
        async with upstream_of(data, port, launching) as upstream:
            with pytest.raises(ServiceDown) as caught:
                await upstream.call(TOOL, {}, reports)
            assert not reports.heard  # it did not wait
            return caught.value

    return run(work())


@pytest.mark.parametrize("state", ["healthy", "restarting", "stopped"])
def test_down_at_once_when_nobody_starts_it(tmp_path: Path, free_port: int, state: State) -> None:
    write_stack(tmp_path, state)
    error = quick_refusal(tmp_path, free_port)
    assert error.body.code == "SERVICE_DOWN" and error.body.details == {"service": "midi-store"}


def test_down_at_once_without_a_launcher(tmp_path: Path, free_port: int) -> None:
    assert quick_refusal(tmp_path, free_port).body.code == "SERVICE_DOWN"
    write_stack(tmp_path, "starting", launcher=2**22 + 1)  # beyond the greatest process id: it has died
    assert quick_refusal(tmp_path, free_port).body.code == "SERVICE_DOWN"
    (tmp_path / "run" / "stack.json").write_text("{ half")
    assert quick_refusal(tmp_path, free_port).body.code == "SERVICE_DOWN"


@pytest.mark.parametrize(
    ("address", "is_told"), [("http://host.docker.internal:{port}", True), ("http://127.0.0.1:1", False)]
)
def test_beside_containers_it_is_said_how_to_start_the_agent(tmp_path: Path, address: str, is_told: bool) -> None:
    list_devices = {tool.name: tool for tool in load_catalogue()}["list_devices"]
    settings = GatewaySettings(data=tmp_path, token="secret-token", service_urls={"playback": address})

    async def work() -> None:
        upstream = Upstream(settings)
        try:
            await limits(upstream, Reports(), list_devices)
        finally:
            await upstream.aclose()

    with pytest.raises(ServiceDown) as down:
        run(work())
    told = [down.value.body.message, *down.value.body.suggestions]
    assert any("./consort agent --docker" in text for text in told) is is_told
    assert any("Try again in some seconds" in text for text in told) is not is_told


def test_why_the_start_failed_is_told(tmp_path: Path, free_port: int) -> None:
    error = quick_refusal(tmp_path, free_port, Launch("port 8700 is in use"))
    assert error.body.message == "The studio could not be started: port 8700 is in use."


def test_why_the_start_failed_is_told_to_a_call_that_waited(tmp_path: Path, free_port: int) -> None:
    async def work() -> str:
        reports, launch = Reports(), Launch()
        async with upstream_of(tmp_path, free_port, launch) as upstream:
            call = asyncio.create_task(upstream.call(TOOL, {}, reports))
            await reports.first.wait()
            launch.why = "the disk is full"
            with pytest.raises(ServiceDown) as caught:
                await call
            return caught.value.body.message

    assert run(work()) == "The studio could not be started: the disk is full."


def test_a_service_that_stops_starting_is_not_waited_for(tmp_path: Path, free_port: int) -> None:
    write_stack(tmp_path, "starting")

    async def work() -> None:
        reports = Reports()
        async with upstream_of(tmp_path, free_port) as upstream:
            call = asyncio.create_task(upstream.call(TOOL, {}, reports))
            await reports.first.wait()
            write_stack(tmp_path, "stopped")
            with pytest.raises(ServiceDown, match="does not answer"):
                await call

    run(work())


def test_a_call_that_was_cut_is_not_made_again_though_the_service_is_starting(tmp_path: Path) -> None:
    write_stack(tmp_path, "starting")
    calls: list[bytes] = []

    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(await reader.readuntil(b"\r\n\r\n"))
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(cut, "127.0.0.1", 0)
        async with server, upstream_of(tmp_path, server.sockets[0].getsockname()[1]) as upstream:
            with pytest.raises(ServiceDown, match="may or may not have been done"):
                await upstream.call(TOOL, {}, Reports())

    run(work())
    assert len(calls) == 1


def test_one_service_down_leaves_the_others_quick(
    tmp_path: Path, free_port: int, stand_in: Service, serve: Callable[..., str]
) -> None:
    url = serve(stand_in.app(tmp_path))

    async def work() -> None:
        urls = {"midi-store": url, "audio": f"http://127.0.0.1:{free_port}"}
        upstream = Upstream(GatewaySettings(data=tmp_path, token="secret-token", service_urls=urls))
        elsewhere = ToolDefinition("x", "x", "x", {}, "audio", "/tools/x", "x", "read")
        answers = await asyncio.gather(
            *(limits(upstream, Reports(), tool) for tool in [TOOL, elsewhere] * 10), return_exceptions=True
        )
        await upstream.aclose()
        assert answers[::2] == [2] * 10
        assert all(isinstance(each, ServiceDown) for each in answers[1::2])

    run(work())
    assert threading.active_count() < 20
