"""`consort call` in a terminal does not fill it with the bytes of a picture; in a pipe they are all there."""

import base64
import json
import os
import pty
import subprocess

from tests.support.servers.studio import CONSORT, Studio


def test_pictures_are_named_in_a_terminal_and_whole_in_a_pipe(studio: Studio) -> None:
    call = [*CONSORT, "call", "midi_to_notation", "music=C4:q D4:q E4:h"]
    piped = json.loads(subprocess.run(call, env=studio.environment, capture_output=True, check=True).stdout)
    picture = base64.b64decode(piped["content"][0]["data"])
    assert picture.startswith(b"\x89PNG")
    terminal, inside = pty.openpty()
    with subprocess.Popen(call, env=studio.environment, stdout=inside) as running:
        os.close(inside)
        shown = b""
        while part := read(terminal):
            shown += part
    os.close(terminal)
    assert running.returncode == 0
    first, text = json.loads(shown)["content"]
    assert f"{len(picture) // 1000}," in first["data"] and "bytes" in first["data"]
    assert "sheet_music_url" in text["text"] and len(shown) < 5_000


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # how Linux says that the other side is closed
        return b""
