"""`consort install CLIENT`: register `consort mcp` with an assistant, beside whatever else is registered there.

Only our entry is written; the rest of the file, comments too, stays to the letter. A file that cannot be read is left
alone. Where each client keeps its entries was looked up in its manual; macOS and Windows are untested.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from consort_cli import bootstrap, json_text
from consort_cli.main import add_data_argument
from consort_kit.folders import data_folder, default_data_folder

NAME = "consort"
_TRIES = 3
"""A client that runs may change its file between our reading and our writing."""

State = Literal["registered", "another", "absent", "unreadable"]
"""`another`: an entry of our name that starts something else, such as an older copy."""


class Client(NamedTuple):
    title: str
    config: Callable[[], Path]
    """Its configuration file for all of a user's projects, a JSON object."""
    servers: str
    """The key there under which MCP servers stand by name."""
    folder: Callable[[], Path]
    """Is there once the client has run."""
    program: str
    then: str
    """What the user does next."""
    kind: dict[str, str]
    """What an entry says besides command, arguments and environment."""
    loose: bool = False
    """Whether its file may have comments and trailing commas."""


def _settings_folder() -> Path:
    """Where desktop applications keep their settings."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _claude_code_config() -> Path:
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home()) / ".claude.json"


CLIENTS = {
    "claude-desktop": Client(
        "Claude Desktop",
        lambda: _settings_folder() / "Claude" / "claude_desktop_config.json",
        servers="mcpServers",
        folder=lambda: _settings_folder() / "Claude",
        program="claude-desktop",
        then="Restart Claude Desktop to use it.",
        kind={},
    ),
    "claude-code": Client(  # what `claude mcp add --scope user` writes
        "Claude Code",
        _claude_code_config,
        servers="mcpServers",
        folder=lambda: Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude"),
        program="claude",
        then="The next session of Claude Code has it: see /mcp there.",
        kind={"type": "stdio"},
    ),
    "cursor": Client(
        "Cursor",
        lambda: Path.home() / ".cursor" / "mcp.json",
        servers="mcpServers",
        folder=lambda: Path.home() / ".cursor",
        program="cursor",
        then="Restart Cursor to use it.",
        kind={"type": "stdio"},
        loose=True,
    ),
    "vscode": Client(  # of the default profile
        "VS Code",
        lambda: _settings_folder() / "Code" / "User" / "mcp.json",
        servers="servers",
        folder=lambda: _settings_folder() / "Code",
        program="code",
        then="In VS Code, run “MCP: List Servers” and start it.",
        kind={"type": "stdio"},
        loose=True,
    ),
}


class BadConfig(Exception):
    """The client's file is not what it should be; it is left as it is."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", nargs="?", choices=CLIENTS, help="the assistant; without it, they are listed")
    parser.add_argument("--print", action="store_true", help="show the entry and write nothing")
    parser.add_argument("--remove", action="store_true", help="take the entry out again")
    parser.set_defaults(usage_error=parser.error)
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    if args.client is None:
        if args.print or args.remove:
            args.usage_error(f"which assistant? One of: {', '.join(CLIENTS)}")
        return show_clients(data)
    client = CLIENTS[args.client]
    if args.print:
        entry = {client.servers: {NAME: make_entry(client, data)}}
        print(json_text.put("", list(entry), entry[client.servers]), end="")
        return 0
    path = client.config()
    try:
        return remove(client, path) if args.remove else register(client, path, data)
    except BadConfig as error:
        print(f"consort install: {path} was left untouched: {error}", file=sys.stderr)
    except OSError as error:
        print(f"consort install: {path} cannot be written: {error}", file=sys.stderr)
    return 1


def show_clients(data: Path) -> int:
    words = {
        "registered": "registered",
        "another": "an entry of another copy of Consort, or data folder",
        "absent": "not registered",
        "unreadable": "its file cannot be read",
    }
    for name, client in CLIENTS.items():
        found = words[state_of(client, data)] if is_found(client) else "not found here"
        print(f"  {name:<15} {client.title:<15} {found:<16} {client.config()}")
    print("Register with `consort install CLIENT`.")
    return 0


def register(client: Client, path: Path, data: Path) -> int:
    entry = make_entry(client, data)

    def edit(text: str, servers: dict[str, Any]) -> str:
        return json_text.put(text, [client.servers, NAME], merged(servers.get(NAME), entry), loose=client.loose)

    changed, backup = change(client, path, edit)
    if not changed:
        print(f"{client.title} knows Consort already: {path}")
        return 0
    print(f"Consort is registered in {path}" + (f"\nThe file as it was: {backup}" if backup else ""))
    unseen = [name for name in ("CONSORT_DATABASE_URL", "CONSORT_BLOB_URL") if os.environ.get(name)]
    if unseen:
        print(
            f"{' and '.join(unseen)} of this terminal will not be set for {client.title}: keep the studio running "
            "with `consort up`, or add them to the entry's env."
        )
    print(client.then)
    return 0


def remove(client: Client, path: Path) -> int:
    def edit(text: str, servers: dict[str, Any]) -> str:
        return json_text.remove(text, [client.servers, NAME], loose=client.loose) if NAME in servers else text

    changed, backup = change(client, path, edit)
    if changed:
        print(f"Consort is no longer registered in {path}\nThe file as it was: {backup}")
    else:
        print(f"{client.title} does not know Consort: {path}")
    return 0


def make_entry(client: Client, data: Path) -> dict[str, Any]:
    """What a client needs to start us. The path is absolute: a client starts programs from anywhere."""
    script = bootstrap.ROOT / ("consort.cmd" if os.name == "nt" else "consort")
    entry: dict[str, Any] = {**client.kind, "command": str(script), "args": ["mcp"]}
    environment = {"CONSORT_DATA": str(data)} if data != default_data_folder() else {}
    if port_base := os.environ.get("CONSORT_PORT_BASE"):
        environment["CONSORT_PORT_BASE"] = port_base
    return {**entry, "env": environment} if environment else entry


def merged(existing: Any, entry: dict[str, Any]) -> dict[str, Any]:
    """Our entry, with what the user has added to the one that is there: options, variables, keys we do not know."""
    if not isinstance(existing, dict) or "command" not in existing:
        return entry
    new = existing | entry
    arguments = existing.get("args")
    if isinstance(arguments, list) and arguments[:1] == ["mcp"]:
        new["args"] = arguments
    if isinstance(existing.get("env"), dict):
        others = {
            name: value for name, value in existing["env"].items() if name not in ("CONSORT_DATA", "CONSORT_PORT_BASE")
        }
        new["env"] = others | entry.get("env", {})
    return new


def state_of(client: Client, data: Path) -> State:
    try:
        _, config = read_config(client, client.config())
    except (BadConfig, OSError):
        return "unreadable"
    existing = config[client.servers].get(NAME)
    if existing is None:
        return "absent"
    same = isinstance(existing, dict) and merged(existing, make_entry(client, data)) == client.kind | existing
    return "registered" if same else "another"


def is_found(client: Client) -> bool:
    """Whether the client is, or was, used by this user."""
    return client.config().exists() or client.folder().is_dir() or shutil.which(client.program) is not None


def read_config(client: Client, path: Path) -> tuple[str, dict[str, Any]]:
    """The text of the client's file, and what it means, with an object of servers in it. An absent one is empty."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        config = json_text.read(text, loose=client.loose)
    except FileNotFoundError:
        text, config = "", {}
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"it is not valid JSON ({error}). Correct it, or move it away, and try again.") from error
    if not isinstance(config, dict) or not isinstance(config.setdefault(client.servers, {}), dict):
        raise BadConfig(f"it should be a JSON object with an object {client.servers!r} in it, and is something else.")
    return text, config


def change(client: Client, path: Path, edit: Callable[[str, dict[str, Any]], str]) -> tuple[bool, Path | None]:
    """Whether the file had to be changed, and the backup of what it was, if it was there."""
    path = path.resolve()  # a link to a file kept elsewhere stays a link
    for _ in range(_TRIES):
        text, config = read_config(client, path)
        new = edit(text, config[client.servers])
        if json_text.read(new, loose=client.loose) == json_text.read(text, loose=client.loose):
            return False, None
        others = {name: value for name, value in config[client.servers].items() if name != NAME}
        after = json_text.read(new, loose=client.loose)
        after[client.servers].pop(NAME, None)
        assert after == config | {client.servers: others}, "nothing else has changed"
        backup = None
        if path.exists():
            backup = path.with_name(f"{path.name}.{datetime.now():%Y%m%d-%H%M%S-%f}.backup")
            shutil.copy2(path, backup)
        if read_config(client, path)[0] == text:
            write_whole(path, new)
            return True, backup
        if backup is not None:
            backup.unlink()
    raise BadConfig(f"{client.title} keeps changing it. End it, and try again.")


def write_whole(path: Path, text: str) -> None:
    """All or nothing: written beside the file, then renamed onto it, with the mode that the file had."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, name)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
