"""The tables of the README say what is true."""

import re

from consort_cli.bootstrap import ROOT
from consort_cli.main import COMMANDS
from consort_gateway.catalogue import load_catalogue
from consort_gateway.settings import GatewaySettings
from consort_kit.services import DEFAULT_PORT_BASE, GATEWAY, POSTGRES_PORT_OFFSET, SERVICES
from consort_midi_store.settings import MidiStoreSettings
from consort_playback.settings import PlaybackSettings

README = (ROOT / "README.md").read_text("utf-8")


def table(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, without their backticks."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in row] for row in rows[2:]]


def test_tools() -> None:
    assert sorted(table("Tools")) == sorted([tool.name, tool.toolset, tool.title] for tool in load_catalogue())


def test_parts_and_ports() -> None:
    offsets = {"gateway": GATEWAY.port_offset, **{name: part.port_offset for name, part in SERVICES.items()}}
    offsets["postgres"] = POSTGRES_PORT_OFFSET
    assert [row[:2] for row in table("Parts")] == [
        [name, str(DEFAULT_PORT_BASE + offset)] for name, offset in offsets.items()
    ]


def test_commands() -> None:
    assert table("Commands") == [[name, text] for name, text in COMMANDS.items()]


def test_settings() -> None:
    fields = {**GatewaySettings.model_fields, **MidiStoreSettings.model_fields, **PlaybackSettings.model_fields}
    for variable, meaning in table("Settings"):
        assert fields[variable.removeprefix("CONSORT_").lower()].description == meaning


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
