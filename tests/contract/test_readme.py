"""Check the tables of README.md and docs/running.md against the code."""

import re
from itertools import dropwhile, takewhile

from consort_audio.settings import AudioSettings
from consort_cli.bootstrap import ROOT
from consort_cli.main import COMMANDS
from consort_gateway.settings import GatewaySettings
from consort_kit.services import DEFAULT_PORT_BASE, GATEWAY, POSTGRES_PORT_OFFSET, SERVICES
from consort_midi_store.settings import MidiStoreSettings
from consort_playback.settings import PlaybackSettings

DOCUMENTS = {name: (ROOT / name).read_text("utf-8") for name in ("README.md", "docs/running.md")}


def table(heading: str) -> list[list[str]]:
    """Return the rows of the first table below a heading, without backticks."""
    section = "\n".join(DOCUMENTS.values()).split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = dropwhile(lambda line: not line.startswith("|"), section.splitlines())
    rows = [line.strip("|").split("|") for line in takewhile(lambda line: line.startswith("|"), lines)]
    return [[cell.strip().replace("`", "") for cell in row] for row in rows[2:]]


def test_parts_and_ports() -> None:
    offsets = {"gateway": GATEWAY.port_offset, **{name: part.port_offset for name, part in SERVICES.items()}}
    offsets["postgres"] = POSTGRES_PORT_OFFSET
    assert [row[:2] for row in table("Parts")] == [
        [name, str(DEFAULT_PORT_BASE + offset)] for name, offset in offsets.items()
    ]


def test_commands() -> None:
    assert table("Commands") == [[name, text] for name, text in COMMANDS.items()]


def test_settings() -> None:
    settings = (GatewaySettings, MidiStoreSettings, AudioSettings, PlaybackSettings)
    fields = {name: field for each in settings for name, field in each.model_fields.items()}
    rows = table("Settings")
    assert len(rows) > 10
    for variable, meaning in rows:
        assert fields[variable.removeprefix("CONSORT_").lower()].description == meaning


def test_link_targets_exist() -> None:
    targets = [
        (ROOT / name).parent / target
        for name, text in DOCUMENTS.items()
        for target in re.findall(r"\]\(([^)#:]+)\)", text)
    ]
    assert targets and [target for target in targets if not target.exists()] == []
