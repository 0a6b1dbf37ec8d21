"""What is broken, and which calls try it. A new service or tool joins by a row here, not by new code."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil

from consort_kit.ids import new_id
from consort_kit.services import SERVICES
from tests.midi_files import as_base64, tune
from tests.studio import Studio

EXAMPLES: dict[str, Callable[[], dict[str, Any]]] = {
    "store_midi": lambda: {"base64": as_base64(tune(3)), "name": f"{new_id('fault')}.mid"},
    "get_midi": lambda: {"path": "kept.mid"},
    "list_midi": lambda: {"limit": 5},
    "export_midi": lambda: {"path": "kept.mid", "export_name": f"{new_id('fault')}.mid"},
    "delete_midi": lambda: {"midi_file_id": new_id("midi")},
    "read_midi_notes": lambda: {"path": "kept.mid", "limit": 5},
    "validate_midi": lambda: {"midi_text": "tempo 120\nC4 80\n"},
    "transform_midi": lambda: {"path": "kept.mid", "operations": [{"type": "transpose", "semitones": 2}]},
    "render_piano_roll": lambda: {"path": "kept.mid"},
}
"""For every tool: arguments that are in order (a file `kept.mid` is stored)."""

PROBES = {"midi-store": "list_midi"}
"""For every service that has tools: one that reads."""

KEEPERS = {"midi-store": "store_midi"}
"""For every service that keeps things: the tool that is called all the time while something breaks."""


@dataclass(frozen=True)
class Fault:
    name: str
    inflict: Callable[[Studio], None]


def pid_of(studio: Studio, part: str) -> int:
    pid: int = studio.status()["services"][part]["pid"]
    return pid


def kill(part: str) -> Callable[[Studio], None]:
    return lambda studio: os.kill(pid_of(studio, part), signal.SIGKILL)


def hang(part: str) -> Callable[[Studio], None]:
    return lambda studio: os.kill(pid_of(studio, part), signal.SIGSTOP)


def kill_backend(studio: Studio) -> None:
    """One Postgres process that serves a client: Postgres then restarts all of them."""
    for child in psutil.Process(pid_of(studio, "postgres")).children(recursive=True):
        if "midi_store" in " ".join(child.cmdline()) or " consort " in " ".join(child.cmdline()):
            child.kill()
            return
    raise AssertionError("no backend was found")


FAULTS = [
    *(Fault(f"kill -9 {part}", kill(part)) for part in (*SERVICES, "gateway", "postgres")),
    Fault("kill -9 a Postgres backend", kill_backend),
    *(Fault(f"{part} hangs", hang(part)) for part in PROBES),
]

HOSTILE_TEXTS = {
    "SQL": "'; drop table midi_store.files; --",
    "SQL union": "x' union select rolpassword from pg_authid --",
    "format": "%s%n{0}{{7*7}}${jndi:ldap://x}",
    "markup": "<script>alert(1)</script>",
    "long": "x" * 100_000,
    "NUL": "a\0b",
    "half a surrogate pair": "a\ud800b",
    "direction": "a\u202egpj.b",
    "newlines": "a\r\nX-Evil: 1\r\n\r\nb",
    "absolute": "/etc/passwd",
    "parent": "../../../../etc/passwd",
    "parent in a folder": "import/../../token",
    "backslash": "..\\..\\token",
    "drive": "C:\\Windows\\win.ini",
    "reserved": "con.mid",
    "300 characters": "n" * 300,
    "link": "import/link-out.mid",
    "empty": "",
    "dots": "..",
}
"""Put into every string of every tool."""
