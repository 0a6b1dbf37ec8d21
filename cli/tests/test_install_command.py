"""Test that the file of each assistant is created, or changed in one place only, or not changed if it is invalid."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from consort_cli import bootstrap
from consort_cli.commands import install
from consort_cli.commands.install import ASSISTANTS, AssistantApp
from consort_cli.main import main

COMMAND = str(bootstrap.ROOT / ("consort.cmd" if os.name == "nt" else "consort"))
STDIO = {"type": "stdio"}
EXPECTED: dict[str, tuple[str, str, dict[str, str]]] = {  # the file on Linux, the key, other members of an entry
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers", {}),
    "claude-code": (".claude.json", "mcpServers", STDIO),
    "cursor": (".cursor/mcp.json", "mcpServers", STDIO),
    "vscode": (".config/Code/User/mcp.json", "servers", STDIO),
}
WITH_COMMENTS = [name for name, assistant in ASSISTANTS.items() if assistant.allows_comments]
WITHOUT_COMMENTS = [name for name, assistant in ASSISTANTS.items() if not assistant.allows_comments]

each_assistant = pytest.mark.parametrize("name", ASSISTANTS)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty home folder for a user who has none of the assistants."""
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path / "AppData"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for variable in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CONSORT_DATA", "CONSORT_DATABASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def config_of(name: str, text: str | None = None) -> Path:
    path = ASSISTANTS[name].config()
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return path


def entry_of(name: str) -> dict[str, Any]:
    return {**ASSISTANTS[name].kind, "command": COMMAND, "args": ["mcp"]}


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def backups(config: Path) -> list[Path]:
    return sorted(config.parent.glob("*.backup"))


def test_files_and_keys_are_those_of_each_assistants_documentation(home: Path) -> None:
    found = {name: (assistant.servers, assistant.kind) for name, assistant in ASSISTANTS.items()}
    assert found == {name: (key, kind) for name, (_, key, kind) in EXPECTED.items()}
    if os.uname().sysname == "Linux":
        assert {name: str(assistant.config().relative_to(home)) for name, assistant in ASSISTANTS.items()} == {
            name: path for name, (path, _, _) in EXPECTED.items()
        }


@each_assistant
def test_makes_the_file_for_a_new_user(name: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", name]) == 0
    config = config_of(name)
    assert read(config) == {ASSISTANTS[name].servers: {"consort": entry_of(name)}}
    assert os.access(COMMAND, os.X_OK)
    assert backups(config) == []
    assert str(config) in capsys.readouterr().out


@each_assistant
def test_keeps_everything_else_and_a_backup(name: str) -> None:
    servers = ASSISTANTS[name].servers
    before = {"theme": "dark", servers: {"other": {"command": "ö", "x": [1.5, None]}}, "z": {"a": 1e400}}
    text = json.dumps(before, indent=3, ensure_ascii=False).replace("Infinity", "1e400") + "\n\n"
    config = config_of(name, text)
    config.chmod(0o600)
    assert main(["install", name]) == 0
    after = read(config)
    assert after == before | {servers: {"other": {"command": "ö", "x": [1.5, None]}, "consort": entry_of(name)}}
    assert list(after) == list(before)
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    assert [path.read_text() for path in backups(config)] == [text]
    assert stat.S_IMODE(backups(config)[0].stat().st_mode) == 0o600
    assert main(["install", name, "--remove"]) == 0
    assert config.read_text() == text  # every character, even numbers that Python would write differently


@each_assistant
def test_a_second_time_changes_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["install", name])
    config = config_of(name)
    before = config.stat()
    assert main(["install", name]) == 0
    assert config.stat().st_mtime_ns == before.st_mtime_ns
    assert backups(config) == []
    assert "already" in capsys.readouterr().out


@each_assistant
def test_an_entry_of_another_copy_is_replaced(name: str) -> None:
    servers = ASSISTANTS[name].servers
    old = {"command": "/old/consort", "args": ["mcp"], "env": {"CONSORT_DATA": "/old"}}
    config = config_of(name, json.dumps({servers: {"consort": old, "z": {}}}))
    assert main(["install", name]) == 0
    assert read(config)[servers] == {"consort": entry_of(name) | {"env": {}}, "z": {}}
    assert list(read(config)[servers]) == ["consort", "z"]


@each_assistant
def test_additions_of_the_user_to_our_entry_are_kept(name: str, tmp_path: Path) -> None:
    servers = ASSISTANTS[name].servers
    mine = {"command": "/old", "args": ["mcp", "--read-only"], "env": {"CONSORT_LOG_LEVEL": "DEBUG"}, "disabled": True}
    config = config_of(name, json.dumps({servers: {"consort": mine}}))
    assert main(["install", name, "--data", str(tmp_path / "mine")]) == 0
    entry = entry_of(name) | {"args": ["mcp", "--read-only"], "disabled": True}
    entry["env"] = {"CONSORT_LOG_LEVEL": "DEBUG", "CONSORT_DATA": str(tmp_path / "mine")}
    assert read(config)[servers]["consort"] == entry
    assert install.entry_state(ASSISTANTS[name], tmp_path / "mine") == "registered"
    assert install.entry_state(ASSISTANTS[name], tmp_path / "other") == "another"


def test_an_address_in_place_of_a_command_is_replaced() -> None:
    config = config_of("cursor", '{"mcpServers": {"consort": {"url": "http://127.0.0.1:8700/mcp", "headers": {}}}}')
    assert main(["install", "cursor"]) == 0
    assert read(config)["mcpServers"]["consort"] == entry_of("cursor")


def assert_left_alone(name: str, text: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """Assert that neither installing nor removing changes this file or creates another."""
    config = config_of(name, "")
    config.write_bytes(text)
    beside = sorted(config.parent.iterdir())
    for option in ([], ["--remove"]):
        assert main(["install", name, *option]) == 1
        assert config.read_bytes() == text
        assert sorted(config.parent.iterdir()) == beside
        assert f"{config} was left untouched" in capsys.readouterr().err


@each_assistant
@pytest.mark.parametrize("text", [b'{"KEY": {', b"[]", b'{"KEY": []}', b'{"KEY": null}', b"{'a': 1}", b"\xff\xfe{}"])
def test_an_invalid_file_is_not_changed(name: str, text: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    assert_left_alone(name, text.replace(b"KEY", ASSISTANTS[name].servers.encode()), capsys)


@pytest.mark.parametrize("name", WITHOUT_COMMENTS)
@pytest.mark.parametrize("text", [b"// a comment\n{}", b'{"a": 1,}'])
def test_comments_are_rejected_if_the_assistant_does_not_allow_them(
    name: str, text: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_left_alone(name, text, capsys)


@pytest.mark.parametrize("name", WITH_COMMENTS)
def test_comments_stay(name: str) -> None:
    text = """\
// servers of mine
{
\t/* asked for
\t   at the start */
\t"inputs": [{"id": "key"},],
\t"KEY": {
\t\t"github": {"url": "https://api.example/mcp/"}, // not "consort": {}
\t\t// "old": {},
\t},
}
""".replace("KEY", ASSISTANTS[name].servers).replace("\n", "\r\n")
    config = config_of(name, text)
    assert main(["install", name]) == 0
    changed = config.read_bytes().decode()
    ours = f'"consort": {json.dumps(entry_of(name), indent=chr(9))}'.replace("\n", "\r\n\t\t")
    assert changed == text.replace('"consort": {}\r\n', f'"consort": {{}}\r\n\t\t{ours}\r\n')
    assert main(["install", name]) == 0 and config.read_bytes().decode() == changed
    assert main(["install", name, "--remove"]) == 0
    # only the trailing comma of the last remaining entry is removed
    assert config.read_bytes().decode() == text.replace('/mcp/"}, //', '/mcp/"} //')


@each_assistant
@pytest.mark.parametrize("text", ["", " \n", "\ufeff{}"])
def test_an_empty_file_is_an_empty_configuration(name: str, text: str) -> None:
    config = config_of(name, text)
    assert main(["install", name]) == 0
    assert read(config) == {ASSISTANTS[name].servers: {"consort": entry_of(name)}}


@each_assistant
def test_removing_takes_only_our_entry(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    servers = ASSISTANTS[name].servers
    assert main(["install", name, "--remove"]) == 0
    assert "does not know Consort" in capsys.readouterr().out and not config_of(name).exists()
    main(["install", name])
    assert main(["install", name, "--remove"]) == 0
    assert read(config_of(name)) == {servers: {}}
    config_of(name, json.dumps({servers: {"consort": 1, "other": 2}}))
    assert main(["install", name, "--remove"]) == 0
    assert read(config_of(name)) == {servers: {"other": 2}}
    assert len(backups(config_of(name))) == 2


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    kept_elsewhere = tmp_path / "dotfiles.json"
    kept_elsewhere.write_text("{}")
    config = config_of("claude-desktop")
    config.parent.mkdir(parents=True)
    config.symlink_to(kept_elsewhere)
    assert main(["install", "claude-desktop"]) == 0
    assert config.is_symlink()
    assert read(kept_elsewhere) == {"mcpServers": {"consort": entry_of("claude-desktop")}}


@each_assistant
def test_print_writes_nothing_and_names_another_data_folder(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", name, "--print", "--data", str(tmp_path / "mine")]) == 0
    shown = json.loads(capsys.readouterr().out)
    entry = entry_of(name) | {"env": {"CONSORT_DATA": str(tmp_path / "mine")}}
    assert shown == {ASSISTANTS[name].servers: {"consort": entry}}
    assert list(tmp_path.iterdir()) == []


def test_without_a_name_all_assistants_are_listed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["install", "claude-code"])
    config_of("cursor", "{")
    config_of("vscode", "{}")
    capsys.readouterr()
    assert main(["install"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert " registered " in lines["claude-code"] and str(home / ".claude.json") in lines["claude-code"]
    assert "cannot be read" in lines["cursor"]
    assert "not registered" in lines["vscode"]
    assert "not found here" in lines["claude-desktop"]


@pytest.mark.parametrize("option", ["--print", "--remove"])
def test_an_option_needs_a_name(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["install", option])
    assert "One of: claude-desktop, claude-code, cursor, vscode" in capsys.readouterr().err


def test_claude_code_with_another_configuration_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    assert main(["install", "claude-code"]) == 0
    assert read(tmp_path / "elsewhere" / ".claude.json")["mcpServers"]["consort"]


def test_a_program_on_the_path_is_found(home: Path) -> None:
    assert not install.is_installed(ASSISTANTS["vscode"])
    (home / "bin").mkdir()
    (home / "bin" / "code").touch(mode=0o755)
    assert install.is_installed(ASSISTANTS["vscode"])


def test_a_change_by_the_assistant_at_the_same_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of("claude-code", '{"starts": 1}')
    read_config, reads = install.read_config, 0

    def change_the_file_after_reading(assistant: AssistantApp, path: Path) -> tuple[str, dict[str, Any]]:
        nonlocal reads
        reads += 1
        answer = read_config(assistant, path)
        if reads == 1:
            config.write_text('{"starts": 2}')
        return answer

    monkeypatch.setattr(install, "read_config", change_the_file_after_reading)
    assert main(["install", "claude-code"]) == 0
    assert read(config) == {"starts": 2, "mcpServers": {"consort": entry_of("claude-code")}}
    assert [path.read_text() for path in backups(config)] == ['{"starts": 2}']


def test_settings_that_the_assistant_will_not_have_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONSORT_DATABASE_URL", "postgresql://me:canary@x/y")
    assert main(["install", "cursor"]) == 0
    shown = capsys.readouterr().out
    assert "CONSORT_DATABASE_URL of this terminal" in shown and "canary" not in shown
