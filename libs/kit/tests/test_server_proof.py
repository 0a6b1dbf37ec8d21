"""A program that listens at the address of a service gets no token, and its answers are not used."""

import asyncio
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from consort_kit.http.app import create_app
from consort_kit.http.server_proof import ExpectedServer, NoProof, proof_of, require_proof
from consort_kit.http.service_client import NotReached, ServiceClient
from consort_kit.services import SERVICES
from consort_kit.settings import Settings
from evaluation.processes.servers import free_port, free_port_base

TOKEN = "secret-token-of-tests"
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8 on its loopback")


class Stranger:
    """A program that took a port. It records what it receives and answers each part of it."""

    def __init__(self, port: int, answer: Callable[[bytes], bytes]) -> None:
        self.received = b""
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", port))
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def stop(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.settimeout(10)
            with connection:
                while part := connection.recv(65536):
                    self.received += part
                    connection.sendall(self._answer(part))


Strangers = Callable[[int, Callable[[bytes], bytes]], Stranger]


@pytest.fixture
def stranger() -> Iterator[Strangers]:
    running: list[Stranger] = []

    def start(port: int, answer: Callable[[bytes], bytes]) -> Stranger:
        running.append(Stranger(port, answer))
        return running[-1]

    yield start
    for each in running:
        each.stop()


def with_proof(proof: bytes, body: bytes = b"") -> bytes:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconsort-proof: %s\r\ncontent-length: %d\r\n\r\n"
    return head % (proof, len(body)) + body


def forward_to(address: tuple[str, int]) -> Callable[[bytes], bytes]:
    """Return an answer that a server at another address gives to the same bytes."""

    def answer(sent: bytes) -> bytes:
        with socket.create_connection(address, timeout=10) as real:
            real.sendall(sent)
            return real.recv(65536)

    return answer


def call(tmp_path: Path, port_base: int, service_urls: dict[str, str] | None = None) -> str:
    """Call a tool of midi-store and return the message of the error that must be raised."""

    async def run() -> str:
        settings = Settings(data=tmp_path, token=TOKEN, port_base=port_base, service_urls=service_urls or {})
        client = ServiceClient(settings)
        try:
            with pytest.raises(NotReached) as caught:
                await client.call("midi-store", "POST", "/tools/list_midi", json={"secret": "content"})
            assert not await client.is_healthy("midi-store")
            return caught.value.body.message
        finally:
            await client.aclose()

    return asyncio.run(run())


def assert_learned_nothing(stranger: Stranger) -> None:
    assert stranger.received.startswith(b"GET /proof HTTP/1.1\r\n")
    assert TOKEN.encode() not in stranger.received and b"content" not in stranger.received


def app_of(name: str, tmp_path: Path, token: str = TOKEN) -> ASGIApp:
    return create_app(name, "For tests.", [], settings=Settings(data=tmp_path, token=token))


@pytest.mark.parametrize(
    "answer",
    [
        with_proof(b"", b'{"items": []}'),
        with_proof(b"0" * 64),
        with_proof(proof_of("another-token-of-tests", "x")),
        b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n",
        b"\r\n\r\n",
        b"x" * 10_000,
        b"\xff\x00: \r\n\r\n",
    ],
    ids=range(8),
)
def test_a_stranger_gets_no_token(tmp_path: Path, stranger: Strangers, answer: bytes) -> None:
    base = free_port_base()
    other = stranger(base + SERVICES["midi-store"].port_offset, lambda _: answer)
    assert "Another program listens at the address of midi-store" in call(tmp_path, base)
    assert_learned_nothing(other)


@pytest.mark.parametrize("name", ["midi-store", "audio"], ids=["at another port", "another service"])
def test_a_challenge_that_is_forwarded_gets_no_proof(
    tmp_path: Path, stranger: Strangers, serve: Callable[[ASGIApp], str], name: str
) -> None:
    """The stranger forwards what it gets to a real server with the same token at another port."""
    port = int(serve(app_of(name, tmp_path)).rpartition(":")[2])
    base = free_port_base()
    relay = stranger(base + SERVICES["midi-store"].port_offset, forward_to(("127.0.0.1", port)))
    assert "Another program" in call(tmp_path, base)
    assert_learned_nothing(relay)


@only_linux
def test_a_challenge_that_is_forwarded_to_the_same_port_gets_no_proof(
    tmp_path: Path, stranger: Strangers, serve: Callable[..., str]
) -> None:
    """The real service has the right port at another address, as if it had taken the port after the stranger."""
    base = free_port_base()
    port = base + SERVICES["midi-store"].port_offset
    serve(app_of("midi-store", tmp_path), port, "127.0.0.2")
    relay = stranger(port, forward_to(("127.0.0.2", port)))
    assert "Another program" in call(tmp_path, base)
    assert_learned_nothing(relay)


def test_a_proof_of_earlier_is_useless(tmp_path: Path, stranger: Strangers, serve: Callable[[ASGIApp], str]) -> None:
    url = serve(app_of("midi-store", tmp_path))
    port = int(url.rpartition(":")[2])
    seen: list[bytes] = []

    def record_and_forward(sent: bytes) -> bytes:
        if not seen:
            seen.append(forward_to(("127.0.0.1", port))(sent.replace(b" %d " % relay_port, b" %d " % port)))
        return seen[0]

    relay_port = free_port()
    relay = stranger(relay_port, record_and_forward)
    for _ in range(2):
        assert "Another program" in call(tmp_path, 1, {"midi-store": f"http://127.0.0.1:{relay_port}"})
    assert seen[0].startswith(b"HTTP/1.1 200") and b"consort-proof: " in seen[0], "a proof, but for another challenge"
    assert_learned_nothing(relay)


def test_a_server_with_another_token_gets_no_token(tmp_path: Path, serve: Callable[[ASGIApp], str]) -> None:
    url = serve(app_of("midi-store", tmp_path, "another-token-of-tests"))
    assert "Another program" in call(tmp_path, 1, {"midi-store": url})


def test_each_new_connection_needs_a_proof(tmp_path: Path, stranger: Strangers) -> None:
    """A real service ends and a stranger takes its port; the same client then calls again."""
    port = free_port()

    async def run() -> None:
        settings = Settings(data=tmp_path, token=TOKEN, service_urls={"midi-store": f"http://127.0.0.1:{port}"})
        client = ServiceClient(settings)
        real = Stranger(port, answer_like_the_service)
        assert (await client.request("midi-store", "GET", "/health")).status_code == 200
        await asyncio.to_thread(real.stop)
        other = stranger(port, lambda _: with_proof(b"", b"{}"))
        with pytest.raises(NotReached):
            await client.request("midi-store", "GET", "/health")
        await client.aclose()
        assert_learned_nothing(other)

    def answer_like_the_service(sent: bytes) -> bytes:
        if sent.startswith(b"GET /proof"):
            return with_proof(proof_of(TOKEN, sent.partition(b"consort-challenge: ")[2].partition(b"\r\n")[0].decode()))
        return b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"

    asyncio.run(run())


@pytest.mark.parametrize("challenge", ["", "x", "0" * 32, f"{'0' * 32} midi-store 99999999 -", f"{'0' * 32} audio 1 -"])
def test_a_wrong_challenge_is_refused(tmp_path: Path, serve: Callable[[ASGIApp], str], challenge: str) -> None:
    with closing(HTTPConnection(serve(app_of("midi-store", tmp_path)).removeprefix("http://"), timeout=10)) as asking:
        asking.request("GET", "/proof", headers={"Consort-Challenge": challenge})
        answer = asking.getresponse()
        assert answer.status == 403 and answer.getheader("consort-proof") is None


def test_a_plain_socket_can_ask_for_the_proof(tmp_path: Path, serve: Callable[[ASGIApp], str]) -> None:
    port = int(serve(app_of("gateway", tmp_path)).rpartition(":")[2])
    for name, is_right in (("gateway", True), ("midi-store", False)):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            if is_right:
                require_proof(connection, "127.0.0.1", ExpectedServer(name, TOKEN))
                continue
            with pytest.raises(NoProof, match="did not prove that it is our midi-store"):
                require_proof(connection, "127.0.0.1", ExpectedServer(name, TOKEN))
