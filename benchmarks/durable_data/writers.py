"""Clients that keep storing things, each with another content, and the ledger of what was acknowledged."""

import base64
import hashlib
import os
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.support.running_studio import CONSORT
from consort_cli.mcp_client import McpConnection
from consort_kit.ids import new_id
from evaluation.processes.servers import free_port_base

FILE_CLIENTS = 3


class OwnStudio:
    """A studio in a folder of its own, driven by the command line and over MCP."""

    def __init__(self, data: Path) -> None:
        self.data = data
        port_base = free_port_base()
        ours = {name: value for name, value in os.environ.items() if not name.startswith("CONSORT_")}
        settings = {"CONSORT_DATA": str(data), "CONSORT_PORT_BASE": str(port_base), "CONSORT_SYNTH_AUDIO": "none"}
        self.environment = {**ours, **settings, "CONSORT_SENTENCE_MODEL": str(data / "no-model")}
        self._url = f"http://127.0.0.1:{port_base}"

    def consort(self, *arguments: str) -> str:
        done = subprocess.run([*CONSORT, *arguments], env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode and arguments[0] != "status":
            raise RuntimeError(done.stdout + done.stderr)
        return done.stdout

    def connect(self) -> McpConnection:
        return McpConnection(self._url, (self.data / "token").read_text().strip(), client="bench")

    def call(self, tool: str, **arguments: Any) -> Any:
        connection = self.connect()
        try:
            ok, result = connection.call_tool(tool, arguments)
        finally:
            connection.close()
        if not ok:
            raise RuntimeError(f"{tool}: {result}")
        return result


def midi_file(number: int) -> bytes:
    """Return a small file that is different for each number."""
    notes = b"".join(bytes([0, 0x90, 36 + (number >> shift) % 64, 80, 96, 0x80, 60, 0]) for shift in range(0, 24, 3))
    text = f"{number}".encode()
    track = bytes([0, 0xFF, 3, len(text)]) + text + notes + bytes([0, 0xFF, 0x2F, 0])
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(track)) + track


class Ledger:
    """What was acknowledged: the checksums of files, the titles of songs and the scripts of projects."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.songs: dict[str, str] = {}
        self.projects: dict[str, str] = {}
        self.errors = 0
        self._numbers = count(1)

    def __len__(self) -> int:
        return len(self.files) + len(self.songs) + len(self.projects)

    def store_file(self, connection: McpConnection) -> bool:
        number = next(self._numbers)
        content = midi_file(number)
        arguments = {"base64": base64.b64encode(content).decode(), "name": f"{new_id('bench')}.mid"}
        ok, result = connection.call_tool("store_midi", arguments)
        if ok:
            self.files[result["midi_file_id"]] = hashlib.sha256(content).hexdigest()
        return ok

    def create_song(self, connection: McpConnection) -> bool:
        title = new_id("song")
        ok, result = connection.call_tool("create_song", {"title": title, "tracks": {"Lead": "Flute"}})
        if ok:
            self.songs[result["song_id"]] = title
        return ok

    def create_project(self, connection: McpConnection) -> bool:
        name = new_id("project")
        script = f'$: s("bd*{next(self._numbers) % 100 + 1}")'
        ok, _ = connection.call_tool("create_project", {"name": name, "initial_script": script})
        if ok:
            self.projects[name] = script
        return ok

    def lost(self, studio: OwnStudio) -> list[str]:
        """Return the ids of what was acknowledged and is not there, or is something else."""
        connection = studio.connect()
        lost = []
        for file_id, checksum in self.files.items():
            ok, found = connection.call_tool("get_midi", {"midi_file_id": file_id, "include_base64": True})
            if not ok or hashlib.sha256(base64.b64decode(found["base64"])).hexdigest() != checksum:
                lost.append(file_id)
        for song_id, title in self.songs.items():
            ok, found = connection.call_tool("get_song_info", {"song_id": song_id})
            if not ok or found["title"] != title:
                lost.append(song_id)
        for name, script in self.projects.items():
            ok, found = connection.call_tool("get_song", {"project_name": name})
            if not ok or found["script"] != script:
                lost.append(name)
        connection.close()
        return lost


@contextmanager
def writing(studio: OwnStudio, ledger: Ledger, pause_s: float = 0.0) -> Iterator[None]:
    """Keep storing files, songs and projects until the context ends."""
    done = threading.Event()

    def client(store: Any) -> None:
        connection = studio.connect()
        while not done.is_set():
            if not store(connection):
                ledger.errors += 1
                done.wait(0.05)
            done.wait(pause_s)
        connection.close()

    stores = [*[ledger.store_file] * FILE_CLIENTS, ledger.create_song, ledger.create_project]
    threads = [threading.Thread(target=client, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()
