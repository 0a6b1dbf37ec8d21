"""Can music be heard on this machine? Asked in a child process: a call into the MIDI or sound system can hang."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_TIMEOUT_S = 10.0

_PORTS = """
import json, socket
from consort_playback.player.scout import Scout
scout = Scout(socket.socket())
found = scout.look()
scout.close()
print(json.dumps(found))
"""
_SOUND = """
import json, os, sys
from consort_playback.player.synth import Synth
print(json.dumps(Synth({"soundfont": sys.argv[1], "audio": sys.argv[2]}).describe()), flush=True)
os._exit(0)
"""


def midi_ports() -> list[str] | None:
    """Return the names of the MIDI outputs; None if the MIDI system does not answer."""
    found = _answer_of(_PORTS)
    return None if found is None else [name for names in found.values() for name in names or []]


def of_synth(soundfont: Path, audio: str) -> tuple[bool, str]:
    """Return whether the built-in synth can be heard, and where its sound goes or why it is silent."""
    where = _answer_of(_SOUND, str(soundfont), audio) or "the sound system does not answer"
    return where.startswith("sound "), where


def _answer_of(program: str, *arguments: str) -> Any:
    """Return the JSON that a Python program prints; None if it fails or hangs."""
    command = [sys.executable, "-P", "-c", program, *arguments]
    environment = {**os.environ, "JACK_NO_START_SERVER": "1"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S)
        return json.loads(done.stdout.splitlines()[-1])  # libraries may have printed before
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError):
        return None
