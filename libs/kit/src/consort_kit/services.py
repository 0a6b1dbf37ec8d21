"""The parts of the studio and where they listen: the one table that launcher, gateway and clients share."""

from typing import NamedTuple


class Part(NamedTuple):
    port_offset: int
    """Added to the port base (8700 by default)."""
    module: str
    """Started as `python -m MODULE`."""


SERVICES: dict[str, Part] = {
    "compose": Part(1, "consort_compose"),
    "midi-store": Part(2, "consort_midi_store"),
    "audio": Part(3, "consort_audio"),
    "strudel": Part(4, "consort_strudel"),
    "playback": Part(5, "consort_playback"),
}
GATEWAY = Part(0, "consort_gateway")
POSTGRES_PORT_OFFSET = 6
DEFAULT_PORT_BASE = 8700
