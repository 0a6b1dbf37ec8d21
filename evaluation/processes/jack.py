"""A JACK server without hardware, and a receiver of MIDI messages, so that any Linux machine has real MIDI ports."""

import fcntl
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil

PERIOD_FRAMES = 64
RATE = 48_000
"""In frames per second."""
_START_S = 20.0
"""Seconds to wait until the server has started."""
_TRIES = 3
_NAMES = 7
"""How many servers may run at once. JACK's list of all servers has eight places: one is left for the user's own."""

_RECEIVER = """
import sys, time, rtmidi
port = rtmidi.MidiIn(rtmidi.API_UNIX_JACK, name=sys.argv[1], queue_size_limit=10)
port.ignore_types(sysex=False, timing=False, active_sense=False)
heard = []
port.set_callback(lambda event, _: heard.append((time.monotonic_ns(), bytes(event[0]))))
port.open_virtual_port("in")
print("ready", flush=True)
sent = 0
while line := sys.stdin.readline():
    count = len(heard)
    for when, message in heard[sent:count]:
        print(when, message.hex())
    sent = count
    print("end", flush=True)
port.close_port()
port.delete()
"""


class ReceivedMessage(NamedTuple):
    when: int
    """Nanoseconds of the monotonic clock."""
    message: bytes


class ServerName:
    """One of a few names for servers, held by this process until it is released or the process ends.

    A killed server keeps its place in JACK's list until a server of the same name starts, so with ever new names the
    list would fill up.
    """

    def __init__(self) -> None:
        while not self._take_a_free_one():
            time.sleep(0.2)

    def _take_a_free_one(self) -> bool:
        for number in range(_NAMES):
            file = os.open(Path(tempfile.gettempdir(), f"consort-jack-{number}.lock"), os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
            else:
                self.text, self._file = f"consort-{number}", file
                return True
        return False

    def release(self) -> None:
        os.close(self._file)


class JackServer:
    """A JACK server in synchronous mode, so that no message is lost."""

    def __init__(self, period: int = PERIOD_FRAMES, rate: int = RATE, *, timeout_ms: int = 50) -> None:
        self._name = ServerName()
        self.settings = {
            "JACK_DEFAULT_SERVER": self._name.text,
            "JACK_NO_START_SERVER": "1",
            "JACK_NO_AUDIO_RESERVATION": "1",
        }
        self.environment = {**os.environ, **self.settings}
        # A killed client blocks the synchronous server for ten times this timeout.
        self._options = ["-S", "-R" if may_be_realtime() else "-r", "--no-mlock", "-t", str(timeout_ms)]
        self._driver = ["-d", "dummy", "-r", str(rate), "-p", str(period)]
        self._process: subprocess.Popen[bytes] | None = None
        self._socket = Path(f"/dev/shm/jack_{self._name.text}_{os.getuid()}_0")

    def start(self) -> None:
        for _ in range(_TRIES):
            self._kill_forgotten_server()
            error = self._try_to_start()
            if error is None:
                return
            self.kill()
            _remove_list_of_dead_servers()
        raise AssertionError(f"jackd does not start: {error}")

    def _kill_forgotten_server(self) -> None:
        """Kill a server with this name that a killed test run has left behind."""
        for process in psutil.process_iter(["name", "cmdline"]):
            if process.info["name"] == "jackd" and self._name.text in (process.info["cmdline"] or []):
                process.kill()
                process.wait()

    def _try_to_start(self) -> str | None:
        """Return what jackd printed if it did not start."""
        self._socket.unlink(missing_ok=True)
        with tempfile.TemporaryFile() as output:
            self._process = subprocess.Popen(
                ["jackd", "-n", self._name.text, *self._options, *self._driver],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            deadline = time.monotonic() + _START_S
            while not self._socket.exists():
                if self._process.poll() is not None or time.monotonic() > deadline:
                    output.seek(0)
                    return output.read().decode(errors="replace") or f"no answer in {_START_S:g} seconds"
                time.sleep(0.02)
        return None

    def hold_up(self, seconds: float) -> None:
        """Stop the server for some seconds, as a busy machine may do."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill the server, to simulate a crash."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self._socket.unlink(missing_ok=True)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None
        for left_over in Path("/dev/shm").glob(f"jack_*{self._name.text}_*"):  # files of killed clients
            left_over.unlink(missing_ok=True)
        self._name.release()


def _remove_list_of_dead_servers() -> None:
    """Remove JACK's list of servers if none is running: killed ones, with other names, may have filled it up."""
    if not any(process.info["name"] == "jackd" for process in psutil.process_iter(["name"])):
        Path("/dev/shm/jack-shm-registry").unlink(missing_ok=True)


def may_be_realtime() -> bool:
    return subprocess.run(["chrt", "-f", "10", "true"], capture_output=True).returncode == 0


class Receiver:
    """A program in a separate process with a MIDI input. It records each message and its time."""

    def __init__(self, server: JackServer, name: str | None = None) -> None:
        name = name or f"receiver-{secrets.token_hex(3)}"
        self.port = f"{name}:in"
        self._process = subprocess.Popen(
            [sys.executable, "-c", _RECEIVER, name],
            env=server.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def new(self) -> list[ReceivedMessage]:
        """Return the messages received since the last call."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        heard = []
        while (line := self._process.stdout.readline()) != "end\n":
            assert line, "the receiver died"
            when, text = line.split()
            heard.append(ReceivedMessage(int(when), bytes.fromhex(text)))
        return heard

    def messages(self) -> list[bytes]:
        return [each.message for each in self.new()]

    def wait_for(self, count: int, timeout_s: float = 20.0) -> list[ReceivedMessage]:
        """Wait for at least `count` messages and return all that were received."""
        heard: list[ReceivedMessage] = []
        deadline = time.monotonic() + timeout_s
        while len(heard) < count:
            assert time.monotonic() < deadline, f"{len(heard)} of {count} messages came"
            heard += self.new()
            time.sleep(0.01)
        return heard

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def close(self) -> None:
        """Make the program end by closing its input. Kill it if it does not end within 5 seconds."""
        try:
            self._process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self.kill()


def sounding(heard: list[ReceivedMessage]) -> set[tuple[int, int]]:
    """Return the notes (channel, pitch) that a device would still play after these messages."""
    notes: set[tuple[int, int]] = set()
    for _, message in heard:
        kind, channel = message[0] & 0xF0, message[0] & 15
        if kind == 0x90 and message[2]:
            notes.add((channel, message[1]))
        elif kind in (0x80, 0x90):
            notes.discard((channel, message[1]))
        elif kind == 0xB0 and message[1] in (120, 123):
            notes = {note for note in notes if note[0] != channel}
    return notes


@contextmanager
def running_jack(**options: Any) -> Iterator[JackServer]:
    server = JackServer(**options)
    server.start()
    try:
        yield server
    finally:
        server.stop()
