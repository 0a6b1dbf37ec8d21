"""The playback agent as a process, and an HTTP client for it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from evaluation.processes.servers import free_port, listens, wait_until

TOKEN = "token-of-the-agent"


class AgentError(Exception):
    """The agent returned an error. `status` is the HTTP status."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(error)
        self.status = status
        self.code: str = error["code"]
        self.error = error


class AgentClient:
    """A client of a running agent, or of another service with the same routes."""

    def __init__(self, port: int, token: str = TOKEN) -> None:
        self.port = port
        self._token = token

    def wait_for(self, process: "subprocess.Popen[Any]") -> None:
        """Wait until the service listens."""
        wait_until(lambda: listens(self.port), "the service listens", 20, child=process)

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its result. Raise AgentError if it fails."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            connection.request("POST", f"/tools/{tool}", json.dumps(arguments), headers)
            response = connection.getresponse()
            content = json.loads(response.read())
        finally:
            connection.close()
        if response.status != 200:
            raise AgentError(response.status, content["error"])
        return content

    def playback(self, playback_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.call("get_playback", playback_id=playback_id)["playbacks"][0]
        return found

    def wait_until(self, playback_id: str, *states: str, timeout_s: float = 20.0) -> dict[str, Any]:
        """Wait until the playback is in one of the states, and return it."""
        deadline = time.monotonic() + timeout_s
        while (now := self.playback(playback_id))["state"] not in states:
            assert time.monotonic() < deadline, now
            time.sleep(0.02)
        return now


class AgentProcess(AgentClient):
    """A playback agent in a separate process, and a client for it."""

    def __init__(self, data: Path, environment: Mapping[str, str], token: str = TOKEN) -> None:
        super().__init__(free_port(), token)
        settings = {"CONSORT_DATA": str(data), "CONSORT_TOKEN": token, "CONSORT_PORT": str(self.port)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "consort_playback"],
            env={**environment, **settings, "CONSORT_WATCH_STDIN": "1", "CONSORT_LOG_LEVEL": "WARNING"},
            stdin=subprocess.PIPE,
        )
        self.wait_for(self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def playback(self, playback_id: str) -> dict[str, Any]:
        """Return the playback, including its timing statistics."""
        found: dict[str, Any] = self.call("get_playback", playback_id=playback_id, include_timing=True)["playbacks"][0]
        return found

    def children(self) -> dict[int, str]:
        """Return the agent's child processes: the process id and the name of the child program of each."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except (OSError, IndexError):
                    continue
                if parent == self.process.pid and b"consort_playback.child_programs" in words:
                    found[int(entry.name)] = words[words.index(b"consort_playback.child_programs") + 1].decode()
        return found

    def port_process_pids(self) -> list[int]:
        return [pid for pid, program in self.children().items() if program == "play_port"]

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.communicate(timeout=15)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        elif self.process.stdin is not None:
            self.process.stdin.close()


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z" and os.path.exists(f"/proc/{pid}")
