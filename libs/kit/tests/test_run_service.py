"""A service binds its port at each of its addresses, and accepts connections only when it is ready."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from consort_kit.processes.listening_sockets import CannotListen, bind
from consort_kit.settings import Settings
from evaluation.processes.servers import free_port, listens, wait_until

SERVICE = """
import asyncio, sys
from contextlib import asynccontextmanager
from consort_kit.http.app import create_app
from consort_kit.processes.run_service import serve
from consort_kit.settings import Settings

@asynccontextmanager
async def lifespan(app):
    print("preparing", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    yield

serve("audio", lambda settings: create_app("audio", "For tests.", [], settings=settings, lifespan=lifespan), Settings())
"""


@contextmanager
def service(data: Path, hosts: str, port: int, code: str = SERVICE, **more: str) -> Iterator["subprocess.Popen[str]"]:
    settings = {"CONSORT_DATA": str(data), "CONSORT_HOST": hosts, "CONSORT_PORT": str(port), **more}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, **settings},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
    ) as running:
        yield running
        running.kill()


STUCK_SERVICE = """
import asyncio, os, threading
from consort_kit.http.app import create_app
from consort_kit.processes.run_service import serve
from consort_kit.settings import Settings
from consort_kit.tools import service_limits
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router

service_limits.STUCK_S = 1.0
router = tool_router()

class NoInput(ToolInput):
    pass

class NoOutput(ToolOutput):
    pass

@tool(router, title="Hang", toolset="tests", effect="read", heavy=True)
async def hang(body: NoInput) -> NoOutput:
    \"\"\"Never end.\"\"\"
    await asyncio.to_thread(threading.Event().wait)
    return NoOutput()

serve("audio", lambda settings: create_app("audio", "For tests.", [router], settings=settings), Settings())
"""


def status(host: str, port: int) -> int:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8 on its loopback")
def test_a_service_listens_on_several_addresses_when_it_is_ready(tmp_path: Path) -> None:
    port = free_port()
    with service(tmp_path, "127.0.0.1, 127.0.0.2", port) as running:
        assert running.stdin is not None and running.stdout is not None
        assert running.stdout.readline() == "preparing\n"
        with pytest.raises(ConnectionRefusedError):
            status("127.0.0.1", port)
        running.stdin.write("go\n")
        running.stdin.flush()
        deadline = time.monotonic() + 20
        while True:
            try:
                assert [status("127.0.0.1", port), status("127.0.0.2", port)] == [200, 200]
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
        with pytest.raises(ConnectionRefusedError):
            status("127.0.0.3", port)


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with service(tmp_path, "127.0.0.1", port) as running:
            output, log = running.communicate(timeout=20)
    assert running.returncode == 1 and not output, "it ends before it prepares anything"
    assert f"cannot listen on 127.0.0.1, port {port}" in log and "Traceback" not in log


@pytest.mark.parametrize("host", ["203.0.113.1", "no-such-host.invalid", ""])
def test_an_address_of_another_machine_cannot_be_bound(host: str) -> None:
    with pytest.raises(CannotListen, match="port"):
        bind(f"127.0.0.1,{host}", free_port())


def test_addresses_of_services(tmp_path: Path) -> None:
    urls = {"audio": "http://audio:80/", "playback": "http://host.docker.internal:{port}"}
    settings = Settings(data=tmp_path, port_base=9000, service_urls=urls)
    assert settings.url_of("audio") == "http://audio:80"
    assert settings.url_of("playback") == "http://host.docker.internal:9005"
    assert settings.url_of("midi-store") == "http://127.0.0.1:9002"


@pytest.mark.skipif(sys.platform == "win32", reason="it is ended in another way there")
def test_a_service_whose_threads_are_stuck_ends(tmp_path: Path) -> None:
    """Whatever started it then starts it again, also Docker, which does not care about an unhealthy container."""
    port = free_port()
    limits = {"CONSORT_TIMEOUT_S": "0.5", "CONSORT_HEAVY_AT_ONCE": "1", "CONSORT_TOKEN": "secret-token-of-tests"}
    with service(tmp_path, "127.0.0.1", port, STUCK_SERVICE, **limits) as running:
        wait_until(lambda: listens(port), "it listens", child=running)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"Authorization": "Bearer secret-token-of-tests", "Content-Type": "application/json"}
        connection.request("POST", "/tools/hang", "{}", headers)
        assert connection.getresponse().status == 504
        connection.close()
        _, log = running.communicate(timeout=30)
    assert running.returncode == -signal.SIGKILL and "the process ends" in log


SERVICE_THAT_DOES_NOT_STOP = """
import asyncio
from contextlib import asynccontextmanager
from consort_kit.http.app import create_app
from consort_kit.processes import run_service
from consort_kit.settings import Settings

run_service.STOP_S = 1.0

@asynccontextmanager
async def lifespan(app):
    yield
    await asyncio.Event().wait()

app = lambda settings: create_app("audio", "For tests.", [], settings=settings, lifespan=lifespan)
run_service.serve("audio", app, Settings())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it is ended in another way there")
def test_a_service_that_cannot_stop_ends_after_its_launcher(tmp_path: Path) -> None:
    port = free_port()
    with service(tmp_path, "127.0.0.1", port, SERVICE_THAT_DOES_NOT_STOP, CONSORT_WATCH_STDIN="1") as running:
        wait_until(lambda: listens(port), "it listens", child=running)
        assert running.stdin is not None
        running.stdin.close()
        assert running.wait(20) == 1
