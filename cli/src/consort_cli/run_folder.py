"""DATA/run: how commands and the launcher of one data folder talk to each other, by files, the same on every system.

lock          held by the launcher while it lives
stack.json    what runs (consort_kit.stack); gone while the launcher is stopping
stop          made by `consort down`: please stop
while-used    present in a stack that `consort mcp` started: stop when the last client has gone; `consort up` removes it
port-base     the ports that the last launcher used, for the next one
clients/PID   one for each living `consort mcp`, locked by it
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from consort_cli.locks import FileLock
from consort_kit.stack import Stack, read_stack, stack_file

_YOUNG_S = 10.0
"""A client's file is made before it is locked; one that is younger than this counts as alive."""


def folder(data: Path) -> Path:
    return data / "run"


def launcher_lock(data: Path) -> FileLock:
    return FileLock(folder(data) / "lock")


def is_locked(data: Path) -> bool:
    """Whether a launcher lives; it may be just starting, or stopping."""
    if not (folder(data) / "lock").exists():
        return False
    with launcher_lock(data) as free:
        return not free


def running_stack(data: Path) -> Stack | None:
    """The stack that runs in this data folder and was not told to stop.

    Unlike `read_stack` alone it is not fooled by a process id used anew.
    """
    stack = read_stack(data)
    return stack if stack is not None and not stop_marker(data).exists() and is_locked(data) else None


def was_killed(data: Path) -> bool:
    """Whether the last launcher ended without stopping; then it left its stack file behind."""
    return stack_file(data).exists() and not is_locked(data)


def stop_marker(data: Path) -> Path:
    return folder(data) / "stop"


def remember_port_base(data: Path, port_base: int) -> None:
    (folder(data) / "port-base").write_text(f"{port_base}\n")


def remembered_port_base(data: Path) -> int | None:
    """The port base with which this data folder was started last."""
    try:
        return int((folder(data) / "port-base").read_text())
    except (OSError, ValueError):
        return None


def while_used_marker(data: Path) -> Path:
    return folder(data) / "while-used"


@contextmanager
def register_client(data: Path) -> Iterator[None]:
    """Say that this process uses the stack; a stack started by `consort mcp` stays while one such process lives."""
    lock = FileLock(folder(data) / "clients" / str(os.getpid()))
    lock.acquire()
    try:
        yield
    finally:
        lock.release()
        lock.path.unlink(missing_ok=True)


def has_clients(data: Path) -> bool:
    """Whether a registered process lives; the files of dead ones are removed."""
    clients = folder(data) / "clients"
    paths = list(clients.iterdir()) if clients.is_dir() else []
    return any([_is_alive(path) for path in paths])  # a list: each is looked at


def _is_alive(client: Path) -> bool:
    with FileLock(client) as free:
        alive = not free or time.time() - client.stat().st_mtime < _YOUNG_S
    if not alive:
        client.unlink(missing_ok=True)
    return alive
