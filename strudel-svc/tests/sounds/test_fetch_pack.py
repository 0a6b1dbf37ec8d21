"""Fetching a sample pack from a server: complete, checked, continued after an interruption."""

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from consort_strudel.packs import KnownPack
from consort_strudel.sounds.fetch_pack import Addresses, PackProblem, fetch_pack
from consort_strudel.sounds.library import open_library

PACK = KnownPack("kit", "github:somebody/kit", "somebody/kit", "CC0-1.0", False, {"kick": 1, "tone": 1})
FILES = {"kick/one #1.wav": b"kick" * 5000, "tone/c4.wav": b"tone" * 3000}
MAP = {
    "_base": "https://raw.githubusercontent.com/somebody/kit/main/",
    "kick": ["kick/one %231.wav"],
    "tone": {"c4": "tone/c4.wav"},
}


class PackServer(ThreadingHTTPServer):
    """Plays the part of GitHub."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = dict(FILES)
        self.sent: list[tuple[str, str | None]] = []
        """Paths and ranges of files that were asked for."""
        self.cut_after: int | None = None
        """Bytes of a file after which the connection breaks."""

    @property
    def addresses(self) -> Addresses:
        url = f"http://127.0.0.1:{self.server_port}"
        return Addresses(f"{url}/raw", f"{url}/api")


class _Handler(BaseHTTPRequestHandler):
    server: PackServer

    def do_GET(self) -> None:
        path = unquote(self.path)
        if path == "/raw/somebody/kit/main/strudel.json":
            return self._send(json.dumps(MAP).encode())
        if path == "/api/repos/somebody/kit/git/trees/main?recursive=1":
            rows = [
                {"type": "blob", "path": name, "size": len(data), "sha": _sha(data)} for name, data in FILES.items()
            ]
            return self._send(json.dumps({"tree": rows}).encode())
        name = path.removeprefix("/raw/somebody/kit/main/")
        asked = self.headers.get("Range")
        self.server.sent.append((name, asked))
        data = self.server.files[name]
        if asked:
            return self._send(data[int(asked.removeprefix("bytes=").rstrip("-")) :], 206)
        return self._send(data)

    def _send(self, data: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        is_cut = self.server.cut_after is not None and len(data) > self.server.cut_after
        self.wfile.write(data[: self.server.cut_after] if is_cut else data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _sha(data: bytes) -> str:
    return hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()


@pytest.fixture
def server() -> Iterator[PackServer]:
    with PackServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def fetch(server: PackServer, data: Path) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    fetch_pack(PACK, data / "sounds", lambda done, count: told.append((done, count)), server.addresses)
    return told


def test_a_fetched_pack_is_part_of_the_library(server: PackServer, tmp_path: Path) -> None:
    assert fetch(server, tmp_path) == [(1, 2), (2, 2)]
    library = open_library(tmp_path)
    assert library.samples["kick"] == ["packs/kit/kit/kick/one #1.wav"]
    assert library.samples["tone"] == {"c4": ["packs/kit/kit/tone/c4.wav"]}
    path = library.path("packs/kit/kit/tone/c4.wav")
    assert path is not None and path.read_bytes() == FILES["tone/c4.wav"]
    assert [(origin.name, origin.licence) for origin in library.origins if origin.folder == "packs/kit"] == [
        ("kit", "CC0-1.0")
    ]


def test_what_is_complete_is_not_downloaded_again(server: PackServer, tmp_path: Path) -> None:
    fetch(server, tmp_path)
    before = open_library(tmp_path).fingerprint
    server.sent.clear()
    fetch(server, tmp_path)
    assert server.sent == []
    assert open_library(tmp_path).fingerprint == before


def test_an_interrupted_file_is_continued(server: PackServer, tmp_path: Path) -> None:
    server.cut_after = 15_000  # breaks the larger file
    with pytest.raises(PackProblem, match="ended"):
        fetch(server, tmp_path)
    assert "kick" not in open_library(tmp_path).samples
    server.cut_after = None
    server.sent.clear()
    fetch(server, tmp_path)
    assert ("kick/one #1.wav", "bytes=15000-") in server.sent
    assert (tmp_path / "sounds/kit/kit/kick/one #1.wav").read_bytes() == FILES["kick/one #1.wav"]


def test_a_damaged_file_is_refused(server: PackServer, tmp_path: Path) -> None:
    server.files["tone/c4.wav"] = b"evil" * 3000
    with pytest.raises(PackProblem, match="damaged"):
        fetch(server, tmp_path)
    assert "tone" not in open_library(tmp_path).samples
