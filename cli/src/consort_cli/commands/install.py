"""`consort install ASSISTANT`: register `consort mcp` with an assistant, beside its other MCP servers.

With `--skills`, Claude Code also gets the guides of the folder `skills` (see `assistant_skills`).

Only Consort's entry is written; the rest of the file, including comments, is unchanged. A file that cannot be parsed is
not changed. The file locations come from each assistant's documentation; macOS and Windows are untested.
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

from consort_cli import assistant_skills, bootstrap, downloads, json_edit
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder, default_data_folder

NAME = "consort"
_TRIES = 3
"""Number of attempts: a running assistant may change the file between reading and writing."""

EntryState = Literal["registered", "another", "absent", "unreadable"]
"""`another`: an entry named `consort` that starts another copy of Consort or uses another data folder."""


class AssistantApp(NamedTuple):
    title: str
    config: Callable[[], Path]
    """The assistant's configuration file for all projects of a user, a JSON object."""
    servers: str
    """The key in the file under which MCP servers are listed."""
    folder: Callable[[], Path]
    """A folder that exists once the assistant has run."""
    program: str
    next_step: str
    """What the user does next."""
    kind: dict[str, str]
    """Members of an entry in addition to `command`, `args` and `env`."""
    allows_comments: bool = False
    """Whether the file may have comments and trailing commas."""
    has_skills: bool = False
    """Whether the assistant reads skills from the folder `skills` in `folder`."""


def _settings_folder() -> Path:
    """Return the folder where desktop applications keep their settings."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _claude_code_config() -> Path:
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home()) / ".claude.json"


ASSISTANTS = {
    "claude-desktop": AssistantApp(
        "Claude Desktop",
        lambda: _settings_folder() / "Claude" / "claude_desktop_config.json",
        servers="mcpServers",
        folder=lambda: _settings_folder() / "Claude",
        program="claude-desktop",
        next_step="Restart Claude Desktop to use it.",
        kind={},
    ),
    "claude-code": AssistantApp(  # what `claude mcp add --scope user` writes
        "Claude Code",
        _claude_code_config,
        servers="mcpServers",
        folder=lambda: Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude"),
        program="claude",
        next_step="The next session of Claude Code has it: see /mcp there.",
        kind={"type": "stdio"},
        has_skills=True,
    ),
    "cursor": AssistantApp(
        "Cursor",
        lambda: Path.home() / ".cursor" / "mcp.json",
        servers="mcpServers",
        folder=lambda: Path.home() / ".cursor",
        program="cursor",
        next_step="Restart Cursor to use it.",
        kind={"type": "stdio"},
        allows_comments=True,
    ),
    "vscode": AssistantApp(  # the default profile
        "VS Code",
        lambda: _settings_folder() / "Code" / "User" / "mcp.json",
        servers="servers",
        folder=lambda: _settings_folder() / "Code",
        program="code",
        next_step="In VS Code, run “MCP: List Servers” and start it.",
        kind={"type": "stdio"},
        allows_comments=True,
    ),
}


class BadConfig(Exception):
    """The assistant's file cannot be parsed; it is not changed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "assistant", nargs="?", choices=ASSISTANTS, help="the assistant; if omitted, all assistants are listed"
    )
    parser.add_argument("--print", action="store_true", help="show the entry and write nothing")
    parser.add_argument(
        "--remove", action="store_true", help="remove the entry and the skills; with --skills, only the skills"
    )
    parser.add_argument("--skills", action="store_true", help="also install Consort's guides as skills (claude-code)")
    parser.set_defaults(usage_error=parser.error)
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    if args.assistant is None:
        if args.print or args.remove or args.skills:
            args.usage_error(f"which assistant? One of: {', '.join(ASSISTANTS)}")
        return show_assistants(data)
    assistant = ASSISTANTS[args.assistant]
    if args.print:
        entry = {assistant.servers: {NAME: make_entry(assistant, data)}}
        print(json_edit.put("", list(entry), entry[assistant.servers]), end="")
        return 0
    if args.skills and not assistant.has_skills:
        args.usage_error(f"{assistant.title} has no folder of skills. Its prompts have the same guides.")
    path = assistant.config()
    if not args.remove:
        downloads.install_if_possible()  # `consort mcp` does not: the assistant waits for it
    try:
        if not args.remove:
            code = register(assistant, path, data)
            return code or (install_skills(assistant) if args.skills else 0)
        if assistant.has_skills:
            uninstall_skills(assistant)
        return 0 if args.skills else remove(assistant, path)
    except BadConfig as error:
        print(f"consort install: {path} was left untouched: {error}", file=sys.stderr)
    except OSError as error:
        print(f"consort install: {path} cannot be written: {error}", file=sys.stderr)
    return 1


def show_assistants(data: Path) -> int:
    words = {
        "registered": "registered",
        "another": "registered for another copy of Consort or another data folder",
        "absent": "not registered",
        "unreadable": "its file cannot be read",
    }
    for name, assistant in ASSISTANTS.items():
        found = words[entry_state(assistant, data)] if is_installed(assistant) else "not found here"
        print(f"  {name:<15} {assistant.title:<15} {found:<16} {assistant.config()}")
    print("Register with `./consort install ASSISTANT`.")
    return 0


def register(assistant: AssistantApp, path: Path, data: Path) -> int:
    entry = make_entry(assistant, data)

    def edit(text: str, servers: dict[str, Any]) -> str:
        return json_edit.put(
            text,
            [assistant.servers, NAME],
            merge_entries(servers.get(NAME), entry),
            allow_comments=assistant.allows_comments,
        )

    changed, backup = change_config(assistant, path, edit)
    if not changed:
        print(f"{assistant.title} knows Consort already: {path}")
        return 0
    print(f"Consort is registered in {path}" + (f"\nThe file as it was: {backup}" if backup else ""))
    unseen = [name for name in ("CONSORT_DATABASE_URL", "CONSORT_BLOB_URL") if os.environ.get(name)]
    if unseen:
        print(
            f"{' and '.join(unseen)} of this terminal will not be set for {assistant.title}: keep the studio running "
            "with `consort up`, or add them to the entry's env."
        )
    print(assistant.next_step)
    return 0


def remove(assistant: AssistantApp, path: Path) -> int:
    def edit(text: str, servers: dict[str, Any]) -> str:
        return (
            json_edit.remove(text, [assistant.servers, NAME], allow_comments=assistant.allows_comments)
            if NAME in servers
            else text
        )

    changed, backup = change_config(assistant, path, edit)
    if changed:
        print(f"Consort is no longer registered in {path}\nThe file as it was: {backup}")
    else:
        print(f"{assistant.title} does not know Consort: {path}")
    return 0


def install_skills(assistant: AssistantApp) -> int:
    folder = assistant.folder() / "skills"
    changes = assistant_skills.put_skills(folder)
    if changes.written:
        print(f"Skills are in {folder}: {', '.join(changes.written)}")
    elif not changes.left_alone:
        print(f"{assistant.title} has all skills already: {folder}")
    if changes.removed:
        print(f"Removed, because this version has other skills: {', '.join(changes.removed)}")
    if changes.left_alone:
        print(
            f"Left alone, because they are not as Consort wrote them: {', '.join(changes.left_alone)}. To replace "
            f"them, move their folders away from {folder} and try again."
        )
    return 0


def uninstall_skills(assistant: AssistantApp) -> None:
    folder = assistant.folder() / "skills"
    changes = assistant_skills.remove_skills(folder)
    if changes.removed:
        print(f"Removed from {folder}: {', '.join(changes.removed)}")
    if changes.left_alone:
        print(f"Left in {folder}, because they were changed: {', '.join(changes.left_alone)}")
    if not changes.removed and not changes.left_alone:
        print(f"{assistant.title} has no skills of Consort: {folder}")


def make_entry(assistant: AssistantApp, data: Path) -> dict[str, Any]:
    """Return the entry that starts Consort. Its path is absolute, because the assistant may use any working folder."""
    script = bootstrap.ROOT / ("consort.cmd" if os.name == "nt" else "consort")
    entry: dict[str, Any] = {**assistant.kind, "command": str(script), "args": ["mcp"]}
    environment = {"CONSORT_DATA": str(data)} if data != default_data_folder() else {}
    if port_base := os.environ.get("CONSORT_PORT_BASE"):
        environment["CONSORT_PORT_BASE"] = port_base
    return {**entry, "env": environment} if environment else entry


def merge_entries(existing: Any, entry: dict[str, Any]) -> dict[str, Any]:
    """Return `entry` with the options, variables and other keys that the user has added to the existing entry."""
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


def entry_state(assistant: AssistantApp, data: Path) -> EntryState:
    try:
        _, config = read_config(assistant, assistant.config())
    except (BadConfig, OSError):
        return "unreadable"
    existing = config[assistant.servers].get(NAME)
    if existing is None:
        return "absent"
    same = (
        isinstance(existing, dict) and merge_entries(existing, make_entry(assistant, data)) == assistant.kind | existing
    )
    return "registered" if same else "another"


def is_installed(assistant: AssistantApp) -> bool:
    """Return whether this user has, or once had, the assistant."""
    return assistant.config().exists() or assistant.folder().is_dir() or shutil.which(assistant.program) is not None


def read_config(assistant: AssistantApp, path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of the assistant's file, and its parsed content, which always contains the servers object.

    A missing file is treated as empty. Raise BadConfig if the file cannot be parsed.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        config = json_edit.read(text, allow_comments=assistant.allows_comments)
    except FileNotFoundError:
        text, config = "", {}
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"it is not valid JSON ({error}). Correct it, or move it away, and try again.") from error
    if not isinstance(config, dict) or not isinstance(config.setdefault(assistant.servers, {}), dict):
        raise BadConfig(f"it must be a JSON object that contains an object {assistant.servers!r}.")
    return text, config


def change_config(
    assistant: AssistantApp, path: Path, edit: Callable[[str, dict[str, Any]], str]
) -> tuple[bool, Path | None]:
    """Edit the file. Return whether it was changed, and the path of the backup (None if there was no file before)."""
    path = path.resolve()  # if the path is a symbolic link, edit its target and keep the link
    for _ in range(_TRIES):
        text, config = read_config(assistant, path)
        new = edit(text, config[assistant.servers])
        if json_edit.read(new, allow_comments=assistant.allows_comments) == json_edit.read(
            text, allow_comments=assistant.allows_comments
        ):
            return False, None
        others = {name: value for name, value in config[assistant.servers].items() if name != NAME}
        after = json_edit.read(new, allow_comments=assistant.allows_comments)
        after[assistant.servers].pop(NAME, None)
        assert after == config | {assistant.servers: others}, "nothing else has changed"
        backup = None
        if path.exists():
            backup = path.with_name(f"{path.name}.{datetime.now():%Y%m%d-%H%M%S-%f}.backup")
            shutil.copy2(path, backup)
        if read_config(assistant, path)[0] == text:
            write_atomically(path, new)
            return True, backup
        if backup is not None:
            backup.unlink()
    raise BadConfig(f"{assistant.title} keeps changing it. Quit it and try again.")


def write_atomically(path: Path, text: str) -> None:
    """Write a temporary file beside `path` and rename it to `path`. Keep the mode of an existing file."""
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
