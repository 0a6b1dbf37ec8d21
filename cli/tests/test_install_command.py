import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from consort_cli import bootstrap
from consort_cli.main import main

COMMAND = str(bootstrap.ROOT / ("consort.cmd" if os.name == "nt" else "consort"))
ENTRY = {"command": COMMAND, "args": ["mcp"]}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Claude Desktop of a new user would keep its configuration, on any platform."""
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("CONSORT_DATA", raising=False)
    if os.uname().sysname == "Darwin":
        return tmp_path / "Library/Application Support/Claude/claude_desktop_config.json"
    return tmp_path / "Claude" / "claude_desktop_config.json"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def backups(config: Path) -> list[Path]:
    return sorted(config.parent.glob("*.backup"))


def test_makes_the_file_for_a_new_user(config: Path) -> None:
    assert main(["install", "claude-desktop"]) == 0
    assert read(config) == {"mcpServers": {"consort": ENTRY}}
    assert os.access(COMMAND, os.X_OK)
    assert list(config.parent.iterdir()) == [config]


def test_keeps_everything_else_and_a_backup(config: Path) -> None:
    before = {"theme": "dark", "mcpServers": {"other": {"command": "ö", "x": [1.5, None]}}, "z": {"a": 1}}
    write(config, json.dumps(before))
    config.chmod(0o600)
    assert main(["install", "claude-desktop"]) == 0
    after = read(config)
    assert after == before | {"mcpServers": {"other": {"command": "ö", "x": [1.5, None]}, "consort": ENTRY}}
    assert list(after) == list(before)
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    assert [read(path) for path in backups(config)] == [before]


def test_a_second_time_changes_nothing(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["install", "claude-desktop"])
    before = config.stat()
    assert main(["install", "claude-desktop"]) == 0
    assert config.stat().st_mtime_ns == before.st_mtime_ns
    assert backups(config) == []
    assert "already" in capsys.readouterr().out


def test_an_entry_of_another_copy_is_replaced(config: Path) -> None:
    write(config, json.dumps({"mcpServers": {"consort": {"command": "/old/consort", "args": ["mcp"]}}}))
    assert main(["install", "claude-desktop"]) == 0
    assert read(config)["mcpServers"]["consort"] == ENTRY


@pytest.mark.parametrize("text", ['{"mcpServers": {', "[]", '{"mcpServers": []}', "// a comment\n{}"])
def test_a_file_that_is_not_understood_is_left_alone(
    config: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(config, text)
    assert main(["install", "claude-desktop"]) == 1
    assert config.read_text() == text
    assert list(config.parent.iterdir()) == [config]
    assert str(config) in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", " \n", "\ufeff{}"])
def test_an_empty_file_is_an_empty_configuration(config: Path, text: str) -> None:
    write(config, text)
    assert main(["install", "claude-desktop"]) == 0
    assert read(config) == {"mcpServers": {"consort": ENTRY}}


def test_a_link_stays_a_link(config: Path, tmp_path: Path) -> None:
    kept_elsewhere = tmp_path / "dotfiles.json"
    write(kept_elsewhere, "{}")
    config.parent.mkdir(parents=True)
    config.symlink_to(kept_elsewhere)
    assert main(["install", "claude-desktop"]) == 0
    assert config.is_symlink()
    assert read(kept_elsewhere) == {"mcpServers": {"consort": ENTRY}}


def test_print_writes_nothing_and_names_another_data_folder(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "claude-desktop", "--print", "--data", str(tmp_path / "mine")]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == {"mcpServers": {"consort": ENTRY | {"env": {"CONSORT_DATA": str(tmp_path / "mine")}}}}
    assert not config.exists()
