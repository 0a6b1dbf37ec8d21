"""System packages: what is missing is told, installed where that can be, and never keeps the studio from starting."""

import subprocess
from pathlib import Path

import pytest

from consort_cli import bootstrap, system_packages
from consort_cli.system_packages import SystemPackage, missing, offer


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[SystemPackage, ...]:
    monkeypatch.setattr("sys.platform", "linux")
    (tmp_path / "there.so").touch()
    return SystemPackage("there", f"{tmp_path}/*.so"), SystemPackage("lacking", f"{tmp_path}/lacking.so.3")


def test_only_what_is_missing(packages: tuple[SystemPackage, ...]) -> None:
    assert missing(packages) == ["lacking"]


def test_it_is_said_where_it_cannot_be_installed(
    packages: tuple[SystemPackage, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_packages, "can_install", lambda: False)
    offer(packages, "the synth")
    assert "the synth is not installed: apt-get install lacking" in capsys.readouterr().err


def test_it_is_installed_where_it_can_be(
    packages: tuple[SystemPackage, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(system_packages, "can_install", lambda: True)
    monkeypatch.setattr(bootstrap, "step", lambda title, command, environment=None: commands.append(command))
    offer(packages, "the synth")
    assert commands[-1][-2:] == ["--no-install-recommends", "lacking"]

    def fails(title: str, command: list[str], environment: object = None) -> None:
        raise subprocess.CalledProcessError(100, command)

    monkeypatch.setattr(bootstrap, "step", fails)
    offer(packages, "the synth")
    assert "the studio starts without it" in capsys.readouterr().err


def test_macos_asks_homebrew(packages: tuple[SystemPackage, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert missing(packages) == []
    assert missing([SystemPackage("x", "/nowhere", "brewed", "/nowhere/*.dylib")]) == ["brewed"]
