"""A port as the agent names it to its children. Apart from `outputs`, so that the agent need not load rtmidi."""

import sys
from typing import Any, TypedDict

LONGEST_MESSAGE = {"jack": 16_000}
"""Bytes; rtmidi waits for ever to get a longer one into JACK's buffer."""
LONGEST_ELSEWHERE = 65_000


class PortSpec(TypedDict):
    api: str
    """`jack`, `alsa`, `coremidi`, `winmm`, or `synth`."""
    name: str
    nth: int
    """Which of several ports of one name."""
    is_virtual: bool
    synth: dict[str, Any]
    """For the synth: soundfont, and where its sound goes."""


def has_virtual_ports() -> bool:
    return sys.platform != "win32"
