import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from consort_cli.commands import doctor
from consort_cli.commands.doctor import Machine
from consort_cli.main import main


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A data folder and ports that nobody uses."""
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("CONSORT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("CONSORT_DATABASE_URL", raising=False)
    monkeypatch.setattr("consort_cli.bootstrap.installed", lambda: True)
    base = next(base for base in range(20000, 60000, 100) if all(doctor.is_free(base + port) for port in range(7)))
    monkeypatch.setenv("CONSORT_PORT_BASE", str(base))
    return Machine(tmp_path / "data", base)


def report(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["doctor", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] == (code == 0)
    return code, {check["name"]: check for check in answer["checks"]}


def test_a_new_machine_is_in_order(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = report(capsys)
    assert code == 0, checks
    assert list(checks) == list(doctor.CHECKS)
    assert checks["Postgres"]["text"].startswith("postgres (PostgreSQL) 18")
    assert {name for name, check in checks.items() if check["ok"] is None} == {"token", "studio", "Claude Desktop"}
    assert not machine.data.exists()  # it only looks


def test_each_fault_comes_with_its_remedy(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.data.mkdir()
    (machine.data / "token").write_text("secret")
    (machine.data / "token").chmod(0o644)
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", machine.port_base + 2))
        stranger.listen()
        assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "✗ token" in shown
    assert f"→ chmod 600 '{machine.data / 'token'}'" in shown
    assert f"taken by another program: {machine.port_base + 2} (midi-store)" in shown
    assert "--port-base N" in shown


def test_out_of_date_installation(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("consort_cli.bootstrap.installed", lambda: False)
    code, checks = report(capsys)
    assert code == 1
    assert checks["installation"]["fix"]


def test_data_folder_that_cannot_be_made(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONSORT_DATA", os.devnull + "/data")
    code, checks = report(capsys)
    assert code == 1
    assert checks["data folder"]["ok"] is False


def test_broken_postgres(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "find_binaries", lambda: tmp_path)
    code, checks = report(capsys)
    assert code == 1
    assert "CONSORT_DATABASE_URL" in checks["Postgres"]["fix"]


def test_registration_is_seen(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    main(["install", "claude-desktop"])
    capsys.readouterr()
    assert report(capsys)[1]["Claude Desktop"]["ok"] is True
