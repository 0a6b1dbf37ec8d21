"""Text for the terminal: progress lines while a studio starts, and the table of its processes and addresses."""

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

from consort_cli.launcher.start_and_stop import unhealthy_parts
from consort_cli.log_lines import format_line, last_lines, log_file
from consort_kit.data_folder import default_data_folder
from consort_kit.processes.studio_state import StudioState
from consort_kit.services import GATEWAY, POSTGRES_PORT_OFFSET, SERVICES

_OFFSETS = {"gateway": GATEWAY.port_offset} | {name: part.port_offset for name, part in SERVICES.items()}


def url_of(name: str, port_base: int) -> str:
    if name == "postgres":
        port = port_base + POSTGRES_PORT_OFFSET
        return f"127.0.0.1:{port}" if sys.platform == "win32" else f"socket .s.PGSQL.{port}"
    return f"http://127.0.0.1:{port_base + _OFFSETS[name]}"


class Progress:
    """Print one line when a process becomes healthy or crashes, with the seconds since the start."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._began = time.monotonic()
        self._seen: dict[str, tuple[str, int]] = {}

    def show(self, studio: StudioState) -> None:
        for name, service in studio.services.items():
            before, now = self._seen.get(name), (service.state, service.restarts)
            self._seen[name] = now
            if before == now:
                continue
            if service.state == "healthy":
                self._say(f"  {name:<11} healthy   {time.monotonic() - self._began:5.1f} s")
            elif service.restarts and (before is None or before[1] != service.restarts):
                self._say(f"  {name:<11} crashed   {time.monotonic() - self._began:5.1f} s   it is started again")


def table(studio: StudioState) -> str:
    """Return the table of processes, the gateway first and the database last."""
    names = ["gateway", *(name for name in studio.services if name not in ("gateway", "postgres"))]
    names += ["postgres"] if "postgres" in studio.services else []
    rows = ["  part        state       process  address"]
    for name in names:
        service = studio.services[name]
        rows.append(f"  {name:<11} {service.state:<10} {service.pid or '-':>8}  {url_of(name, studio.port_base)}")
    return "\n".join(rows)


def next_steps(studio: StudioState, data: Path) -> str:
    return (
        f"  MCP         {url_of('gateway', studio.port_base)}/mcp   (token: {data / 'token'})\n"
        f"  next        ./consort install claude-desktop{_data_option(data)}"
    )


def _data_option(data: Path) -> str:
    """Return the --data option that makes a command use this studio; empty for the default data folder."""
    return "" if data == default_data_folder() else f" --data {shlex.quote(str(data))}"


def log_tails(studio: StudioState | None, data: Path, count: int = 15) -> str:
    """Return the last log lines of the processes that are not healthy."""
    shown = []
    for name in unhealthy_parts(studio) if studio else []:
        lines = last_lines(data, [name], count)
        shown.append("\n".join([f"{log_file(data, name)}:", *(f"  {format_line(line)}" for line in lines)]))
    return "\n".join(shown)
