"""Start a detached launcher or find a running one, wait for it, and stop it.

Used by `consort up --detach`, `consort mcp` and `consort down`.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from consort_cli.launcher.errors import AlreadyRuns, LauncherError, NotHealthy
from consort_cli.launcher.run_folder import (
    is_locked,
    register_client,
    remembered_port_base,
    running_studio,
    stop_marker,
    while_used_marker,
)
from consort_cli.log_lines import LAUNCHER, log_file, parse_line
from consort_kit.data_folder import make_private_folder
from consort_kit.processes.studio_state import StudioState
from consort_kit.services import DEFAULT_PORT_BASE

__all__ = ["DetachedLaunch", "ensure_running", "register_client", "running_studio", "stop", "wanted_port_base"]

START_TIMEOUT_S = 90.0
MAX_RESTARTS_AT_START = 5
"""Stop waiting for a process that is not healthy after this many restarts."""


class DetachedLaunch:
    """A detached launcher that runs or is starting. Returned by `ensure_running`."""

    def __init__(self, data: Path, process: "subprocess.Popen[bytes] | None", log_offset: int = 0) -> None:
        self.data = data
        self._log_offset = log_offset
        self._exit_code: int | None = None
        self.started = process is not None
        """Whether `ensure_running` started it; False if it was already running."""
        if process is not None:
            # A thread waits for the launcher, because an unreaped zombie would look alive.
            threading.Thread(target=self._wait_for_end, args=(process,), name="launcher-end", daemon=True).start()

    def studio(self) -> StudioState | None:
        """Return the state of the studio, or None if the launcher has not yet started it or has ended."""
        return running_studio(self.data)

    def is_alive(self) -> bool:
        """Return whether a launcher runs or is starting in this data folder."""
        return (self.started and self._exit_code is None) or is_locked(self.data)

    def failure(self) -> str | None:
        """Return why the launcher failed, or None if it runs, was stopped, or found another launcher running."""
        if self._exit_code in (None, 0, AlreadyRuns.exit_code):
            return None
        with log_file(self.data, LAUNCHER).open("rb") as log:
            log.seek(self._log_offset)
            lines = log.read().decode(errors="replace").splitlines()
        errors = [line.fields["message"] for line in (parse_line(LAUNCHER, text) for text in lines) if line.fields]
        return str(errors[-1]) if errors else "\n".join(lines[-15:]) or f"the launcher ended with {self._exit_code}"

    def wait(
        self,
        timeout_s: float = START_TIMEOUT_S,
        progress: Callable[[StudioState], None] | None = None,
        poll_s: float = 0.1,
    ) -> StudioState:
        """Wait until every process is healthy, and call `progress` with each state.

        Raise NotHealthy if the time is over, a process keeps crashing, or the launcher ends.
        """
        end = time.monotonic() + timeout_s
        while True:
            studio = self.studio()
            if studio is not None:
                if progress is not None:
                    progress(studio)
                if is_healthy(studio):
                    return studio
                if crashing := parts_that_keep_crashing(studio):
                    raise NotHealthy(f"{', '.join(crashing)} cannot be started.")
            elif failure := self.failure():
                raise NotHealthy(failure)
            elif not self.is_alive():
                raise NotHealthy("The studio was stopped while it was starting.")
            if time.monotonic() > end:
                late = unhealthy_parts(studio) if studio else ["the launcher"]
                raise NotHealthy(f"{', '.join(late)} did not become healthy within {timeout_s:g} s.")
            time.sleep(poll_s)

    def _wait_for_end(self, process: "subprocess.Popen[bytes]") -> None:
        self._exit_code = process.wait()


def ensure_running(
    data: Path, port_base: int | None = None, *, while_used: bool = False, idle_s: float | None = None
) -> DetachedLaunch:
    """Start a detached launcher unless one runs. Do not wait until it is healthy.

    Concurrent calls are safe: a launcher that finds another one ends immediately. With `while_used` the studio stops
    `idle_s` seconds after its last registered client has ended. Without it, the studio runs until it is stopped, even
    if it was started with `while_used`.
    """
    if running_studio(data) is not None:
        if not while_used:
            while_used_marker(data).unlink(missing_ok=True)
        return DetachedLaunch(data, None)
    log = log_file(data, LAUNCHER)
    data.mkdir(parents=True, mode=0o700, exist_ok=True)  # another start may make it at the same time
    make_private_folder(log.parent)
    command = [sys.executable, "-P", "-m", "consort_cli.launcher.run_studio", "--data", str(data)]
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
            start_new_session=True,  # keeps running when the terminal is closed
            creationflags=flags,
        )
        return DetachedLaunch(data, process, log.stat().st_size)


def stop(data: Path, timeout_s: float = 60.0) -> bool:
    """Ask the launcher to stop and wait until it has. Return False if it still runs after the timeout."""
    studio = running_studio(data)
    stop_marker(data).touch()
    end = time.monotonic() + timeout_s
    while is_locked(data):
        now = running_studio(data)
        if studio and now and now.launcher_pid != studio.launcher_pid:  # another launcher has started meanwhile
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def wanted_port_base(data: Path, given: int | None = None) -> int:
    """Return `given`, otherwise CONSORT_PORT_BASE, otherwise the port base of the last start, otherwise the default."""
    text = os.environ.get("CONSORT_PORT_BASE")
    if given is None and text and not (text.isdecimal() and 1024 <= int(text) <= 65000):
        raise LauncherError(f"CONSORT_PORT_BASE must be a number from 1024 to 65000, not {text!r}.")
    return given or int(text or 0) or remembered_port_base(data) or DEFAULT_PORT_BASE


def unhealthy_parts(studio: StudioState) -> list[str]:
    return [name for name, service in studio.services.items() if service.state != "healthy"]


def is_healthy(studio: StudioState) -> bool:
    return "gateway" in studio.services and not unhealthy_parts(studio)


def parts_that_keep_crashing(studio: StudioState) -> list[str]:
    return [name for name in unhealthy_parts(studio) if studio.services[name].restarts >= MAX_RESTARTS_AT_START]
