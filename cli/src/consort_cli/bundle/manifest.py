"""What a bundle says of itself (`manifest.json`), and its entry for a registry of MCP servers (`server.json`)."""

import json
from typing import Any

from consort_cli.bootstrap import ROOT
from consort_gateway.tools.catalogue import load_catalogue
from consort_kit import API_VERSION

SERVER_JSON = ROOT / "server.json"
_SETTINGS = {
    "read_only": {
        "type": "boolean",
        "title": "Read only",
        "description": "Offer only tools that change nothing.",
        "default": False,
    },
    "tool_search": {
        "type": "boolean",
        "title": "Tool search",
        "description": "Offer two tools that find and call all others, which saves tokens.",
        "default": False,
    },
}


def manifest() -> dict[str, Any]:
    """Return the manifest, in version 0.4 of its format, the first with the server type `uv`."""
    server = server_entry()
    return {
        "manifest_version": "0.4",
        "name": "consort",
        "display_name": server["title"],
        "version": API_VERSION,
        "description": server["description"],
        "long_description": "Consort runs on this machine and sends nothing elsewhere. The first start downloads"
        " its packages and models (about 1 GB on disk), which takes a minute or more; if the assistant says that it is"
        " not connected, switch it off and on again. Sheet music, piano rolls and players open in your browser.",
        "author": {"name": "The Consort developers"},
        "license": "Apache-2.0",
        "keywords": ["music", "composition", "MIDI", "sheet music", "practice", "Strudel"],
        "server": {
            "type": "uv",
            "entry_point": "start.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "start.py"],
                "env": {f"CONSORT_{name.upper()}": f"${{user_config.{name}}}" for name in _SETTINGS},
            },
        },
        "tools": [{"name": tool.name, "description": tool.summary} for tool in load_catalogue()],
        "prompts_generated": True,
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": ">=3.11,<3.13"}},
        "user_config": _SETTINGS,
    }


def server_entry() -> dict[str, Any]:
    entry: dict[str, Any] = json.loads(SERVER_JSON.read_text("utf-8"))
    return entry


def published_entry(url: str, sha256: str) -> dict[str, Any]:
    """Return the entry for the registry, with the address and the hash of the bundle."""
    package = {"registryType": "mcpb", "identifier": url, "fileSha256": sha256, "transport": {"type": "stdio"}}
    return {**server_entry(), "packages": [package]}
