"""Start a studio that outlives the caller, or find the one that runs. For `consort up --detach` and `consort mcp`."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from consort_cli.errors import AlreadyRuns, LauncherError, NotHealthy
from consort_cli.log_lines import LAUNCHER, log_file, parse
from consort_cli.run_folder import (
    is_locked,
    register_client,
    remembered_port_base,
    running_stack,
    stop_marker,
    while_used_marker,
)
from consort_kit.services import DEFAULT_PORT_BASE
from consort_kit.stack import Stack

__all__ = ["Launch", "ensure_running", "register_client", "running_stack", "stop", "wanted_port_base"]

START_TIMEOUT_S = 90.0
HOPELESS_RESTARTS = 5
"""A part that has crashed so often without ever being healthy is not waited for."""


class Launch:
    """A studio that runs or is starting. Made by `ensure_running`."""

    def __init__(self, data: Path, process: "subprocess.Popen[bytes] | None", log_offset: int = 0) -> None:
        self.data = data
        self._log_offset = log_offset
        self._exit_code: int | None = None
        self.started = process is not None
        """Whether this call started it; else it ran already."""
        if process is not None:
            # The thread takes the end of the launcher in, so that no zombie looks like a living one.
            threading.Thread(target=self._take_end, args=(process,), name="launcher-end", daemon=True).start()

    def stack(self) -> Stack | None:
        """What runs now; None as long as the launcher has not begun, and after its end."""
        return running_stack(self.data)

    def is_alive(self) -> bool:
        """Whether a launcher runs here, or is about to."""
        return (self.started and self._exit_code is None) or is_locked(self.data)

    def failure(self) -> str | None:
        """Why the launcher that was started has ended. None while it runs, or when another one was quicker."""
        if self._exit_code in (None, 0, AlreadyRuns.exit_code):
            return None
        with log_file(self.data, LAUNCHER).open("rb") as log:
            log.seek(self._log_offset)
            lines = log.read().decode(errors="replace").splitlines()
        errors = [line.fields["message"] for line in (parse(LAUNCHER, text) for text in lines) if line.fields]
        return str(errors[-1]) if errors else "\n".join(lines[-15:]) or f"the launcher ended with {self._exit_code}"

    def wait(
        self, timeout_s: float = START_TIMEOUT_S, progress: Callable[[Stack], None] | None = None, poll_s: float = 0.1
    ) -> Stack:
        """Until every part is healthy. `progress` is called at each look. Raises NotHealthy."""
        end = time.monotonic() + timeout_s
        while True:
            stack = self.stack()
            if stack is not None:
                if progress is not None:
                    progress(stack)
                if is_healthy(stack):
                    return stack
                if hopeless := hopeless_parts(stack):
                    raise NotHealthy(f"{', '.join(hopeless)} cannot be started.")
            elif failure := self.failure():
                raise NotHealthy(failure)
            elif not self.is_alive():
                raise NotHealthy("the studio was stopped while it was starting")
            if time.monotonic() > end:
                late = unhealthy_parts(stack) if stack else ["the launcher"]
                raise NotHealthy(f"{', '.join(late)} did not become healthy within {timeout_s:g} s.")
            time.sleep(poll_s)

    def _take_end(self, process: "subprocess.Popen[bytes]") -> None:
        self._exit_code = process.wait()


def ensure_running(
    data: Path, port_base: int | None = None, *, while_used: bool = False, idle_s: float | None = None
) -> Launch:
    """Start a detached launcher unless one runs; returns at once, before anything is healthy.

    Several callers at once are safe: launchers that find another one at work end at once. With `while_used` the stack
    stops by itself some minutes after the last registered client has gone; without it, a running stack of that kind
    is turned into one that stays.
    """
    if running_stack(data) is not None:
        if not while_used:
            while_used_marker(data).unlink(missing_ok=True)
        return Launch(data, None)
    log = log_file(data, LAUNCHER)
    if not data.exists():
        data.mkdir(parents=True, mode=0o700)
    log.parent.mkdir(mode=0o700, exist_ok=True)
    command = [sys.executable, "-P", "-m", "consort_cli.supervisor", "--data", str(data)]
    command += ["--port-base", str(wanted_port_base(data, port_base))]
    command += ["--while-used"] if while_used else []
    command += ["--idle-seconds", str(idle_s)] if idle_s is not None else []
    flags = 0
    if sys.platform == "win32":  # untested there
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=data,
            start_new_session=True,  # survives the terminal
            creationflags=flags,
        )
        return Launch(data, process, log.stat().st_size)


def stop(data: Path, timeout_s: float = 60.0) -> bool:
    """Ask the launcher to stop and wait until it has; whether it did."""
    stack = running_stack(data)
    stop_marker(data).touch()
    end = time.monotonic() + timeout_s
    while is_locked(data):
        now = running_stack(data)
        if stack and now and now.launcher_pid != stack.launcher_pid:  # another one was waiting to start
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def wanted_port_base(data: Path, given: int | None = None) -> int:
    """The port base given, else CONSORT_PORT_BASE, else the one with which this data folder was started last."""
    text = os.environ.get("CONSORT_PORT_BASE")
    if given is None and text and not (text.isdecimal() and 1024 <= int(text) <= 65000):
        raise LauncherError(f"CONSORT_PORT_BASE must be a number from 1024 to 65000, not {text!r}.")
    return given or int(text or 0) or remembered_port_base(data) or DEFAULT_PORT_BASE


def unhealthy_parts(stack: Stack) -> list[str]:
    return [name for name, service in stack.services.items() if service.state != "healthy"]


def is_healthy(stack: Stack) -> bool:
    return "gateway" in stack.services and not unhealthy_parts(stack)


def hopeless_parts(stack: Stack) -> list[str]:
    return [name for name in unhealthy_parts(stack) if stack.services[name].restarts >= HOPELESS_RESTARTS]
