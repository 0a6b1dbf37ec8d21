"""The MCP bundle: the tool for bundles accepts it, the same files make the same bundle, and it starts anywhere."""

import asyncio
import hashlib
import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from consort_cli.bootstrap import ROOT, UV
from consort_gateway.tools.catalogue import load_catalogue
from consort_kit import API_VERSION
from evaluation.mcp_answers import answer_of
from evaluation.processes.servers import free_port_base
from tests.support.registry_entry import ENTRY_SCHEMA
from tests.support.servers import npm_programs
from tests.support.servers.studio import CONSORT

URL = "https://example.org/consort.mcpb"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("bundle") / "consort.mcpb"
    subprocess.run([*CONSORT, "bundle", "--output", target, "--url", URL], check=True)
    return target


def manifest_of(bundle: Path) -> dict[str, Any]:
    with zipfile.ZipFile(bundle) as archive:
        manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
    return manifest


def test_the_manifest_names_version_program_and_tools(bundle: Path) -> None:
    manifest = manifest_of(bundle)
    assert manifest["version"] == API_VERSION and manifest["server"]["type"] == "uv"
    with zipfile.ZipFile(bundle) as archive:
        names = set(archive.namelist())
    assert manifest["server"]["entry_point"] in names
    assert [each["name"] for each in manifest["tools"]] == [tool.name for tool in load_catalogue()]
    assert {f"consort/{name}" for name in ("pyproject.toml", "consort", "cli/requirements.lock", "LICENSE")} <= names
    assert not [name for name in names if "/tests/" in name or "__pycache__" in name or "node_modules" in name]


def test_the_entry_for_the_registry_has_the_hash_of_the_bundle(bundle: Path) -> None:
    entry = json.loads(bundle.with_name("server.json").read_text())
    Draft7Validator(ENTRY_SCHEMA).validate(entry)
    assert entry["version"] == API_VERSION
    assert entry["packages"] == [
        {
            "registryType": "mcpb",
            "identifier": URL,
            "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
            "transport": {"type": "stdio"},
        }
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "consort"),
        ("description", "x" * 101),
        ("version", "latest"),
        ("version", "^0.2"),
        ("licence", "x"),
    ],
)
def test_the_rules_of_the_registry_reject_a_wrong_entry(field: str, value: str) -> None:
    entry = json.loads((ROOT / "server.json").read_text())
    rules = Draft7Validator(ENTRY_SCHEMA)
    assert rules.is_valid(entry) and not rules.is_valid({**entry, field: value})


def test_the_same_files_make_the_same_bundle(bundle: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.mcpb"
    subprocess.run([*CONSORT, "bundle", "--output", again], check=True)
    assert again.read_bytes() == bundle.read_bytes()


@pytest.mark.long
def test_the_tool_for_bundles_accepts_it(bundle: Path, tmp_path: Path) -> None:
    modules = npm_programs.install(Path(__file__).parent / "mcpb")

    def mcpb(*arguments: str | Path) -> str:
        environment = {**os.environ, "PATH": npm_programs.PATH}
        command = [modules / ".bin" / "mcpb", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    mcpb("unpack", bundle, tmp_path / "unpacked")
    assert "passes" in mcpb("validate", tmp_path / "unpacked" / "manifest.json")
    assert f"consort-{API_VERSION}.mcpb" in mcpb("pack", tmp_path / "unpacked", tmp_path / "packed.mcpb")


@pytest.mark.long
@pytest.mark.timeout(900)
def test_it_starts_on_a_new_machine(bundle: Path, tmp_path: Path) -> None:
    """Run the command of the manifest, as the assistant does, with an empty home folder. This downloads packages."""
    home, folder = tmp_path / "home", tmp_path / "extension"
    home.mkdir()
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    command = manifest_of(bundle)["server"]["mcp_config"]
    settings = {"HOME": str(home), "CONSORT_PORT_BASE": str(free_port_base()), "CONSORT_READ_ONLY": "false"}
    environment = {**os.environ, **settings}
    assert command["command"] == "uv"
    arguments = [each.replace("${__dirname}", str(folder)) for each in command["args"]]

    async def main() -> None:
        server = StdioServerParameters(command=str(UV), args=arguments, env=environment)
        async with Client(stdio_client(server)) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert {tool.name for tool in load_catalogue()} <= listed
            checked = await client.call_tool("validate_script", {"script_content": 's("bd*4").lpf(800)'})
            assert not checked.is_error and answer_of(checked)["valid"], checked.content

    try:
        asyncio.run(main())
    finally:
        consort = folder / "consort" / ".venv" / "bin" / "consort"
        subprocess.run([consort, "down"], env=environment, check=True)
