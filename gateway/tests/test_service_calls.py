"""Calls to a service wait while it starts, fail at once when it is down, and are never sent twice."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from consort_gateway.service_calls import ServiceCalls, StudioLaunch
from consort_gateway.settings import GatewaySettings
from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_kit.errors import ServiceDown
from consort_kit.processes.studio_state import RunState, ServiceState, StudioState
from tests.support.servers.fake_midi_store import TOKEN, FakeMidiStore
from tests.support.servers.proof import answer_to_challenge

T = TypeVar("T")
TOOL = {tool.name: tool for tool in load_catalogue()}["list_midi"]


class FakeLaunch:
    """A start of the studio whose outcome the test sets."""

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
        self.received: list[tuple[float, float, str]] = []
        self.first = asyncio.Event()

    async def __call__(self, waited: float, most: float, what: str) -> None:
        self.received.append((waited, most, what))
        self.first.set()


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 30))


@asynccontextmanager
async def service_calls_of(data: Path, port: int, launching: StudioLaunch | None = None) -> AsyncIterator[ServiceCalls]:
    urls = {"midi-store": f"http://127.0.0.1:{port}"}
    services = ServiceCalls(
        GatewaySettings(data=data, token="secret-token-of-tests", service_urls=urls, start_wait_s=20), launching
    )
    try:
        yield services
    finally:
        await services.aclose()


def write_state(data: Path, state: RunState | None, launcher: int | None = None) -> None:
    services = {} if state is None else {"midi-store": ServiceState(state=state)}
    StudioState(launcher or os.getpid(), 8700, services).write(data)


async def item_count(services: ServiceCalls, reports: Reports, tool: ToolDefinition = TOOL) -> int:
    answer = await services.call(tool, {"limit": 2}, reports)
    return len(answer.json()["items"])


@pytest.mark.parametrize("state", ["starting", None])
def test_a_call_waits_for_a_service_that_starts(
    tmp_path: Path, free_port: int, midi_store: FakeMidiStore, serve: Callable[..., str], state: RunState | None
) -> None:
    write_state(tmp_path, state)  # None: the launcher is preparing the database

    async def work() -> None:
        reports = Reports()
        async with service_calls_of(tmp_path, free_port) as services:
            call = asyncio.create_task(item_count(services, reports))
            await reports.first.wait()
            await asyncio.to_thread(serve, midi_store.app(tmp_path), free_port)
            assert await call == 2
        _, most, what = reports.received[0]
        assert (most, what) == (20, "midi-store is starting")

    run(work())


def test_a_call_waits_for_a_studio_that_was_just_started(
    tmp_path: Path, free_port: int, midi_store: FakeMidiStore, serve: Callable[..., str]
) -> None:
    async def work() -> None:
        reports = Reports()
        async with service_calls_of(tmp_path, free_port, FakeLaunch()) as services:
            call = asyncio.create_task(item_count(services, reports))
            await reports.first.wait()
            await asyncio.to_thread(serve, midi_store.app(tmp_path), free_port)
            assert await call == 2

    run(work())


def immediate_error(data: Path, port: int, launching: StudioLaunch | None = None) -> ServiceDown:
    async def work() -> ServiceDown:
        reports = Reports()
        async with service_calls_of(data, port, launching) as services:
            with pytest.raises(ServiceDown) as caught:
                await services.call(TOOL, {}, reports)
            assert not reports.received  # it did not wait
            return caught.value

    return run(work())


@pytest.mark.parametrize("state", ["healthy", "restarting", "stopped"])
def test_a_service_that_nobody_starts_is_reported_at_once(tmp_path: Path, free_port: int, state: RunState) -> None:
    write_state(tmp_path, state)
    error = immediate_error(tmp_path, free_port)
    assert error.body.code == "SERVICE_DOWN" and error.body.details == {"service": "midi-store"}


def test_without_a_launcher_a_stopped_service_is_reported_at_once(tmp_path: Path, free_port: int) -> None:
    assert immediate_error(tmp_path, free_port).body.code == "SERVICE_DOWN"
    write_state(tmp_path, "starting", launcher=2**22 + 1)  # greater than any process id: no such process
    assert immediate_error(tmp_path, free_port).body.code == "SERVICE_DOWN"
    (tmp_path / "run" / "stack.json").write_text("{ half")
    assert immediate_error(tmp_path, free_port).body.code == "SERVICE_DOWN"


@pytest.mark.parametrize(
    ("address", "is_expected"), [("http://host.docker.internal:{port}", True), ("http://127.0.0.1:1", False)]
)
def test_a_missing_agent_on_the_host_of_containers(tmp_path: Path, address: str, is_expected: bool) -> None:
    list_devices = {tool.name: tool for tool in load_catalogue()}["list_devices"]
    settings = GatewaySettings(data=tmp_path, token="secret-token-of-tests", service_urls={"playback": address})

    async def work() -> None:
        services = ServiceCalls(settings)
        try:
            await item_count(services, Reports(), list_devices)
        finally:
            await services.aclose()

    with pytest.raises(ServiceDown) as down:
        run(work())
    texts = [down.value.body.message, *down.value.body.suggestions]
    assert any("./consort agent --docker" in text for text in texts) is is_expected
    assert any("Try again in a few seconds" in text for text in texts) is not is_expected


def test_the_reason_of_a_failed_start_is_reported(tmp_path: Path, free_port: int) -> None:
    error = immediate_error(tmp_path, free_port, FakeLaunch("port 8700 is in use"))
    assert error.body.message == "The studio could not be started: port 8700 is in use."


def test_the_reason_of_a_failed_start_is_reported_to_a_waiting_call(tmp_path: Path, free_port: int) -> None:
    async def work() -> str:
        reports, launch = Reports(), FakeLaunch()
        async with service_calls_of(tmp_path, free_port, launch) as services:
            call = asyncio.create_task(services.call(TOOL, {}, reports))
            await reports.first.wait()
            launch.why = "the disk is full"
            with pytest.raises(ServiceDown) as caught:
                await call
            return caught.value.body.message

    assert run(work()) == "The studio could not be started: the disk is full."


def test_a_call_does_not_wait_for_a_service_that_stopped(tmp_path: Path, free_port: int) -> None:
    write_state(tmp_path, "starting")

    async def work() -> None:
        reports = Reports()
        async with service_calls_of(tmp_path, free_port) as services:
            call = asyncio.create_task(services.call(TOOL, {}, reports))
            await reports.first.wait()
            write_state(tmp_path, "stopped")
            with pytest.raises(ServiceDown, match="does not answer"):
                await call

    run(work())


def test_a_call_that_was_cut_off_is_not_repeated(tmp_path: Path) -> None:
    write_state(tmp_path, "starting")
    calls: list[bytes] = []

    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(answer_to_challenge(head, TOKEN) or b"")
        calls.append(await reader.readuntil(b"\r\n\r\n"))
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(cut, "127.0.0.1", 0)
        async with server, service_calls_of(tmp_path, server.sockets[0].getsockname()[1]) as services:
            with pytest.raises(ServiceDown, match="may or may not have been done"):
                await services.call(TOOL, {}, Reports())

    run(work())
    assert len(calls) == 1


def test_a_stopped_service_does_not_slow_others(
    tmp_path: Path, free_port: int, midi_store: FakeMidiStore, serve: Callable[..., str]
) -> None:
    url = serve(midi_store.app(tmp_path))
    threads_before = threading.active_count()  # other tests of this process may have left some

    async def work() -> None:
        urls = {"midi-store": url, "audio": f"http://127.0.0.1:{free_port}"}
        services = ServiceCalls(GatewaySettings(data=tmp_path, token="secret-token-of-tests", service_urls=urls))
        elsewhere = ToolDefinition("x", "x", "read", "audio", "/tools/x", "x", "x", {})
        answers = await asyncio.gather(
            *(item_count(services, Reports(), tool) for tool in [TOOL, elsewhere] * 10), return_exceptions=True
        )
        await services.aclose()
        assert answers[::2] == [2] * 10
        assert all(isinstance(each, ServiceDown) for each in answers[1::2])

    run(work())
    assert threading.active_count() - threads_before < 20
