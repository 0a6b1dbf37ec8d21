"""An external Postgres and an external S3, as a user may have them. A test can stop both."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from obstore.store import S3Store

from consort_cli.launcher.embedded_postgres import EmbeddedPostgres
from evaluation.processes.servers import free_port, wait_until


class ExternalPostgres:
    """A Postgres server without a launcher. Use it in a `with` statement, or start and stop it."""

    def __init__(self, data: Path) -> None:
        self._postgres = EmbeddedPostgres(data, free_port())
        self._process: subprocess.Popen[bytes] | None = None
        self.url = self._postgres.url

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._postgres.prepare()
        environment = self._postgres.environment
        process = subprocess.Popen(self._postgres.command(), env=environment, stderr=subprocess.DEVNULL)
        self._process = process
        wait_until(lambda: self._postgres.is_ready(process.pid), "Postgres is ready")

    def stop(self) -> None:
        """Stop the server immediately, like a crash: connections are cut and nothing more is written."""
        assert self._process is not None
        self._postgres.send_stop(self._process.pid, at_once=True)
        self._process.wait(timeout=30)


class ExternalS3:
    """moto's S3 server with one bucket, as a process. A program that uses it needs `environment`."""

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

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

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
        """Suspend the server: it accepts connections but does not answer."""
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
