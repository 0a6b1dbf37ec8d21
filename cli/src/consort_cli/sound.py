"""Find out which MIDI and audio devices work on this machine. Child processes do it, because such a call can hang."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_TIMEOUT_S = 10.0

_PORTS = """
import json
from consort_playback.child_programs.list_ports import PortLister
lister = PortLister()
ports = lister.list_ports()
lister.close()
print(json.dumps(ports))
"""
_SOUND = """
import json, os, sys
from consort_playback.child_programs.synth import Synth
from consort_playback.protocol.commands import SynthOptions
print(json.dumps(Synth(SynthOptions(sys.argv[1], sys.argv[2])).describe()), flush=True)
os._exit(0)
"""
_PRIORITY = """
import json
from consort_playback.child_programs.realtime import set_realtime_priority
print(json.dumps(set_realtime_priority()))
"""


def midi_ports() -> list[str] | None:
    """Return the names of the MIDI outputs, or None if the MIDI system does not answer."""
    found = _run(_PORTS)
    return None if found is None else [name for names in found.values() for name in names or []]


def of_synth(soundfont: Path, audio: str) -> tuple[bool, str]:
    """Return whether the built-in synth can be heard, and where its sound goes or why it is silent."""
    where = _run(_SOUND, str(soundfont), audio) or "the sound system does not answer"
    return where.startswith("sound "), where


def realtime_priority() -> tuple[bool, str]:
    """Return whether playback gets a real-time priority, and a text that says which one, or why not."""
    is_realtime, why = _run(_PRIORITY) or (False, "could not be found out")
    return is_realtime, why


def _run(program: str, *arguments: str) -> Any:
    """Return the JSON that a Python program prints, or None if the program fails or hangs."""
    command = [sys.executable, "-P", "-c", program, *arguments]
    environment = {**os.environ, "JACK_NO_START_SERVER": "1"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S)
        return json.loads(done.stdout.splitlines()[-1])  # libraries may have printed before
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError):
        return None
