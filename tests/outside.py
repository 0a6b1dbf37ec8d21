"""What a user may bring instead of what Consort brings: a Postgres of their own and an S3. Both can be stopped."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from obstore.store import S3Store

from consort_cli.postgres import EmbeddedPostgres


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def wait_until(condition: Callable[[], object], what: str, timeout_s: float = 60) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.02)


class OwnPostgres:
    """A Postgres that no launcher looks after."""

    def __init__(self, data: Path) -> None:
        self._postgres = EmbeddedPostgres(data, free_port())
        self._process: subprocess.Popen[bytes] | None = None
        self.url = self._postgres.url

    def start(self) -> None:
        self._postgres.prepare()
        environment = self._postgres.environment
        process = subprocess.Popen(self._postgres.command(), env=environment, stderr=subprocess.DEVNULL)
        self._process = process
        wait_until(lambda: self._postgres.is_ready(process.pid), "Postgres is ready")

    def stop(self) -> None:
        """At once, as a crash would: connections are cut, nothing is written."""
        assert self._process is not None
        self._postgres.send_stop(self._process.pid, at_once=True)
        self._process.wait(timeout=30)


class OwnS3:
    """moto's server with one bucket, as a process. `environment` has what a program needs to use it."""

    bucket = "music"

    def __init__(self) -> None:
        endpoint = f"http://127.0.0.1:{free_port()}"
        self.url = f"s3://{self.bucket}/of/mine"
        self.environment = {
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_ACCESS_KEY_ID": "test-key",
            "AWS_SECRET_ACCESS_KEY": "canary-s3-secret",
            "AWS_REGION": "eu-central-1",
        }
        self._endpoint = endpoint
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        port = self._endpoint.rpartition(":")[2]
        command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", port]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: self._ask("GET", "/moto-api/"), "S3 answers")
        assert self._ask("PUT", f"/{self.bucket}")

    def stop(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It takes connections and says nothing."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def all_keys(self) -> set[str]:
        return {found["path"] for page in self._store().list() for found in page}

    def read(self, key: str) -> bytes:
        return bytes(self._store().get(key).bytes())

    def _store(self) -> S3Store:
        return S3Store.from_url(
            self.url,
            endpoint=self._endpoint,
            access_key_id=self.environment["AWS_ACCESS_KEY_ID"],
            secret_access_key=self.environment["AWS_SECRET_ACCESS_KEY"],
            region=self.environment["AWS_REGION"],
            client_options={"allow_http": True},
        )

    def _ask(self, method: str, path: str) -> bool:
        try:
            with urllib.request.urlopen(urllib.request.Request(self._endpoint + path, method=method), timeout=10):
                return True
        except (urllib.error.URLError, OSError):
            return False
