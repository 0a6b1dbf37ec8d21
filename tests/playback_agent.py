"""The agent as it runs: a process of its own, spoken to over HTTP."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TOKEN = "agent-token"


class Refused(Exception):
    """The one shape of an error, with the status of the answer."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(error)
        self.status = status
        self.code: str = error["code"]
        self.error = error


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Client:
    """Of an agent that runs, or of another service with its routes."""

    def __init__(self, port: int, token: str = TOKEN) -> None:
        self.port = port
        self._token = token

    def wait_for(self, process: "subprocess.Popen[Any]") -> None:
        """Until it answers."""
        deadline = time.monotonic() + 20
        while True:
            assert process.poll() is None and time.monotonic() < deadline, "the service did not start"
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.02)

    def call(self, tool: str, **arguments: Any) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            connection.request("POST", f"/tools/{tool}", json.dumps(arguments), headers)
            answer = connection.getresponse()
            told = json.loads(answer.read())
        finally:
            connection.close()
        if answer.status != 200:
            raise Refused(answer.status, told["error"])
        return told

    def playback(self, playback_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.call("get_playback", playback_id=playback_id)["playbacks"][0]
        return found

    def wait_until(self, playback_id: str, *states: str, timeout_s: float = 20.0) -> dict[str, Any]:
        deadline = time.monotonic() + timeout_s
        while (now := self.playback(playback_id))["state"] not in states:
            assert time.monotonic() < deadline, now
            time.sleep(0.02)
        return now


class Agent(Client):
    def __init__(self, data: Path, environment: Mapping[str, str], token: str = TOKEN) -> None:
        super().__init__(free_port(), token)
        settings = {"CONSORT_DATA": str(data), "CONSORT_TOKEN": token, "CONSORT_PORT": str(self.port)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "consort_playback"],
            env={**environment, **settings, "CONSORT_WATCH_STDIN": "1", "CONSORT_LOG_LEVEL": "WARNING"},
            stdin=subprocess.PIPE,
        )
        self.wait_for(self.process)

    def playback(self, playback_id: str) -> dict[str, Any]:
        """With its timing, which is only told when it is asked for."""
        found: dict[str, Any] = self.call("get_playback", playback_id=playback_id, include_timing=True)["playbacks"][0]
        return found

    def children(self) -> dict[int, str]:
        """Its processes: pid and which program of the player package it is."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except (OSError, IndexError):
                    continue
                if parent == self.process.pid and b"consort_playback.player" in words:
                    found[int(entry.name)] = words[words.index(b"consort_playback.player") + 1].decode()
        return found

    def player_pids(self) -> list[int]:
        return [pid for pid, program in self.children().items() if program == "play"]

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
