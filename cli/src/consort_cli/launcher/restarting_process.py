"""Keep one program running: start it, check its health, restart it after a crash with growing delays, and stop it."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from consort_cli.log_lines import rotate_if_large
from consort_kit.processes.listening_sockets import stop_listening
from consort_kit.processes.studio_state import RunState, ServiceState

# Ctrl-C at the terminal must reach the launcher only, so every program gets a new session (Windows: process group).
_NEW_PROCESS_GROUP: dict[str, Any]
if sys.platform == "win32":  # untested there
    _NEW_PROCESS_GROUP = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
else:
    _NEW_PROCESS_GROUP = {"start_new_session": True}


@dataclass(frozen=True)
class WaitTimes:
    """All in seconds."""

    first_delay: float = 0.2
    """Delay before a crashed program is restarted. Each further crash doubles it, up to `longest_delay`."""
    longest_delay: float = 10.0
    stable: float = 30.0
    """After a program has been healthy for this time, the next crash waits `first_delay` again."""
    poll: float = 0.1
    """Time between checks of a program that is starting."""
    start: float = 120.0
    """A program that is not healthy after this time is killed and restarted."""
    check: float = 3.0
    """Time between checks of a healthy program, and the timeout of a check."""
    silence: float = 12.0
    """A program that failed at least three checks in a row, over at least this time, is killed and restarted."""
    stop: float = 8.0
    """A program that was asked to stop is killed after this time."""
    children_end: float = 0.0
    """How long the children of a program that has ended may run before they are killed."""


@dataclass(frozen=True)
class ManagedProgram:
    name: str
    command: Callable[[], list[str]]
    environment: dict[str, str]
    log: Path
    is_healthy: Callable[[int], Awaitable[bool]]
    """Called with the process id."""
    send_stop: Callable[[int], None] | None = None
    """By default SIGTERM; on Windows the end of stdin."""
    send_kill: Callable[[int], None] | None = None
    prepare: Callable[[], object] | None = None
    """Called in a thread before each start; may raise."""
    sockets: Sequence[socket.socket] = ()
    """Sockets that the program inherits. It is their only listener."""


class RestartingProcess:
    """A program that is restarted when it crashes or stops answering.

    `changed` is called after each change of `state`. `write_log` takes a level and a text for the launcher's log.
    """

    def __init__(
        self,
        program: ManagedProgram,
        times: WaitTimes,
        changed: Callable[[], None],
        write_log: Callable[[str, str], None],
    ) -> None:
        self.name = program.name
        self.state = ServiceState(state="starting")
        self._program = program
        self._times = times
        self._changed = changed
        self._write_log = write_log
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._healthy_since: float | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run_forever(), name=f"watch {self.name}")

    async def stop(self) -> None:
        """Ask the program to stop, wait, and kill it and its children if they still run."""
        await self._cancel()
        process = self._process
        if process is not None and process.returncode is None:
            self._ask_to_stop(process)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), self._times.stop)
            if process.returncode is None:
                self._write_log("WARNING", f"{self.name} did not stop within {self._times.stop:g} s and is killed")
        await self._end(process)
        self._set("stopped")

    def kill(self) -> None:
        """Kill the program immediately. A `stop` that is waiting then returns."""
        if self._process is not None and self._process.returncode is None:
            self._kill(self._process)

    async def _run_forever(self) -> None:
        delay = self._times.first_delay
        while True:
            why = await self._run_once()
            was_stable = (
                self._healthy_since is not None and time.monotonic() - self._healthy_since >= self._times.stable
            )
            if was_stable:
                delay = self._times.first_delay
            self._write_log("ERROR", f"{self.name} {why}; it is started again in {delay:g} s")
            self.state.restarts += 1
            self._set("restarting")
            await asyncio.sleep(delay)
            delay = min(delay * 2, self._times.longest_delay)

    async def _run_once(self) -> str:
        """Run the program until it ends, or kill it if it is not healthy. Return the reason."""
        self._healthy_since = None
        try:
            if self._program.prepare is not None:
                await asyncio.to_thread(self._program.prepare)
            self._process = process = await self._spawn()
        except Exception as error:  # whatever the error is, the other programs continue and this one is tried again
            return f"cannot be started: {error}"
        self._set(self.state.state)
        ended = asyncio.create_task(process.wait())
        watching = asyncio.create_task(self._watch(process))
        try:
            await asyncio.wait({ended, watching}, return_when=asyncio.FIRST_COMPLETED)
            why = f"ended with code {process.returncode}" if ended.done() else watching.result()
        finally:
            ended.cancel()
            watching.cancel()
        await self._end(process)
        return why

    async def _spawn(self) -> asyncio.subprocess.Process:
        self._program.log.parent.mkdir(parents=True, exist_ok=True)
        rotate_if_large(self._program.log)
        with self._program.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *self._program.command(),
                stdin=subprocess.PIPE,  # closes when the launcher dies; a service then stops
                stdout=log,
                stderr=log,
                env=self._program.environment,
                pass_fds=[each.fileno() for each in self._program.sockets],
                cwd=self._program.log.parent,
                **_NEW_PROCESS_GROUP,
            )

    async def _watch(self, process: asyncio.subprocess.Process) -> str:
        """Check the program's health repeatedly. Return, with the reason, only if the program must be killed."""
        times, began = self._times, time.monotonic()
        while not await self._program.is_healthy(process.pid):
            if time.monotonic() - began > times.start:
                return f"was not healthy after {times.start:g} s"
            await asyncio.sleep(times.poll)
        self._healthy_since = last_answer = time.monotonic()
        self._set("healthy")
        failures = 0
        while True:
            await asyncio.sleep(times.check)
            if await self._program.is_healthy(process.pid):
                failures, last_answer = 0, time.monotonic()
                continue
            failures += 1
            silence = time.monotonic() - last_answer
            if failures >= 3 and silence >= times.silence:
                return f"runs but has not answered for {silence:.0f} s"

    async def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _end(self, process: asyncio.subprocess.Process | None) -> None:
        """Kill the process if it runs and, except on Windows, all processes that it started."""
        if process is None:
            return
        if process.returncode is None:
            self._kill(process)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), self._times.stop)
        if process.returncode is None:  # Postgres: its `send_kill` is only a request
            process.kill()
            await process.wait()
        if sys.platform != "win32":
            with suppress(ProcessLookupError, PermissionError):
                await self._wait_for_empty_group(process.pid)
                os.killpg(process.pid, signal.SIGKILL)
        if process.stdin is not None:
            process.stdin.close()
        stop_listening(self._program.sockets)
        self.state.pid = None
        self._process = None

    async def _wait_for_empty_group(self, group: int) -> None:
        """Wait for `children_end` seconds. Raise ProcessLookupError as soon as the process group is empty."""
        end = time.monotonic() + self._times.children_end
        while time.monotonic() < end:
            os.killpg(group, 0)
            await asyncio.sleep(0.02)

    def _ask_to_stop(self, process: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            if self._program.send_stop is not None:
                self._program.send_stop(process.pid)
            elif sys.platform == "win32":  # untested there; terminate() would be a kill
                if process.stdin is not None:
                    process.stdin.close()
            else:
                process.terminate()

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            if self._program.send_kill is not None:
                self._program.send_kill(process.pid)
            else:
                process.kill()

    def _set(self, state: RunState) -> None:
        self.state.state = state
        if self._process is not None and self._process.returncode is None:
            self.state.pid = self._process.pid
        self._changed()
