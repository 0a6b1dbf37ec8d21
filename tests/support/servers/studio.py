"""A whole studio, started by the real command line, with its own data folder and ports."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol, Self

import pytest
from mcp.client.stdio import StdioServerParameters

from consort_cli.mcp_client import McpConnection
from consort_kit.services import SERVICES
from evaluation.processes.servers import free_port_base
from tests.support.errors_and_faults.error_shape import check_error_shape

CONSORT = [sys.executable, "-m", "consort_cli.main"]

on_every_storage = pytest.mark.parametrize("studio", ["local", "cloud"], indirect=True)
"""Run a test twice: with the studio's own storage, and with S3 and a Postgres given by URL."""


class BlobPlace(Protocol):
    """The place where a studio stores the bytes of files."""

    def all_keys(self) -> set[str]: ...
    def read(self, key: str) -> bytes: ...


def bytes_of(blobs: BlobPlace, file_id: str) -> list[bytes]:
    """Return all versions of a stored file."""
    return [blobs.read(key) for key in sorted(blobs.all_keys()) if key.startswith(f"midi/{file_id}/")]


class BlobFolder:
    def __init__(self, data: Path) -> None:
        self._data = data

    def all_keys(self) -> set[str]:
        """Return the keys of all blobs, including leftovers of interrupted writes.

        The files with human-readable names are excluded.
        """
        return {
            str(path.relative_to(self._data))
            for folder in ("midi", "audio")
            for path in (self._data / folder).glob("*/**/*")
            if path.is_file()
        }

    def read(self, key: str) -> bytes:
        return (self._data / key).read_bytes()


class Studio:
    """A studio that is not started yet. Use it in a `with` statement, or call `up` and `down`."""

    same_machine = True
    """Whether the gateway sees the address of its client: no container lies between."""

    def __init__(self, data: Path, more_settings: dict[str, str] | None = None, blobs: BlobPlace | None = None) -> None:
        self.data = data
        self.blobs = blobs or BlobFolder(data)
        self.port_base = free_port_base()
        self.url = f"http://127.0.0.1:{self.port_base}"
        settings = {
            "CONSORT_DATA": str(data),
            "CONSORT_PORT_BASE": str(self.port_base),
            "CONSORT_SENTENCE_MODEL": str(data / "no-model"),  # making all vectors takes a minute of CPU
        }
        self.environment = {**os.environ, **settings, **(more_settings or {})}

    def __enter__(self) -> Self:
        self.up()
        return self

    def __exit__(self, *_: object) -> None:
        self.down()

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

    def stdio_server(self, **more_settings: str) -> StdioServerParameters:
        """Return the program that an assistant starts to use this studio over stdio."""
        environment = {**self.environment, **more_settings}
        return StdioServerParameters(command=CONSORT[0], args=[*CONSORT[1:], "mcp"], env=environment)

    def exported(self, name: str) -> bytes:
        """Return a file of the export folder."""
        return (self.data / "export" / name).read_bytes()

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
        """Call a tool over MCP and return its result. The call must succeed."""
        ok, result = self.try_call(tool, **arguments)
        assert ok, result
        return result

    def failed_call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool over MCP and return its error. The call must fail."""
        ok, result = self.try_call(tool, **arguments)
        assert not ok, result
        return check_error_shape(result)

    def try_call(self, tool: str, **arguments: Any) -> tuple[bool, Any]:
        """Call a tool over MCP. Return whether the call succeeded, and its result or error."""
        connection = McpConnection(self.url, self.token, client="tests", same_machine=self.same_machine)
        try:
            return connection.call_tool(tool, arguments)
        finally:
            connection.close()
