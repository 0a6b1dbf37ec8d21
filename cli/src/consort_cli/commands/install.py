"""`consort install CLIENT`: register `consort mcp` with an assistant, beside whatever else is registered there."""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from consort_cli import bootstrap
from consort_cli.main import add_data_argument
from consort_kit.folders import data_folder, default_data_folder

NAME = "consort"


class Client(NamedTuple):
    title: str
    config: Callable[[], Path]
    """Its configuration file, a JSON object."""
    servers: str
    """The key there under which MCP servers stand by name."""


def claude_desktop_config() -> Path:
    if sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "Claude" / "claude_desktop_config.json"


CLIENTS = {"claude-desktop": Client("Claude Desktop", claude_desktop_config, "mcpServers")}


class BadConfig(Exception):
    """The client's file is not what it should be; it is left as it is."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", choices=CLIENTS, help="the assistant to register with")
    parser.add_argument("--print", action="store_true", help="show the entry and write nothing")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    client = CLIENTS[args.client]
    entry = make_entry(data_folder(args.data))
    if args.print:
        print(json.dumps({client.servers: {NAME: entry}}, indent=2, ensure_ascii=False))
        return 0
    path = client.config()
    try:
        backup = register(path, client.servers, entry)
    except BadConfig as error:
        print(f"consort install: {path} was left untouched: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"consort install: {path} cannot be written: {error}", file=sys.stderr)
        return 1
    if backup == path:
        print(f"{client.title} knows Consort already: {path}")
        return 0
    print(f"Consort is registered in {path}" + (f"\nThe file as it was: {backup}" if backup else ""))
    print(f"Restart {client.title} to use it.")
    return 0


def make_entry(data: Path) -> dict[str, Any]:
    """What a client needs to start us. The path is absolute: a client starts programs from anywhere."""
    script = bootstrap.ROOT / ("consort.cmd" if os.name == "nt" else "consort")
    entry: dict[str, Any] = {"command": str(script), "args": ["mcp"]}
    if data != default_data_folder():
        entry["env"] = {"CONSORT_DATA": str(data)}
    return entry


def is_registered(client: Client, data: Path) -> bool:
    try:
        return bool(read_config(client.config(), client.servers)[client.servers].get(NAME) == make_entry(data))
    except (BadConfig, OSError):
        return False


def register(path: Path, servers: str, entry: dict[str, Any]) -> Path | None:
    """Put our entry into the file. Returns the backup of the file, None if there was no file, the file itself if it
    needed no change."""
    path = path.resolve()  # a link to a file kept elsewhere stays a link
    config = read_config(path, servers)
    if config[servers].get(NAME) == entry:
        return path
    config[servers][NAME] = entry
    backup = None
    if path.exists():
        backup = path.with_name(f"{path.name}.{datetime.now():%Y%m%d-%H%M%S}.backup")
        shutil.copy2(path, backup)
    write_whole(path, json.dumps(config, indent=2, ensure_ascii=False) + "\n")
    return backup


def read_config(path: Path, servers: str) -> dict[str, Any]:
    """The client's configuration, with an object of servers in it; an absent or empty file is an empty one."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        config = json.loads(text) if text.strip() else {}
    except FileNotFoundError:
        config = {}
    except ValueError as error:
        raise BadConfig(f"it is not valid JSON ({error}). Correct it, or move it away, and try again.") from error
    if not isinstance(config, dict) or not isinstance(config.setdefault(servers, {}), dict):
        raise BadConfig(f"it should be a JSON object with an object {servers!r} in it, and is something else.")
    return config


def write_whole(path: Path, text: str) -> None:
    """All or nothing: written beside the file, then renamed onto it, with the mode that the file had."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, name)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
