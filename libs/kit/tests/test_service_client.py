"""Calls between services over real sockets, with servers that are down, slow, cut off or wrong."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvicorn
from starlette.types import ASGIApp

from consort_kit import logs
from consort_kit.errors import AlreadyExists, ConsortError, InvalidInput, NotFound, ServiceDown, TimedOut
from consort_kit.http.app import create_app
from consort_kit.http.service_client import KEPT_OPEN_S, NotReached, ServiceClient, error_of
from consort_kit.ids import new_id
from consort_kit.settings import Settings
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router
from evaluation.processes.servers import free_port
from tests.support.servers.proof import answer_to_challenge

T = TypeVar("T")
ConnectionHandler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
ID_ROUTES = {"midi": ("midi-store", "/files/{id}")}
TOKEN = "secret-token-of-tests"
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 30))


@asynccontextmanager
async def raw_server(answer: ConnectionHandler, port: int = 0) -> AsyncIterator[int]:
    """Run a server that proves that it is ours, reads the head of each request and then calls `answer`."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if proof := answer_to_challenge(head, TOKEN):
                    writer.write(proof)
                else:
                    await answer(reader, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", port)
    async with server:
        yield server.sockets[0].getsockname()[1]


@asynccontextmanager
async def client_of(tmp_path: Path, port: int, timeout_s: float = 5.0) -> AsyncIterator[ServiceClient]:
    urls = {"midi-store": f"http://127.0.0.1:{port}"}
    settings = Settings(data=tmp_path, token=TOKEN, service_urls=urls)
    client = ServiceClient(settings.model_copy(update={"timeout_s": timeout_s}), ID_ROUTES)
    try:
        yield client
    finally:
        await client.aclose()


class EmptyInput(ToolInput):
    pass


class Seen(ToolOutput):
    request_id: str | None


@pytest.fixture
def service_url(settings: Settings, serve: Callable[[ASGIApp], str]) -> str:
    """Run a real service on a port and return its address."""
    router = tool_router()

    @tool(router, title="Take", toolset="tests", effect="write")
    async def take(body: EmptyInput) -> Seen:
        """Fail with an error that has every field."""
        raise AlreadyExists(
            "taken",
            code="NAME_TAKEN",
            field="name",
            suggestions=["other"],
            details={"by": [1]},
            partial_result={"kept": True},
        )

    @tool(router, title="See", toolset="tests", effect="read")
    async def see(body: EmptyInput) -> Seen:
        """Return the request's id."""
        return Seen(request_id=logs.request_id())

    @router.get("/files/{name}")
    async def file(name: str) -> str:
        if not name.endswith("a"):
            raise NotFound(f"no file {name}", field="midi_file_id")
        return "MThd"

    return serve(create_app("midi-store", "For tests.", [router], settings=settings))


def test_an_error_of_a_service_is_passed_on_completely(tmp_path: Path, service_url: str) -> None:
    async def work() -> ConsortError:
        async with client_of(tmp_path, int(service_url.rpartition(":")[2])) as client:
            return error_of(await client.request("midi-store", "POST", "/tools/take", json={}))

    error = run(work())
    assert isinstance(error, AlreadyExists)
    body = error.body
    assert (body.code, body.message, body.field, body.suggestions) == ("NAME_TAKEN", "taken", "name", ["other"])
    assert body.details == {"by": [1]} and error.partial_result == {"kept": True}


def test_call_returns_the_answer_or_raises_the_error_of_the_service(tmp_path: Path, service_url: str) -> None:
    async def work() -> None:
        async with client_of(tmp_path, int(service_url.rpartition(":")[2])) as client:
            assert "request_id" in await client.call("midi-store", "POST", "/tools/see", json={})
            with pytest.raises(AlreadyExists, match="taken"):
                await client.call("midi-store", "POST", "/tools/take", json={})

    run(work())


def test_the_request_id_is_sent_along(tmp_path: Path, service_url: str) -> None:
    async def work() -> Any:
        logs.begin_context(request_id="req-of-the-caller")
        async with client_of(tmp_path, int(service_url.rpartition(":")[2])) as client:
            return (await client.request("midi-store", "POST", "/tools/see", json={})).json()

    assert run(work()) == {"request_id": "req-of-the-caller"}


def test_a_file_is_fetched_by_its_id(tmp_path: Path, service_url: str) -> None:
    async def work() -> None:
        async with client_of(tmp_path, int(service_url.rpartition(":")[2])) as client:
            assert (await client.fetch("midi_" + "a" * 26)).content == b'"MThd"'
            with pytest.raises(NotFound) as caught:
                await client.fetch("midi_" + "b" * 26)
            assert caught.value.body.field == "midi_file_id"
            for wrong in (new_id("audio"), "midi_x", "x", "", "midi_" + "a" * 26 + "?x", "midi_../../metrics"):
                with pytest.raises(InvalidInput, match="is not an id such as midi_…"):
                    await client.fetch(wrong)

    run(work())


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"error": {}}', b"\xff", b"[" * 5000])
def test_an_error_in_another_shape_is_reported_without_its_text(tmp_path: Path, body: bytes) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: %d\r\n\r\n" % len(body) + body)

    async def work() -> ConsortError:
        async with raw_server(answer) as port, client_of(tmp_path, port) as client:
            return error_of(await client.request("midi-store", "GET", "/"))

    error = run(work())
    assert (error.body.code, error.body.message) == (
        "INTERNAL_ERROR",
        "A service answered with status 502 and no reason. `consort logs` may show why.",
    )


async def answer_ok(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(OK)


def test_a_service_is_called_again_some_time_after_a_failed_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consort_kit.http.service_client.REST_S", 0.05)

    async def work() -> None:
        port = free_port()
        async with client_of(tmp_path, port) as client:
            with pytest.raises(NotReached) as caught:
                await client.request("midi-store", "GET", "/")
            assert caught.value.body.details == {"service": "midi-store"} and "Nothing was changed." in str(
                caught.value
            )
            async with raw_server(answer_ok, port):
                await asyncio.sleep(0.06)
                assert (await client.request("midi-store", "GET", "/")).text == "ok"

    run(work())


def test_after_a_failed_connection_calls_fail_at_once_until_the_service_is_healthy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consort_kit.http.service_client.REST_S", 1000)

    async def work() -> None:
        port = free_port()
        async with client_of(tmp_path, port) as client:
            with pytest.raises(NotReached):
                await client.request("midi-store", "GET", "/")
            assert not await client.is_healthy("midi-store")
            async with raw_server(answer_ok, port):
                with pytest.raises(NotReached):
                    await client.request("midi-store", "GET", "/")
                assert await client.is_healthy("midi-store")
                assert (await client.request("midi-store", "GET", "/")).text == "ok"

    run(work())


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{", b"nonsense\r\n\r\n"])
def test_a_call_that_was_cut_off_is_not_reported_as_not_reached(tmp_path: Path, sent: bytes) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        raise ConnectionError

    async def work() -> ServiceDown:
        async with raw_server(answer) as port, client_of(tmp_path, port) as client:
            with pytest.raises(ServiceDown) as caught:
                await client.request("midi-store", "POST", "/tools/x", json={})
            return caught.value

    error = run(work())
    assert not isinstance(error, NotReached)
    assert "may or may not have been done" in error.body.message and error.body.suggestions


def test_no_answer_in_time(tmp_path: Path) -> None:
    async def answer(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async def work() -> None:
        async with (
            raw_server(answer) as port,
            client_of(tmp_path, port, timeout_s=0.1 - 10) as client,
        ):  # the client waits 10 s longer than timeout_s
            with pytest.raises(TimedOut, match="midi-store did not answer in time"):
                await client.request("midi-store", "GET", "/")

    run(work())


def test_proxies_of_the_environment_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    async def proxy(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append("a call")
        writer.write(OK)

    async def work() -> None:
        async with raw_server(answer_ok) as port, raw_server(proxy) as proxy_port:
            for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
                monkeypatch.setenv(name, f"http://127.0.0.1:{proxy_port}")
            async with client_of(tmp_path, port) as client:
                assert (await client.request("midi-store", "GET", "/")).text == "ok"

    run(work())
    assert not seen


def test_idle_connections_are_closed_before_the_server_closes_them() -> None:
    """Otherwise a call could use a connection that is just being closed, and would be reported as cut off."""
    assert inspect.signature(uvicorn.Config).parameters["timeout_keep_alive"].default > KEPT_OPEN_S + 1
