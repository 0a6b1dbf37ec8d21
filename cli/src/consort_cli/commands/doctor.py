"""`consort doctor`: one small check after the other, each with what it found and how to mend it."""

import argparse
import asyncio
import json
import os
import platform
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from consort_cli import bootstrap, probes
from consort_cli.commands.install import CLIENTS, is_registered
from consort_cli.errors import PostgresError
from consort_cli.main import add_data_argument
from consort_cli.postgres import find_binaries
from consort_cli.run_folder import running_stack
from consort_kit.folders import data_folder
from consort_kit.services import DEFAULT_PORT_BASE, GATEWAY, POSTGRES_PORT_OFFSET, SERVICES

NEEDED_DISK_MB = 500


class Finding(NamedTuple):
    ok: bool | None
    """None: neither good nor bad, such as a studio that simply does not run."""
    text: str
    fix: str = ""


class Machine(NamedTuple):
    """What the checks look at."""

    data: Path
    port_base: int


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    stack = running_stack(data)
    base = stack.port_base if stack else int(os.environ.get("CONSORT_PORT_BASE") or DEFAULT_PORT_BASE)
    findings = {name: check(Machine(data, base)) for name, check in CHECKS.items()}
    healthy = all(finding.ok is not False for finding in findings.values())
    if args.json:
        checks = [{"name": name, **finding._asdict()} for name, finding in findings.items()]
        print(json.dumps({"ok": healthy, "checks": checks}))
    else:
        width = max(map(len, findings))
        for name, finding in findings.items():
            print(f"{MARKS[finding.ok]} {name:<{width}}  {finding.text}")
            if finding.fix:
                print(f"  {'':<{width}}  → {finding.fix}")
    return 0 if healthy else 1


def check_python(machine: Machine) -> Finding:
    text = f"{platform.python_version()} in {sys.prefix}"
    if (3, 11) <= sys.version_info < (3, 13):
        return Finding(True, text)
    return Finding(
        False, text, f"Consort runs on Python 3.12 or 3.11: remove {bootstrap.VENV} and run ./consort again."
    )


def check_installation(machine: Machine) -> Finding:
    if bootstrap.installed():
        return Finding(True, "all packages as locked")
    return Finding(False, "not what the locks say", f"Run {bootstrap.ROOT / 'consort'}: it installs what is missing.")


def check_data_folder(machine: Machine) -> Finding:
    folder = existing(machine.data)
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        return Finding(
            False, f"{folder} cannot be written", "Make it yours, or give another: --data DIR, CONSORT_DATA."
        )
    return Finding(True, str(machine.data) + ("" if folder == machine.data else " (made at the first start)"))


def check_token(machine: Machine) -> Finding:
    try:
        mode = stat.S_IMODE((machine.data / "token").stat().st_mode)
    except FileNotFoundError:
        return Finding(None, "made at the first start")
    except OSError as error:
        return Finding(False, f"cannot be read: {error}", "Make the data folder yours.")
    if os.name != "nt" and mode != 0o600:
        return Finding(False, f"mode {mode:04o}: others can read it", f"chmod 600 '{machine.data / 'token'}'")
    return Finding(True, "there, and readable by you alone")


def check_disk(machine: Machine) -> Finding:
    free = shutil.disk_usage(existing(machine.data)).free // 2**20
    fix = "" if free >= NEEDED_DISK_MB else f"Make room: {NEEDED_DISK_MB} MB at least."
    return Finding(not fix, f"{free:,} MB free", fix)


def check_ports(machine: Machine) -> Finding:
    ports = {name: machine.port_base + part.port_offset for name, part in [("gateway", GATEWAY), *SERVICES.items()]}
    ports["postgres"] = machine.port_base + POSTGRES_PORT_OFFSET
    if running_stack(machine.data):
        return Finding(True, f"{machine.port_base} to {max(ports.values())}: ours, in use")
    busy = [f"{port} ({name})" for name, port in ports.items() if not is_free(port)]
    if busy:
        return Finding(
            False, f"taken by another program: {', '.join(busy)}", "End it, or start with: consort up --port-base N"
        )
    return Finding(True, f"{machine.port_base} to {max(ports.values())}: free")


def check_postgres(machine: Machine) -> Finding:
    if os.environ.get("CONSORT_DATABASE_URL"):
        return Finding(None, "not the embedded one: CONSORT_DATABASE_URL is set")
    reinstall = f"Remove {bootstrap.VENV} and run ./consort again, or give a CONSORT_DATABASE_URL."
    try:
        found = subprocess.run([find_binaries() / "postgres", "--version"], capture_output=True, text=True, timeout=30)
    except (PostgresError, OSError, subprocess.TimeoutExpired) as error:
        return Finding(False, str(error), reinstall)
    if found.returncode:
        return Finding(False, found.stderr.strip(), reinstall)
    return Finding(True, found.stdout.strip())


def check_studio(machine: Machine) -> Finding:
    if running_stack(machine.data) is None:
        return Finding(None, "does not run", "./consort up")
    parts = {"gateway": GATEWAY, **SERVICES}

    async def ask() -> list[bool]:
        return await asyncio.gather(
            *(probes.is_healthy(machine.port_base + part.port_offset) for part in parts.values())
        )

    down = [name for name, healthy in zip(parts, asyncio.run(ask()), strict=True) if not healthy]
    if down:
        return Finding(False, f"no healthy answer from {', '.join(down)}", f"See why: ./consort logs {down[0]}")
    return Finding(True, f"{len(parts)} parts healthy")


def check_claude_desktop(machine: Machine) -> Finding:
    if is_registered(CLIENTS["claude-desktop"], machine.data):
        return Finding(True, "Consort is registered")
    return Finding(None, "Consort is not registered", "./consort install claude-desktop")


CHECKS: dict[str, Callable[[Machine], Finding]] = {
    "Python": check_python,
    "installation": check_installation,
    "data folder": check_data_folder,
    "token": check_token,
    "disk": check_disk,
    "ports": check_ports,
    "Postgres": check_postgres,
    "studio": check_studio,
    "Claude Desktop": check_claude_desktop,
}
MARKS = {True: "✓", False: "✗", None: "–"}  # noqa: RUF001


def existing(path: Path) -> Path:
    """The path, or the nearest folder above it that is there."""
    return next(place for place in (path, *path.parents) if os.path.exists(place))


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do: a closed connection may linger
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
