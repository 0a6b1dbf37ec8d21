"""Keeps one program running: starts it, watches its health, starts it again with back-off, stops it in the end."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from consort_cli.log_lines import keep_small
from consort_kit.stack import ServiceState, State

# Ctrl-C at the terminal must reach the launcher alone: a session, on Windows a process group, of its own.
_OF_ITS_OWN: dict[str, Any]
if sys.platform == "win32":  # untested there
    _OF_ITS_OWN = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
else:
    _OF_ITS_OWN = {"start_new_session": True}


@dataclass(frozen=True)
class Patience:
    """How long is waited for what, in seconds."""

    first_delay: float = 0.2
    """Before a crashed program is started again; doubled by each crash."""
    longest_delay: float = 10.0
    calm: float = 30.0
    """Healthy for so long, and the next crash counts as the first."""
    poll: float = 0.1
    """Between looks at a program that is starting."""
    start: float = 120.0
    """For a program to become healthy before it is killed and started again."""
    check: float = 3.0
    """Between looks at a healthy program, and for its answer."""
    silence: float = 12.0
    """A program that answered none of the last three looks, over at least this time, is killed and started again."""
    stop: float = 8.0
    """For a program to stop when asked, before it is killed."""
    leave: float = 0.0
    """For what a program had started to end by itself after it, before that is killed too."""


@dataclass(frozen=True)
class Program:
    name: str
    command: Callable[[], list[str]]
    environment: dict[str, str]
    log: Path
    is_healthy: Callable[[int], Awaitable[bool]]
    """Asked with the process id."""
    send_stop: Callable[[int], None] | None = None
    """By default SIGTERM; where that does not exist, the end of stdin."""
    send_kill: Callable[[int], None] | None = None
    prepare: Callable[[], object] | None = None
    """Called in a thread before each start; may raise."""


class Keeper:
    def __init__(
        self,
        program: Program,
        patience: Patience,
        changed: Callable[[], None],
        note: Callable[[str, str], None],
    ) -> None:
        self.name = program.name
        self.state = ServiceState(state="starting")
        self._program = program
        self._patience = patience
        self._changed = changed
        self._note = note
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._healthy_since: float | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep(), name=f"keep {self.name}")

    async def stop(self) -> None:
        """Ask it to stop, wait, kill it if it does not, and whatever it started with it."""
        await self._cancel()
        process = self._process
        if process is not None and process.returncode is None:
            self._ask_to_stop(process)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), self._patience.stop)
            if process.returncode is None:
                self._note("WARNING", f"{self.name} did not stop within {self._patience.stop:g} s and is killed")
        await self._end(process)
        self._set("stopped")

    def kill(self) -> None:
        """At once; `stop`, which waits for it, ends then."""
        if self._process is not None and self._process.returncode is None:
            self._kill(self._process)

    async def _keep(self) -> None:
        delay = self._patience.first_delay
        while True:
            why = await self._run_once()
            calm = self._healthy_since is not None and time.monotonic() - self._healthy_since >= self._patience.calm
            if calm:
                delay = self._patience.first_delay
            self._note("ERROR", f"{self.name} {why}; it is started again in {delay:g} s")
            self.state.restarts += 1
            self._set("restarting")
            await asyncio.sleep(delay)
            delay = min(delay * 2, self._patience.longest_delay)

    async def _run_once(self) -> str:
        """Until it ends or has to be ended; why."""
        self._healthy_since = None
        try:
            if self._program.prepare is not None:
                await asyncio.to_thread(self._program.prepare)
            self._process = process = await self._spawn()
        except Exception as error:  # whatever it is, the other parts go on and this one is tried again
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
        keep_small(self._program.log)
        with self._program.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *self._program.command(),
                stdin=subprocess.PIPE,  # open as long as we live: a service stops by itself when it ends
                stdout=log,
                stderr=log,
                env=self._program.environment,
                cwd=self._program.log.parent,
                **_OF_ITS_OWN,
            )

    async def _watch(self, process: asyncio.subprocess.Process) -> str:
        """Returns only if the program must be ended: why."""
        patience, began = self._patience, time.monotonic()
        while not await self._program.is_healthy(process.pid):
            if time.monotonic() - began > patience.start:
                return f"was not healthy after {patience.start:g} s"
            await asyncio.sleep(patience.poll)
        self._healthy_since = last_answer = time.monotonic()
        self._set("healthy")
        failures = 0
        while True:
            await asyncio.sleep(patience.check)
            if await self._program.is_healthy(process.pid):
                failures, last_answer = 0, time.monotonic()
                continue
            failures += 1
            silence = time.monotonic() - last_answer
            if failures >= 3 and silence >= patience.silence:
                return f"runs but has not answered for {silence:.0f} s"

    async def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _end(self, process: asyncio.subprocess.Process | None) -> None:
        """Nothing of it stays: neither the process nor, where there are sessions, what it started."""
        if process is None:
            return
        if process.returncode is None:
            self._kill(process)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), self._patience.stop)
        if process.returncode is None:  # Postgres, whose kill is a request too
            process.kill()
            await process.wait()
        if sys.platform != "win32":
            with suppress(ProcessLookupError, PermissionError):
                await self._let_leave(process.pid)
                os.killpg(process.pid, signal.SIGKILL)
        if process.stdin is not None:
            process.stdin.close()
        self.state.pid = None
        self._process = None

    async def _let_leave(self, group: int) -> None:
        """Wait a little for what is left of a group of processes; ProcessLookupError if nothing is."""
        end = time.monotonic() + self._patience.leave
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

    def _set(self, state: State) -> None:
        self.state.state = state
        if self._process is not None and self._process.returncode is None:
            self.state.pid = self._process.pid
        self._changed()
