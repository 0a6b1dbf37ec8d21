"""What runs now: a small file in the data folder, written by the launcher, read by gateway and command line."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

State = Literal["starting", "healthy", "restarting", "stopped"]
"""`starting` is a first start: worth waiting for. `restarting` follows a crash."""


@dataclass
class ServiceState:
    pid: int | None = None
    state: State = "stopped"
    restarts: int = 0


@dataclass
class Stack:
    launcher_pid: int
    port_base: int
    services: dict[str, ServiceState] = field(default_factory=dict)
    """By name: the services, and `gateway`, and `postgres` when it is the embedded one."""

    def write(self, data: Path) -> None:
        path = stack_file(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        mine = path.with_name(f".{path.name}.{os.getpid()}")
        mine.write_text(json.dumps(asdict(self)))
        mine.replace(path)


def stack_file(data: Path) -> Path:
    return data / "run" / "stack.json"


def read_stack(data: Path) -> Stack | None:
    """The stack of this data folder, or None when no launcher runs it."""
    try:
        raw = json.loads(stack_file(data).read_text())
        services = {name: ServiceState(**state) for name, state in raw.pop("services").items()}
        stack = Stack(**raw, services=services)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return stack if process_runs(stack.launcher_pid) else None


def remove_stack(data: Path) -> None:
    stack_file(data).unlink(missing_ok=True)


def process_runs(pid: int) -> bool:
    if os.name == "nt":  # os.kill(pid, 0) would end the process there
        import psutil

        return bool(psutil.pid_exists(pid))
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
