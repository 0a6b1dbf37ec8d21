"""What the tests of the kit share: settings in a folder of their own, real servers on real ports, one Postgres."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.types import ASGIApp

from consort_kit.settings import Settings
from tests.outside import OwnPostgres


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


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    """One that a test may stop and start again."""
    running = OwnPostgres(tmp_path_factory.mktemp("postgres"))
    running.start()
    yield running
    running.stop()
