"""Test that missing system packages are installed if possible, otherwise reported, and never prevent the start."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from consort_cli import bootstrap, system_packages
from consort_cli.system_packages import SystemPackage, install_if_possible, missing


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[SystemPackage, ...]:
    monkeypatch.setattr("sys.platform", "linux")
    (tmp_path / "there.so").touch()
    return SystemPackage("there", f"{tmp_path}/*.so"), SystemPackage("lacking", f"{tmp_path}/lacking.so.3")


def test_only_missing_packages_are_returned(packages: tuple[SystemPackage, ...]) -> None:
    assert missing(packages) == ["lacking"]


def test_packages_that_cannot_be_installed_are_reported(
    packages: tuple[SystemPackage, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_packages, "can_install", lambda: False)
    install_if_possible(packages, "the synth")
    assert "the synth is not installed: apt-get install lacking" in capsys.readouterr().err


def test_a_package_with_a_substitute_is_not_asked_for_but_installed(
    packages: tuple[SystemPackage, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there, lacking = packages
    monkeypatch.setattr(system_packages, "can_install", lambda: False)
    install_if_possible([replace(lacking, substitute=there.proof)], "the synth")
    assert capsys.readouterr().err == ""
    titles: list[str] = []
    monkeypatch.setattr(system_packages, "can_install", lambda: True)
    monkeypatch.setattr(bootstrap, "step", lambda title, command, environment=None: titles.append(title))
    font = SystemPackage("musescore-general-soundfont-small", lacking.proof, substitute=there.proof)
    install_if_possible([font], "the synth")
    assert titles[-1] == "musescore-general-soundfont-small (40 MB)"


def test_packages_are_installed_if_possible(
    packages: tuple[SystemPackage, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(system_packages, "can_install", lambda: True)
    monkeypatch.setattr(bootstrap, "step", lambda title, command, environment=None: commands.append(command))
    install_if_possible(packages, "the synth")
    assert commands[-1][-2:] == ["--no-install-recommends", "lacking"]

    def fails(title: str, command: list[str], environment: object = None) -> None:
        raise subprocess.CalledProcessError(100, command)

    monkeypatch.setattr(bootstrap, "step", fails)
    install_if_possible(packages, "the synth")
    assert "the studio starts without it" in capsys.readouterr().err


def test_macos_asks_homebrew(packages: tuple[SystemPackage, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert missing(packages) == []
    assert missing([SystemPackage("x", "/nowhere", "brewed", "/nowhere/*.dylib")]) == ["brewed"]
