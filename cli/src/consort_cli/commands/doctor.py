"""`consort doctor`: one small check after the other, each with what it found and how to mend it."""

import argparse
import asyncio
import codecs
import io
import json
import locale
import os
import platform
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from consort_cli import bootstrap, probes, sound
from consort_cli.commands.install import CLIENTS, is_found, state_of
from consort_cli.errors import PostgresError
from consort_cli.launch import wanted_port_base
from consort_cli.main import add_data_argument
from consort_cli.postgres import find_binaries
from consort_cli.probes import is_free, user_of
from consort_cli.run_folder import running_stack
from consort_kit.folders import data_folder
from consort_kit.services import GATEWAY, POSTGRES_PORT_OFFSET, SERVICES

NEEDED_DISK_MB = 500
NEEDED_MEMORY_MB = 500
"""The studio takes 280 MB when it has nothing to do."""


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
    base = stack.port_base if stack else wanted_port_base(data)
    findings = {name: check(Machine(data, base)) for name, check in CHECKS.items()}
    healthy = all(finding.ok is not False for finding in findings.values())
    if args.json:
        checks = [{"name": name, **finding._asdict()} for name, finding in findings.items()]
        print(json.dumps({"ok": healthy, "checks": checks}))
    else:
        show(findings)
    return 0 if healthy else 1


def show(findings: dict[str, Finding]) -> None:
    marks, arrow = {True: "✓", False: "✗", None: "–"}, "→"  # noqa: RUF001
    try:
        "✓✗–→".encode(sys.stdout.encoding or "utf-8")  # noqa: RUF001
    except UnicodeEncodeError:
        marks, arrow = {True: "+", False: "x", None: "-"}, ">"
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
    width = max(map(len, findings))
    for name, finding in findings.items():
        print(f"{marks[finding.ok]} {name:<{width}}  {finding.text}")
        if finding.fix:
            print(f"  {'':<{width}}  {arrow} {finding.fix}")


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


def check_memory(machine: Machine) -> Finding:
    import psutil

    free = psutil.virtual_memory().available // 2**20
    if free >= NEEDED_MEMORY_MB or running_stack(machine.data):
        return Finding(True, f"{free:,} MB free")
    return Finding(None, f"{free:,} MB free", f"End other programs: the studio wants {NEEDED_MEMORY_MB} MB.")


def check_locale(machine: Machine) -> Finding:
    encodings = {"files": sys.getfilesystemencoding(), "text": locale.getpreferredencoding(False)}
    if sys.stdout.encoding:
        encodings["this terminal"] = sys.stdout.encoding
    others = {name: encoding for name, encoding in encodings.items() if codecs.lookup(encoding).name != "utf-8"}
    if not others:
        return Finding(True, "UTF-8")
    found = ", ".join(f"{encoding} for {name}" for name, encoding in others.items())
    fix = "set PYTHONUTF8=1" if os.name == "nt" else "export LC_ALL=C.UTF-8"
    return Finding(None, f"{found}: some names may look odd", fix)


def check_ports(machine: Machine) -> Finding:
    ports = {name: machine.port_base + part.port_offset for name, part in [("gateway", GATEWAY), *SERVICES.items()]}
    if not os.environ.get("CONSORT_DATABASE_URL"):
        ports["postgres"] = machine.port_base + POSTGRES_PORT_OFFSET
    if running_stack(machine.data):
        return Finding(True, f"{machine.port_base} to {max(ports.values())}: ours, in use")
    busy = [f"{port} ({name}){user_of(port)}" for name, port in ports.items() if not is_free(port)]
    if busy:
        return Finding(
            False, f"taken by another program: {', '.join(busy)}", "End it, or start with: consort up --port-base N"
        )
    return Finding(True, f"{machine.port_base} to {max(ports.values())}: free")


def check_postgres(machine: Machine) -> Finding:
    if url := os.environ.get("CONSORT_DATABASE_URL"):
        return check_given_postgres(url)
    reinstall = f"Remove {bootstrap.VENV} and run ./consort again, or give a CONSORT_DATABASE_URL."
    try:
        found = subprocess.run([find_binaries() / "postgres", "--version"], capture_output=True, text=True, timeout=30)
    except (PostgresError, OSError, subprocess.TimeoutExpired) as error:
        return Finding(False, str(error), reinstall)
    if found.returncode:
        return Finding(False, found.stderr.strip(), reinstall)
    if sys.platform == "linux" and os.geteuid() == 0 and not shutil.which("setpriv"):
        return Finding(
            False,
            "does not run as root, and `setpriv`, which changes the user, is missing",
            "apt-get install util-linux, or start Consort as an ordinary user.",
        )
    return Finding(True, found.stdout.strip())


def check_given_postgres(url: str) -> Finding:
    from consort_kit.postgres import DatabaseAway, look_at_database

    try:
        version, has_vector = look_at_database(url, 0)
    except DatabaseAway as error:
        return Finding(False, str(error), "Correct CONSORT_DATABASE_URL, or unset it to run the embedded one.")
    text = f"PostgreSQL {version} at CONSORT_DATABASE_URL"
    if not has_vector:
        return Finding(False, f"{text}, without pgvector", "Install the extension `vector` there.")
    return Finding(True, f"{text}, with pgvector")


def check_bytes(machine: Machine) -> Finding:
    """Where the bytes of files are kept."""
    url = os.environ.get("CONSORT_BLOB_URL")
    if not url:
        return Finding(True, "kept in the data folder")
    from consort_kit.blobs import Blobs
    from consort_kit.errors import ServiceDown
    from consort_kit.settings import Settings

    try:
        asyncio.run(Blobs(Settings(data=machine.data, blob_url=url)).check())
    except (ServiceDown, RuntimeError, ValueError, OSError) as error:
        text = error.body.message.partition(". ")[0] if isinstance(error, ServiceDown) else str(error)
        return Finding(False, f"{url}: {text}", "Check CONSORT_BLOB_URL and the AWS_* variables (README, Settings).")
    return Finding(True, f"kept in {url}")


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


def check_client(name: str, machine: Machine) -> Finding:
    """Never bad: nobody uses all of them."""
    client = CLIENTS[name]
    install = f"./consort install {name}"
    if not is_found(client):
        return Finding(None, "not found here")
    return {
        "registered": Finding(True, "Consort is registered"),
        "absent": Finding(None, "Consort is not registered", install),
        "another": Finding(None, "another copy of Consort, or data folder, is registered", install),
        "unreadable": Finding(None, f"{client.config()} cannot be read", f"{install} says why"),
    }[state_of(client, machine.data)]


def check_docker(machine: Machine) -> Finding:
    """Never bad: only those who want containers need it."""
    try:
        asked = ["docker", "version", "--format", "{{.Server.Version}}"]
        found = subprocess.run(asked, capture_output=True, text=True, timeout=10)
    except FileNotFoundError:
        return Finding(None, "not there; only `docker compose up` needs it")
    except (OSError, subprocess.TimeoutExpired):
        found = None
    if found is None or found.returncode:
        return Finding(None, "its engine does not answer; only `docker compose up` needs it", "Start Docker.")
    return Finding(True, f"engine {found.stdout.strip()}")


def check_synth(machine: Machine) -> Finding:
    """Never bad: who has a MIDI device needs none."""
    from consort_playback.player import synth

    font = os.environ.get("CONSORT_SOUNDFONT") or None
    folders = (machine.data / "soundfonts",)
    if problem := synth.missing(font, folders):
        what, _, how = problem.partition(": ")
        return Finding(None, f"{what}; without it, music is heard on MIDI devices only", how)
    return Finding(True, f"FluidSynth with {synth.find_soundfont(font, folders)}")


def check_midi_ports(machine: Machine) -> Finding:
    """Never a failure: the built-in synth needs no MIDI port."""
    found = sound.midi_ports()
    if found is None:
        return Finding(None, "the MIDI system does not answer", "Restart it (ALSA, JACK), or this machine.")
    if not found:
        return Finding(None, "none; music is heard by the built-in synth", "Connect a MIDI device to use it.")
    return Finding(True, f"{len(found)}: {', '.join(found)}")


def check_sound(machine: Machine) -> Finding:
    """Never a failure: a MIDI device can be heard without the synth."""
    from consort_playback.player import synth

    font = synth.find_soundfont(os.environ.get("CONSORT_SOUNDFONT") or None, (machine.data / "soundfonts",))
    if font is None or not synth.find_library():
        return Finding(None, "the built-in synth is missing, so only MIDI devices are heard", "See: synth.")
    heard, where = sound.of_synth(font, os.environ.get("CONSORT_SYNTH_AUDIO") or synth.AUTO)
    if heard:
        return Finding(True, f"can be heard: {where}")
    return Finding(
        None, f"cannot be heard: {where}", "Connect a sound device or a MIDI device, or set CONSORT_SYNTH_AUDIO."
    )


def check_priority(machine: Machine) -> Finding:
    """Never bad: without it playback is less punctual."""
    from consort_playback.player import realtime

    allowed, why = realtime.allowed()
    fix = "" if allowed or os.name == "nt" else "Linux: join the group `audio` and allow it `rtprio` in limits.conf."
    return Finding(True if allowed else None, why, fix)


CHECKS: dict[str, Callable[[Machine], Finding]] = {
    "Python": check_python,
    "installation": check_installation,
    "data folder": check_data_folder,
    "token": check_token,
    "disk": check_disk,
    "memory": check_memory,
    "locale": check_locale,
    "ports": check_ports,
    "Postgres": check_postgres,
    "bytes": check_bytes,
    "studio": check_studio,
    "synth": check_synth,
    "sound": check_sound,
    "MIDI ports": check_midi_ports,
    "real time": check_priority,
    **{client.title: partial(check_client, name) for name, client in CLIENTS.items()},
    "Docker": check_docker,
}


def existing(path: Path) -> Path:
    """The path, or the nearest folder above it that is there."""
    return next(place for place in (path, *path.parents) if os.path.exists(place))
