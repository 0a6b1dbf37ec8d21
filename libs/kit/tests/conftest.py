"""What the tests of the kit share: settings in a folder of their own, real servers on real ports, one Postgres."""

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.types import ASGIApp

from consort_cli.postgres import EmbeddedPostgres
from consort_kit.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", token="secret-token")


@pytest.fixture
def serve() -> Iterator[Callable[[ASGIApp], str]]:
    """Serves an app on a free port of this machine and answers its address."""
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def serve(app: ASGIApp) -> str:
        listener = socket.create_server(("127.0.0.1", 0))  # takes connections before the server looks at them
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", ws="none", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield serve
    for server, _ in running:
        server.should_exit = True
    for _, thread in running:
        thread.join()


class RunningPostgres:
    """An embedded Postgres that a test may kill and start again."""

    def __init__(self, data: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self._postgres = EmbeddedPostgres(data, port)
        self._process: subprocess.Popen[bytes] | None = None
        self.url = self._postgres.url

    def start(self) -> None:
        self._postgres.prepare()
        command = self._postgres.command()
        self._process = subprocess.Popen(command, env=self._postgres.environment, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not self._postgres.is_ready(self._process.pid):
            assert time.monotonic() < end, "Postgres did not become ready"
            time.sleep(0.02)

    def stop(self) -> None:
        """At once, as a crash would: connections are cut, nothing is written."""
        assert self._process is not None
        self._postgres.send_stop(self._process.pid, at_once=True)
        self._process.wait(timeout=30)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPostgres]:
    running = RunningPostgres(tmp_path_factory.mktemp("postgres"))
    running.start()
    yield running
    running.stop()
