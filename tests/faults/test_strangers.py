"""Other programs of the machine: they listen where the studio should, connect and stay silent, or pretend to be it."""

import asyncio
import re
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2
import pytest

from consort_cli.mcp_client import McpConnection
from consort_gateway.app import make_app as gateway_app
from consort_gateway.settings import GatewaySettings
from consort_kit.http.service_client import NotReached, ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings
from evaluation.processes.servers import free_port
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.servers.app_servers import AppServers
from tests.support.servers.studio import Studio

FORGED = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{"items":["EVIL"]'
IDLE = 2000


@contextmanager
def stranger(port: int, forward_to: int | None = None) -> Iterator[list[bytes]]:
    """Listen on a port. Answer everything with a forged success, or as the server at another port answers it.

    Yield what is received.
    """
    received: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", port))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(10)
                while part := connection.recv(65536):
                    received.append(part)
                    connection.sendall(FORGED if forward_to is None else answer_of(forward_to, part))

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield received
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def answer_of(port: int, sent: bytes) -> bytes:
    """Send a request to a server and return its whole response, which may arrive in pieces."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as real:
        real.sendall(sent)
        answer = b""
        while part := real.recv(65536):
            answer += part
            head, _, body = answer.partition(b"\r\n\r\n")
            if (length := re.search(rb"content-length: ([0-9]+)", head.lower())) and len(body) >= int(length[1]):
                break
        return answer


@pytest.mark.parametrize("forwards", [False, True])
@pytest.mark.parametrize(("service", "tool"), [("playback", "get_playback"), ("midi-store", "list_midi")])
def test_a_stranger_at_the_address_of_a_service(
    attacked_studio: Studio, tmp_path: Path, service: str, tool: str, forwards: bool
) -> None:
    """The gateway expects a service at an address where a stranger listens, as if the playback agent did not run.

    If it forwards the challenge to the real service, that refuses it, because it has another port.
    """
    port = free_port()
    real = int(attacked_studio.url_of(service).rpartition(":")[2])
    settings = GatewaySettings(
        data=tmp_path,
        token=attacked_studio.token,
        port_base=attacked_studio.port_base,
        service_urls={service: f"http://127.0.0.1:{port}"},
        start_wait_s=1,
    )
    servers = AppServers()
    with stranger(port, real if forwards else None) as received:
        try:
            connection = McpConnection(servers.serve(gateway_app(settings)), attacked_studio.token)
            for _ in range(2):
                ok, result = connection.call_tool(tool, {})
                assert not ok and check_error_shape(result)["code"] == "SERVICE_DOWN"
            link = Links(settings).make(service, "/files/midi_x").url.replace(settings.gateway_url, "")
            url = f"{servers.serve(gateway_app(settings))}{link}"
            assert httpx2.get(url).status_code == 503
            connection.close()
        finally:
            servers.stop()
    heard = b"".join(received)
    assert heard.startswith(b"GET /proof ") and attacked_studio.token.encode() not in heard
    assert heard.count(b"HTTP/1.1") == heard.count(b"GET /proof "), "nothing but challenges was sent"


def test_a_stranger_at_the_address_of_the_gateway(attacked_studio: Studio) -> None:
    for forward_to in (None, attacked_studio.port_base):
        port = free_port()
        with stranger(port, forward_to) as received:
            done = attacked_studio.consort("call", "list_midi", "--url", f"http://127.0.0.1:{port}")
        assert done.returncode == 1 and "is not our gateway" in done.stdout and "EVIL" not in done.stdout
        heard = b"".join(received)
        assert heard.startswith(b"GET /proof ") and attacked_studio.token.encode() not in heard


def test_the_agent_reaches_a_gateway_behind_a_published_port(attacked_studio: Studio, tmp_path: Path) -> None:
    """As with Docker: the gateway listens at one port, and the host reaches it at another, which it knows."""
    published = free_port()
    settings = GatewaySettings(
        data=tmp_path,
        token=attacked_studio.token,
        port_base=published,
        service_urls={"midi-store": attacked_studio.url_of("midi-store")},
    )
    servers = AppServers()
    inside = int(servers.serve(gateway_app(settings)).rpartition(":")[2])

    async def status_through(port: int) -> int:
        url = f"http://127.0.0.1:{port}/inside/midi-store"
        client = ServiceClient(Settings(data=tmp_path, token=settings.token, service_urls={"midi-store": url}))
        try:
            return (await client.request("midi-store", "GET", "/health")).status_code
        finally:
            await client.aclose()

    try:
        with stranger(published, inside):
            assert asyncio.run(status_through(published)) == 200
        with stranger(other := free_port(), inside), pytest.raises(NotReached, match="Another program"):
            asyncio.run(status_through(other))
    finally:
        servers.stop()


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open enough files for the idle connections."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], min(2 * IDLE + 1000, before[1])), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("sent", [b"", b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "], ids=["idle", "half a head"])
def test_many_connections_that_wait_do_not_stop_a_call(attacked_studio: Studio, many_files: None, sent: bytes) -> None:
    ports = (attacked_studio.port_base, int(attacked_studio.url_of("midi-store").rpartition(":")[2]))
    with ExitStack() as open_sockets:
        for port in ports:
            for _ in range(IDLE):
                waiting = open_sockets.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
                waiting.sendall(sent)
        assert "items" in attacked_studio.call("list_midi")


@pytest.mark.parametrize("alter", range(22))
def test_altered_links_open_nothing(attacked_studio: Studio, alter: int) -> None:
    settings = Settings(data=attacked_studio.data, port_base=attacked_studio.port_base)
    file = attacked_studio.call("get_midi", path="kept.mid")["midi_file_id"]
    url = Links(settings).make("midi-store", f"/files/{file}", {"a": "1"}).url
    base, _, query = url.partition("?")
    signature = query.rpartition("=")[2]
    changes = [
        base,
        f"{base}?signature={signature}",
        f"{base}?{query}&a=2",
        f"{base}?{query}&a=1",
        f"{base}?{query}&b=",
        f"{base}?{query}&method=PUT",
        f"{base}?{query}&method=DELETE",
        f"{base}?{query}&expires=99999999999",
        f"{base}?{query}&signature={signature}",
        f"{base}?{query.replace('a=1', 'a=2')}",
        f"{base}?{query.replace('a=1&', '')}",
        f"{base}?{query.replace('a=1', 'A=1')}",
        f"{base}?{query.replace('expires=', 'expires=0')}",
        f"{base}?{query.replace('expires=', 'expires=-')}",
        f"{base}?{query.replace('expires=', 'expires=x')}",
        f"{base}?{query[:-1]}",
        f"{base}?{query}=",
        f"{base}?{query.replace(signature, signature.swapcase())}",
        f"{base}?{query.replace(signature, '')}",
        f"{base}?{query.replace(signature, '%C3%A9' * 12)}",
        f"{base}x?{query}",
        f"{base.replace('/links/midi-store', '/links/audio')}?{query}",
    ]
    assert httpx2.get(url).status_code == 200 and len(changes) == 22
    answer = httpx2.get(changes[alter])
    assert answer.status_code == 403, (changes[alter], answer.text)
    check_error_shape(answer.json())
