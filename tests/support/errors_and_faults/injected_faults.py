"""Faults that tests cause on purpose, and the tools that they call meanwhile. Add rows here for a new service."""

import base64
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import httpx2
import psutil

from consort_kit.processes.studio_state import read_studio_state
from consort_kit.services import SERVICES
from evaluation.processes.servers import listens
from tests.support.servers.studio import Studio

READING_TOOLS = {
    "compose": "list_songs",
    "midi-store": "list_midi",
    "audio": "list_audio",
    "strudel": "list_projects",
    "playback": "get_playback",
}
"""One tool that reads, for every service that has tools."""

STORING_TOOLS = {
    "compose": "create_song",
    "midi-store": "store_midi",
    "audio": "store_audio",
    "strudel": "create_project",
}
"""For every service that stores data, the tool that clients keep calling during a fault."""

ONE_CLIENT = {"store_audio", "create_project"}
"""Tools that only one client calls during a fault, because each call is costly."""

SERVICES_WITHOUT_STORAGE = {"playback"}
"""Services whose tools store nothing."""


def same_file(studio: Studio, answer: dict[str, Any]) -> bool:
    row = studio.call("get_midi", midi_file_id=answer["midi_file_id"], include_base64=True)
    return bool(row["base64"] == answer["sent"]["base64"])


def same_song(studio: Studio, answer: dict[str, Any]) -> bool:
    row = studio.call("get_song_info", song_id=answer["song_id"])
    return bool((row["title"], row["tracks"]) == (answer["sent"]["title"], ["Lead: Flute"]))


def same_project(studio: Studio, answer: dict[str, Any]) -> bool:
    row = studio.call("get_song", project_name=answer["project_name"])
    return bool(row["script"] == answer["sent"]["initial_script"])


def same_audio(studio: Studio, answer: dict[str, Any]) -> bool:
    info = studio.call("get_audio_info", audio_file_id=answer["audio_file_id"])
    return httpx2.get(info["download_url"]).content == base64.b64decode(answer["sent"]["base64"])


STILL_THERE: dict[str, Callable[[Studio, dict[str, Any]], bool]] = {
    "store_midi": same_file,
    "create_song": same_song,
    "store_audio": same_audio,
    "create_project": same_project,
}
"""For every storing tool, a function that returns whether a result, with its arguments in `sent`, is still stored."""


@dataclass(frozen=True)
class InjectedFault:
    name: str
    cause: Callable[[Studio], None]


def pid_of(studio: Studio, part: str) -> int:
    pid: int = studio.status()["services"][part]["pid"]
    return pid


def kill(part: str) -> Callable[[Studio], None]:
    return lambda studio: os.kill(pid_of(studio, part), signal.SIGKILL)


def end(part: str) -> Callable[[Studio], None]:
    return lambda studio: os.kill(pid_of(studio, part), signal.SIGTERM)


def hang(part: str) -> Callable[[Studio], None]:
    return lambda studio: os.kill(pid_of(studio, part), signal.SIGSTOP)


def kill_backend(studio: Studio) -> None:
    """Kill one Postgres process that serves a client. Postgres then restarts all of them."""
    for child in psutil.Process(pid_of(studio, "postgres")).children(recursive=True):
        if "midi_store" in " ".join(child.cmdline()) or " consort " in " ".join(child.cmdline()):
            child.kill()
            return
    raise AssertionError("no backend was found")


def kill_while_a_stranger_waits(part: str) -> Callable[[Studio], None]:
    """Return a fault: kill a service, and let another program try to take its port until it listens again."""

    def cause(studio: Studio) -> None:
        port, tries = int(studio.url_of(part).rpartition(":")[2]), 0
        before = pid_of(studio, part)
        os.kill(before, signal.SIGKILL)
        while pid_of_file(studio, part) in (None, before) or not listens(port):
            with socket.socket() as stranger:
                stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                with suppress(OSError):
                    stranger.bind(("127.0.0.1", port))
                    stranger.listen()
                    raise AssertionError(f"another program could take port {port}")
            tries += 1
            time.sleep(0.002)
        assert tries

    return cause


def pid_of_file(studio: Studio, part: str) -> int | None:
    state = read_studio_state(studio.data)
    return state.services[part].pid if state else None


def many_connections_that_wait(studio: Studio) -> None:
    """Open connections to the gateway and to all services, and send half a request on each."""
    ports = [studio.port_base, *(int(studio.url_of(part).rpartition(":")[2]) for part in SERVICES)]
    with ExitStack() as connections:
        for port in ports * 80:
            each = connections.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            each.sendall(b"POST /mcp HTTP/1.1\r\nX-A: ")
        time.sleep(2)


def kill_children(part: str) -> Callable[[Studio], None]:
    """Kill all processes that a service started: its workers, the Strudel engine, a browser."""

    def kill_them(studio: Studio) -> None:
        for child in psutil.Process(pid_of(studio, part)).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()

    return kill_them


FAULTS = [
    *(InjectedFault(f"kill -9 {part}", kill(part)) for part in ("strudel", "gateway", "postgres")),
    InjectedFault("kill -9 a Postgres backend", kill_backend),
    InjectedFault("midi-store ends by itself", end("midi-store")),
    InjectedFault("midi-store hangs", hang("midi-store")),
    InjectedFault("connections that wait", many_connections_that_wait),
]

MORE_FAULTS = [
    *(
        InjectedFault(f"kill -9 {part} while a stranger waits", kill_while_a_stranger_waits(part))
        for part in ("midi-store", "playback")
    ),
    *(InjectedFault(f"kill -9 {part}", kill(part)) for part in SERVICES if part != "strudel"),
    *(InjectedFault(f"{part} hangs", hang(part)) for part in READING_TOOLS if part != "midi-store"),
    *(InjectedFault(f"{part} ends by itself", end(part)) for part in ("gateway", "compose", "audio", "strudel")),
    *(
        InjectedFault(f"kill -9 the children of {part}", kill_children(part))
        for part in ("audio", "compose", "strudel")
    ),
]
"""Further faults for `consort test --all`: other services that are killed, hang, or lose their child processes."""

HOSTILE_TEXTS = {
    "SQL": "'; drop table midi_store.files; --",
    "SQL union": "x' union select rolpassword from pg_authid --",
    "format": "%s%n{0}{{7*7}}${jndi:ldap://x}",
    "markup": "<script>alert(1)</script>",
    "long": "x" * 100_000,
    "many lines": "C4 1\n" * 20_000,
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
"""Values for every text field of every tool."""
