"""A whole studio for tests: the real command line, on its own data folder and ports."""

import json
import os
import random
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest

from consort_cli.mcp_client import McpConnection
from consort_kit.services import POSTGRES_PORT_OFFSET, SERVICES

CONSORT = [sys.executable, "-m", "consort_cli.main"]

on_every_storage = pytest.mark.parametrize("studio", ["local", "cloud"], indirect=True)
"""A test that holds whether bytes and rows are kept by the studio itself, or on S3 and in a Postgres given by URL."""


class BlobPlace(Protocol):
    """Where a studio keeps its bytes, as seen from outside."""

    def all_keys(self) -> set[str]: ...
    def read(self, key: str) -> bytes: ...


def bytes_of(blobs: BlobPlace, file_id: str) -> list[bytes]:
    """All versions of a stored file."""
    return [blobs.read(key) for key in sorted(blobs.all_keys()) if key.startswith(f"midi/{file_id}/")]


class BlobFolder:
    def __init__(self, data: Path) -> None:
        self._data = data

    def all_keys(self) -> set[str]:
        """Left-overs of interrupted writes too; not the names under which files are shown."""
        return {str(path.relative_to(self._data)) for path in (self._data / "midi").glob("*/**/*") if path.is_file()}

    def read(self, key: str) -> bytes:
        return (self._data / key).read_bytes()


class Studio:
    def __init__(self, data: Path, more_settings: dict[str, str] | None = None, blobs: BlobPlace | None = None) -> None:
        self.data = data
        self.blobs = blobs or BlobFolder(data)
        self.port_base = free_port_base()
        self.url = f"http://127.0.0.1:{self.port_base}"
        settings = {"CONSORT_DATA": str(data), "CONSORT_PORT_BASE": str(self.port_base)}
        self.environment = {**os.environ, **settings, **(more_settings or {})}

    @property
    def token(self) -> str:
        return (self.data / "token").read_text().strip()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def url_of(self, service: str) -> str:
        return f"http://127.0.0.1:{self.port_base + SERVICES[service].port_offset}"

    def consort(
        self, *arguments: str, text: str | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*CONSORT, *arguments], env=self.environment, input=text, capture_output=True, text=True, timeout=timeout
        )

    def up(self) -> None:
        done = self.consort("up", "--detach")
        assert done.returncode == 0, done.stdout + done.stderr

    def down(self) -> None:
        done = self.consort("down")
        assert done.returncode == 0, done.stdout + done.stderr

    def status(self) -> dict[str, Any]:
        status: dict[str, Any] = json.loads(self.consort("status", "--json").stdout)
        return status

    def call(self, tool: str, **arguments: Any) -> Any:
        """The result of a call that must go well, over the gateway's MCP surface."""
        ok, result = self.try_call(tool, **arguments)
        assert ok, result
        return result

    def try_call(self, tool: str, **arguments: Any) -> tuple[bool, Any]:
        connection = McpConnection(self.url, self.token, client="tests")
        try:
            return connection.call_tool(tool, arguments)
        finally:
            connection.close()


def free_port_base() -> int:
    while True:
        base = random.randrange(20000, 32000, 10)
        try:
            for port in range(base, base + POSTGRES_PORT_OFFSET + 1):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        return base
