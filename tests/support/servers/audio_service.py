"""A real audio service with its own data folder, and the other parts of a studio that a test needs beside it."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2

from consort_kit.services import STUDIO_PARTS
from consort_kit.settings import Settings
from evaluation.processes.servers import STOP_TIMEOUT_S, free_port_base, is_healthy, wait_until
from tests.support.errors_and_faults.error_shape import check_error_answer


class AudioService:
    """An audio service that is not started yet. Use it in a `with` statement, or call `start` and `stop`.

    Tools and routes are called directly. A signed link is followed as the gateway would do it; if a test needs the
    gateway itself, for example for a browser, it calls `start("gateway")`.
    """

    def __init__(self, data: Path, database_url: str, more_settings: dict[str, str] | None = None) -> None:
        self.data = data
        self.port_base = free_port_base()
        self.gateway_url = f"http://127.0.0.1:{self.port_base}"
        self.url = f"http://127.0.0.1:{self.port_base + STUDIO_PARTS['audio'].port_offset}"
        given = {
            "CONSORT_DATA": str(data),
            "CONSORT_DATABASE_URL": database_url,
            "CONSORT_PORT_BASE": str(self.port_base),
            "CONSORT_AUDIO_ANALYZE_TAKES": "false",  # most tests store sound that nobody listens to
        }
        self._environment = {**os.environ, **given, **(more_settings or {})}
        self.token = Settings(data=data).bearer_token
        self._processes: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}
        self._http = httpx2.Client(timeout=120, trust_env=False, headers={"Authorization": f"Bearer {self.token}"})

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, part: str = "audio") -> None:
        """Start the service, or another part of the studio such as `gateway` or `midi-store`, unless it runs."""
        if part in self._processes:
            return
        output = tempfile.TemporaryFile()  # noqa: SIM115, closed by _end
        command = [sys.executable, "-m", STUDIO_PARTS[part].module]
        process = subprocess.Popen(
            command, env=self._environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        self._processes[part] = process, output
        port = self.port_base + STUDIO_PARTS[part].port_offset
        try:
            wait_until(lambda: is_healthy(port), f"{part} is healthy", child=process)
        except AssertionError:
            sys.stderr.write(self.log(part))
            raise

    def pid(self, part: str = "audio") -> int:
        return self._processes[part][0].pid

    def log(self, part: str = "audio") -> str:
        """Return everything that the part has printed since it was started."""
        _, output = self._processes[part]
        output.seek(0)
        return output.read().decode(errors="replace")

    def kill(self, part: str = "audio") -> None:
        """Kill the service with SIGKILL, as a crash would."""
        self._end(part, signal.SIGKILL)

    def stop(self) -> None:
        for part in list(self._processes):
            self._end(part, signal.SIGTERM)
        self._http.close()

    def _end(self, part: str, how: signal.Signals) -> None:
        process, output = self._processes.pop(part)
        process.send_signal(how)
        try:
            process.wait(STOP_TIMEOUT_S)
        finally:
            process.kill()
            process.wait()
            output.close()

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its result. The call must succeed."""
        return self.call_part("audio", tool, **arguments)

    def call_part(self, part: str, tool: str, **arguments: Any) -> Any:
        """Call a tool of another part of the studio, which must have been started. The call must succeed."""
        answer = self.post(part, tool, **arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, part: str, tool: str, **arguments: Any) -> httpx2.Response:
        """Call a tool and return the HTTP answer."""
        port = self.port_base + STUDIO_PARTS[part].port_offset
        return self._http.post(f"http://127.0.0.1:{port}/tools/{tool}", json=arguments)

    def failed_call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its error. The call must fail because of its input."""
        answer = self.post("audio", tool, **arguments)
        assert 400 <= answer.status_code < 500, answer.text
        return check_error_answer(answer)

    def get(self, path: str, **options: Any) -> httpx2.Response:
        """Get a path of the service, or a signed link."""
        return self._http.get(self._address(path), **options)

    def put(self, path: str, **options: Any) -> httpx2.Response:
        """Send a PUT request to a path of the service, or to a signed link."""
        return self._http.put(self._address(path), **options)

    def _address(self, path: str) -> str:
        """Return the address at the service: a path as it is, a signed link without its prefix and its signature."""
        if path.startswith("/"):
            return self.url + path
        link = urlsplit(path)
        query = [each for each in parse_qsl(link.query) if each[0] not in ("expires", "method", "signature")]
        return f"{self.url}{link.path.removeprefix('/links/audio')}?{urlencode(query)}"
