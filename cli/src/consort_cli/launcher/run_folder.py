"""DATA/run: the files by which commands and the launcher of one data folder communicate, on every system.

lock          held by the launcher while it runs
stack.json    the processes (`consort_kit.processes.studio_state`); removed when the launcher begins to stop
stop          created by `consort down`: asks the launcher to stop
while-used    created for `consort mcp`: stop some time after the last client has ended; `consort up` removes it
port-base     the port base of the last start; the next start uses it again
clients/PID   one file per running `consort mcp`, locked by it
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from consort_cli.file_lock import FileLock
from consort_kit.processes.studio_state import StudioState, read_studio_state, studio_state_file

_YOUNG_S = 10.0
"""A client's file is created before it is locked, so a file younger than this counts as alive."""


def folder(data: Path) -> Path:
    return data / "run"


def launcher_lock(data: Path) -> FileLock:
    return FileLock(folder(data) / "lock")


def is_locked(data: Path) -> bool:
    """Return whether a launcher runs; it may be starting or stopping."""
    if not (folder(data) / "lock").exists():
        return False
    with launcher_lock(data) as free:
        return not free


def running_studio(data: Path) -> StudioState | None:
    """Return the state of the studio in this data folder, or None if none runs or it is stopping.

    The launcher's process id may now belong to another program, so the lock is checked too.
    """
    studio = read_studio_state(data)
    return studio if studio is not None and not stop_marker(data).exists() and is_locked(data) else None


def was_killed(data: Path) -> bool:
    """Return whether the last launcher was killed, which leaves its state file behind."""
    return studio_state_file(data).exists() and not is_locked(data)


def stop_marker(data: Path) -> Path:
    return folder(data) / "stop"


def remember_port_base(data: Path, port_base: int) -> None:
    (folder(data) / "port-base").write_text(f"{port_base}\n")


def remembered_port_base(data: Path) -> int | None:
    """Return the port base of the last start of this data folder, or None if it was never started."""
    try:
        return int((folder(data) / "port-base").read_text())
    except (OSError, ValueError):
        return None


def while_used_marker(data: Path) -> Path:
    return folder(data) / "while-used"


@contextmanager
def register_client(data: Path) -> Iterator[None]:
    """Register this process as a client. A studio started by `consort mcp` runs as long as it has a client."""
    lock = FileLock(folder(data) / "clients" / str(os.getpid()))
    lock.acquire()
    try:
        yield
    finally:
        lock.release()
        lock.path.unlink(missing_ok=True)


def has_clients(data: Path) -> bool:
    """Return whether a client is alive. Remove the files of clients that have ended."""
    clients = folder(data) / "clients"
    paths = list(clients.iterdir()) if clients.is_dir() else []
    return any([_is_alive(path) for path in paths])  # a list, so that every file is checked


def _is_alive(client: Path) -> bool:
    with FileLock(client) as free:
        alive = not free or time.time() - client.stat().st_mtime < _YOUNG_S
    if not alive:
        client.unlink(missing_ok=True)
    return alive
