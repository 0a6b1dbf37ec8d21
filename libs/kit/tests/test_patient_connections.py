"""Connections that wait are closed in time, and never one with a request that is being answered."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from consort_kit.http.app import create_app
from consort_kit.processes.patient_connections import patient_connections
from consort_kit.settings import Settings
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router
from tests.support.servers.app_servers import AppServers

TOKEN = "secret-token-of-tests"
TIMEOUT_S = 0.6
MOST_WAITING = 20
Connect = Callable[[], socket.socket]


class SleepInput(ToolInput):
    seconds: float


class Slept(ToolOutput):
    seconds: float


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    router = tool_router()

    @tool(router, title="Sleep", toolset="tests", effect="read")
    async def sleep(body: SleepInput) -> Slept:
        """Sleep."""
        await asyncio.sleep(body.seconds)
        return Slept(seconds=body.seconds)

    app = create_app("audio", "For tests.", [router], settings=Settings(data=tmp_path, token=TOKEN))
    servers = AppServers()
    url = servers.serve(app, http=patient_connections(MOST_WAITING, TIMEOUT_S, TIMEOUT_S))
    yield "127.0.0.1", int(url.rpartition(":")[2])
    servers.stop()


def ends_after(connection: socket.socket, sending: bytes = b"") -> float:
    """Return the seconds until the server closes the connection, while `sending` is sent again and again."""
    began = time.monotonic()
    connection.settimeout(0.05)
    while time.monotonic() - began < 10:
        try:
            connection.sendall(sending)
            if connection.recv(65536) == b"":
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - began


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (b"", b""),
        (b"GET /health HT", b""),
        (b"GET /health HTTP/1.1\r\nHost: x\r\n", b"X-A: b\r\n"),
        (b"POST /tools/sleep HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", b"x"),
        (b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", b"x"),
        (b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /hea", b""),
        (b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\n", b"X-A: b\r\n"),
    ],
    ids=["silent", "half a line", "endless headers", "body after 401", "body after 200", "half a 2nd", "endless 2nd"],
)
def test_a_connection_that_waits_is_closed(address: tuple[str, int], first: bytes, later: bytes) -> None:
    with socket.create_connection(address) as connection:
        connection.sendall(first)
        assert ends_after(connection, later) < 5


def test_a_call_may_take_longer_than_a_connection_may_wait(address: tuple[str, int]) -> None:
    with closing(HTTPConnection(*address, timeout=20)) as connection:
        for _ in range(2):
            headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
            connection.request("POST", "/tools/sleep", f'{{"seconds": {2 * TIMEOUT_S}}}', headers)
            answer = connection.getresponse()
            assert answer.status == 200 and answer.read()


def test_a_slow_body_with_the_token_is_waited_for(address: tuple[str, int]) -> None:
    head = f"POST /tools/sleep HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\n"
    body = b'{"seconds": 0.01}'
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        connection.sendall(body[:5])
        time.sleep(2 * TIMEOUT_S)
        connection.sendall(body[5:])
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")


def test_many_idle_connections_do_not_stop_a_call(address: tuple[str, int]) -> None:
    """More connections wait than may: the server closes those that have waited longest."""
    idle = [socket.create_connection(address) for _ in range(3 * MOST_WAITING)]
    try:
        with closing(HTTPConnection(*address, timeout=5)) as connection:
            connection.request("GET", "/health")
            assert connection.getresponse().status == 200
        with suppress(ConnectionResetError):
            assert idle[0].recv(1) == b""
    finally:
        for each in idle:
            each.close()


def test_a_client_that_does_not_receive_is_disconnected(address: tuple[str, int]) -> None:
    """Otherwise anyone could keep connections, without a token, by asking for open pages and never reading them."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(address)
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 1000)
        began = time.monotonic()
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            while time.monotonic() - began < 10:
                connection.send(b"x")
                time.sleep(0.05)
        assert time.monotonic() - began >= TIMEOUT_S / 2


def test_a_client_that_receives_slowly_gets_everything(address: tuple[str, int]) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(address)
        requests = 100
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * requests)
        received = b""
        while received.count(b"HTTP/1.1 200") < requests:
            time.sleep(TIMEOUT_S / 30)
            part = connection.recv(200_000)
            assert part, received.count(b"HTTP/1.1 200")
            received += part


def seconds_of(connection: HTTPConnection, authorization: str | None) -> tuple[int, float]:
    began = time.monotonic()
    connection.request("GET", "/metrics", headers={"Authorization": authorization} if authorization else {})
    answer = connection.getresponse()
    answer.read()
    return answer.status, time.monotonic() - began


def test_each_wrong_token_on_a_connection_is_answered_later(address: tuple[str, int]) -> None:
    with closing(HTTPConnection(*address, timeout=20)) as connection:
        for least in (0.25, 0.5, 1.0):
            status, seconds = seconds_of(connection, "Bearer wrong")
            assert status == 401 and seconds >= least
        with closing(HTTPConnection(*address, timeout=20)) as other:
            assert seconds_of(other, "Bearer wrong")[1] < 1.0, "each connection is slowed down separately"
        assert seconds_of(connection, f"Bearer {TOKEN}")[1] < 1.0, "the right token never waits"
        assert seconds_of(connection, None)[1] < 1.0
