"""What a person sees of a stack: progress lines while it starts, and the table of what runs where."""

import shlex
import time
from collections.abc import Callable
from pathlib import Path

from consort_cli.launch import unhealthy_parts
from consort_cli.log_lines import log_file, readable, tail
from consort_kit.folders import default_data_folder
from consort_kit.services import GATEWAY, POSTGRES_PORT_OFFSET, SERVICES
from consort_kit.stack import Stack

_OFFSETS = {"gateway": GATEWAY.port_offset} | {name: part.port_offset for name, part in SERVICES.items()}


def url_of(name: str, port_base: int) -> str:
    if name == "postgres":
        return f"postgresql://127.0.0.1:{port_base + POSTGRES_PORT_OFFSET}/consort"
    return f"http://127.0.0.1:{port_base + _OFFSETS[name]}"


class Progress:
    """Prints one line when a part becomes healthy or crashes, with the seconds since the start."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._began = time.monotonic()
        self._seen: dict[str, tuple[str, int]] = {}

    def show(self, stack: Stack) -> None:
        for name, service in stack.services.items():
            before, now = self._seen.get(name), (service.state, service.restarts)
            self._seen[name] = now
            if before == now:
                continue
            if service.state == "healthy":
                self._say(f"  {name:<11} healthy   {time.monotonic() - self._began:5.1f} s")
            elif service.restarts and (before is None or before[1] != service.restarts):
                self._say(f"  {name:<11} crashed   {time.monotonic() - self._began:5.1f} s   it is started again")


def table(stack: Stack) -> str:
    """Gateway first, database last."""
    names = ["gateway", *(name for name in stack.services if name not in ("gateway", "postgres"))]
    names += ["postgres"] if "postgres" in stack.services else []
    rows = ["  part        state       process  address"]
    for name in names:
        service = stack.services[name]
        rows.append(f"  {name:<11} {service.state:<10} {service.pid or '-':>8}  {url_of(name, stack.port_base)}")
    return "\n".join(rows)


def next_steps(stack: Stack, data: Path) -> str:
    return (
        f"  MCP         {url_of('gateway', stack.port_base)}/mcp   (token: {data / 'token'})\n"
        f"  next        consort install claude-desktop{_data_option(data)}"
    )


def _data_option(data: Path) -> str:
    """What must follow a command so that it means this studio; its ports the data folder remembers."""
    return "" if data == default_data_folder() else f" --data {shlex.quote(str(data))}"


def log_tails(stack: Stack | None, data: Path, count: int = 15) -> str:
    """The last lines of what is not healthy, to be shown with a failure."""
    shown = []
    for name in unhealthy_parts(stack) if stack else []:
        lines = tail(data, [name], count)
        shown.append("\n".join([f"{log_file(data, name)}:", *(f"  {readable(line)}" for line in lines)]))
    return "\n".join(shown)
