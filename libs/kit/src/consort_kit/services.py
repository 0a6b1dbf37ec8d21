"""The services of the studio and their ports."""

from typing import NamedTuple


class StudioPart(NamedTuple):
    port_offset: int
    """The part's port is the port base (8700 by default) plus this."""
    module: str
    """The process is `python -m MODULE`."""


SERVICES: dict[str, StudioPart] = {
    "compose": StudioPart(1, "consort_compose"),
    "midi-store": StudioPart(2, "consort_midi_store"),
    "audio": StudioPart(3, "consort_audio"),
    "strudel": StudioPart(4, "consort_strudel"),
    "playback": StudioPart(5, "consort_playback"),
}
DATABASE_SCHEMAS = {
    "compose": "consort_compose.migrations",
    "midi_store": "consort_midi_store.migrations",
    "audio": "consort_audio.migrations",
    "strudel": "consort_strudel.migrations",
}
"""The schemas in Postgres, each with the package of its migrations."""
GATEWAY = StudioPart(0, "consort_gateway")
STUDIO_PARTS = {**SERVICES, "gateway": GATEWAY}
POSTGRES_PORT_OFFSET = 6
DEFAULT_PORT_BASE = 8700
