"""Starts a program of `consort_playback.child_programs` in a separate process, connected by a socket."""

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress

from consort_playback.protocol.commands import FIRST_COMMANDS, EndNotes, FirstCommand, ListPorts, OpenPort
from consort_playback.protocol.socket_frames import SIZES, ConnectionClosed, SocketFrame

_PROGRAMS = {OpenPort: "play_port", ListPorts: "list_ports", EndNotes: "end_notes"}
"""The program for each first command."""
_SECRET_PREFIXES = ("CONSORT_", "AWS_")
_READ_LIMIT = 2**20
_KILLED_S = 5.0
"""Seconds to wait until a killed process has ended."""

_log = logging.getLogger("consort")


class ChildProcess:
    def __init__(
        self, process: "subprocess.Popen[bytes]", reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def start(cls, task: FirstCommand) -> "ChildProcess":
        """Start the program that does this task, and send it the task as the first frame."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = _start(_PROGRAMS[type(task)], theirs)
        try:
            reader, writer = await asyncio.open_connection(sock=ours, limit=_READ_LIMIT)
        except BaseException:
            process.kill()
            process.wait()
            ours.close()
            raise
        child = cls(process, reader, writer)
        child.write(FIRST_COMMANDS.encode(task))
        return child

    def write(self, frame: bytes) -> None:
        self._writer.write(frame)

    async def read(self) -> SocketFrame:
        """Return the next frame. Raise ConnectionClosed when the process has ended."""
        try:
            head_size, payload_size = SIZES.unpack(await self._reader.readexactly(SIZES.size))
            data = await self._reader.readexactly(head_size + payload_size)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise ConnectionClosed from error
        return SocketFrame(data[:head_size], data[head_size:])

    async def wait(self, timeout_s: float) -> int | None:
        """Wait until the process ends. Return its exit code (negative for a signal), or None after `timeout_s`."""
        clock = asyncio.get_running_loop().time
        end = clock() + timeout_s
        while (code := self._process.poll()) is None and clock() < end:
            await asyncio.sleep(0.01)
        return code

    async def finish(self, grace_s: float = 0.0) -> int:
        """End the process and return its exit code.

        If `grace_s` is not 0, close the socket first and give the process that many seconds to exit. Then kill it.
        """
        if grace_s:
            self._writer.close()
            await self.wait(grace_s)
        if self._process.poll() is None:
            self._process.kill()
        code = await self.wait(_KILLED_S)
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
        return code if code is not None else -signal.SIGTERM


def describe_exit(code: int) -> str:
    """Return a verb phrase for an exit code, such as `was ended by SIGKILL`."""
    if code < 0 and os.name != "nt":
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"


def _start(program: str, connection: socket.socket) -> "subprocess.Popen[bytes]":
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_SECRET_PREFIXES)}
    environment["JACK_NO_START_SERVER"] = "1"  # only the user starts a JACK server
    command = [sys.executable, "-I", "-m", "consort_playback.child_programs", program]
    if sys.platform == "win32":  # not tested on Windows
        process = subprocess.Popen([*command, "0"], env=environment, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        shared = connection.share(process.pid)
        assert process.stdin is not None
        process.stdin.write(shared)
        process.stdin.close()
        return process
    handle = connection.fileno()
    return subprocess.Popen(
        [*command, str(handle)],
        env=environment,
        pass_fds=[handle],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        # JACK and ALSA print many lines about devices that they do not find
        stderr=None if _log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
    )
