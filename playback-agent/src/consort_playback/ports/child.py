"""A program of `consort_playback.player` in a process of its own, with a socket to it."""

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import Any, Literal

from consort_playback.player.wire import SIZES, Closed, Frame, pack

Program = Literal["play", "scout", "silence"]

_log = logging.getLogger("consort")

_SECRET_PREFIXES = ("CONSORT_", "AWS_")


class Child:
    def __init__(
        self, process: "subprocess.Popen[bytes]", reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def start(cls, program: Program, first: dict[str, Any]) -> "Child":
        ours, theirs = socket.socketpair()
        with theirs:
            process = _start(program, theirs)
        try:
            reader, writer = await asyncio.open_connection(sock=ours, limit=2**20)
        except BaseException:
            process.kill()
            process.wait()
            ours.close()
            raise
        child = cls(process, reader, writer)
        child.write(first)
        return child

    def write(self, head: dict[str, Any], payload: bytes = b"") -> None:
        self._writer.write(pack(head, payload))

    async def read(self) -> Frame:
        """The next frame; Closed when the process has ended."""
        try:
            head_size, payload_size = SIZES.unpack(await self._reader.readexactly(SIZES.size))
            data = await self._reader.readexactly(head_size + payload_size)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise Closed from error
        return Frame(json.loads(data[:head_size]), data[head_size:])

    async def ended(self, timeout_s: float) -> int | None:
        """Its exit code, negative for a signal; None if it still runs after this time."""
        end = asyncio.get_running_loop().time() + timeout_s
        while (code := self._process.poll()) is None and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        return code

    async def finish(self, grace_s: float = 0.0) -> int:
        """Make sure that nothing of it is left, after it had this long to go by itself; how it ended."""
        if grace_s:
            self._writer.close()
            await self.ended(grace_s)
        if self._process.poll() is None:
            self._process.kill()
        code = await self.ended(5)
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
        return code if code is not None else -signal.SIGTERM


def how_it_ended(code: int) -> str:
    if code < 0 and os.name != "nt":
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"


def _start(program: Program, connection: socket.socket) -> "subprocess.Popen[bytes]":
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_SECRET_PREFIXES)}
    # JACK and ALSA tell on stderr at length what is not there: only for who looks closely
    environment["JACK_NO_START_SERVER"] = "1"  # whoever wants a JACK server has started one
    command = [sys.executable, "-I", "-m", "consort_playback.player", program]
    if sys.platform == "win32":  # untested there
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
        stderr=None if _log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
    )
