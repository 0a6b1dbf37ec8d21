"""The file `run/stack.json` in the data folder: the processes of a running studio. Written by the launcher only."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from consort_kit.data_folder import make_private_folder

RunState = Literal["starting", "healthy", "restarting", "stopped"]
"""`starting` is the first start: calls wait for it. `restarting` follows a crash."""


@dataclass
class ServiceState:
    pid: int | None = None
    state: RunState = "stopped"
    restarts: int = 0


@dataclass
class StudioState:
    """The processes of a running studio."""

    launcher_pid: int
    port_base: int
    services: dict[str, ServiceState] = field(default_factory=dict)
    """By name: the services, `gateway`, and `postgres` if it is the embedded one."""

    def write(self, data: Path) -> None:
        path = studio_state_file(data)
        make_private_folder(path.parent)
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        temporary.write_text(json.dumps(asdict(self)))
        temporary.replace(path)


def studio_state_file(data: Path) -> Path:
    return data / "run" / "stack.json"


def read_studio_state(data: Path) -> StudioState | None:
    """Return the state of the studio in this data folder, or None if no launcher runs."""
    try:
        raw = json.loads(studio_state_file(data).read_text())
        services = {name: ServiceState(**state) for name, state in raw.pop("services").items()}
        studio = StudioState(**raw, services=services)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return studio if process_runs(studio.launcher_pid) else None


def remove_studio_state(data: Path) -> None:
    studio_state_file(data).unlink(missing_ok=True)


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
