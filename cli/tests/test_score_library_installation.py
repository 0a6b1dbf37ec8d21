"""The score library is installed whole or not at all, and never prevents the start."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from consort_cli import bootstrap, model_packages, score_library
from consort_cli.commands.doctor import Machine, check_score_library


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the library in an empty environment. A download writes a small file."""
    monkeypatch.delenv("CONSORT_SCORE_LIBRARY", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(bootstrap, "INSTALL_LOCK", tmp_path / "lock")

    def download(lock: str, target: Path) -> None:
        (target / "music21" / "corpus").mkdir(parents=True)
        (target / "music21" / "corpus" / "piece.krn").write_text(lock)

    def step(title: str, command: Any) -> None:
        if code := score_library.main():
            raise subprocess.CalledProcessError(code, command)

    monkeypatch.setattr(model_packages, "download", download)
    monkeypatch.setattr(bootstrap, "step", step)
    return tmp_path / "share" / "consort-score-library"


def test_it_is_installed_and_doctor_names_it(folder: Path, tmp_path: Path) -> None:
    before = check_score_library(Machine(tmp_path, 20_000))
    score_library.install_if_possible()
    after = check_score_library(Machine(tmp_path, 20_000))
    assert (folder / "music21" / "corpus" / "piece.krn").is_file()
    assert (before.ok, after.ok) == (None, True) and before.fix and "BSD-3-Clause" in after.text


def test_a_failure_is_said_in_a_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(lock: str, target: Path) -> None:
        raise subprocess.CalledProcessError(2, "uv", stderr="error: no network\n")

    monkeypatch.setattr(model_packages, "download", fail)
    score_library.install_if_possible()
    assert "find_scores works" in capsys.readouterr().err
    assert not folder.exists()


def test_a_folder_of_yours_is_left_alone(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSORT_SCORE_LIBRARY", str(tmp_path / "mine"))
    score_library.install_if_possible()
    assert not folder.exists() and not (tmp_path / "mine").exists()
    assert "lacks music21" in check_score_library(Machine(tmp_path, 20_000)).text


def test_the_lock_and_the_notice_name_it() -> None:
    lock = (bootstrap.ROOT / score_library.LOCK).read_text()
    assert f"music21=={score_library.VERSION} \\\n    --hash=sha256:" in lock
    assert "music21" in (bootstrap.ROOT / "NOTICE").read_text()
