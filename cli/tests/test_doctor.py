import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from consort_cli.commands import doctor
from consort_cli.commands.doctor import Machine
from consort_cli.commands.install import ASSISTANTS
from consort_cli.launcher.health_checks import is_free
from consort_cli.main import main
from evaluation.processes.jack import Receiver, running_jack
from evaluation.processes.servers import free_port


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return an unused data folder and unused ports. The home folder is empty."""
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("CONSORT_DATA", str(tmp_path / "data"))
    for name in ("CONSORT_DATABASE_URL", "CONSORT_BLOB_URL", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("consort_cli.bootstrap.installed", lambda: True)
    base = next(base for base in range(20000, 60000, 100) if all(is_free(base + port) for port in range(7)))
    monkeypatch.setenv("CONSORT_PORT_BASE", str(base))
    return Machine(tmp_path / "data", base)


def report(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["doctor", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] == (code == 0)
    return code, {check["name"]: check for check in answer["checks"]}


def test_a_new_machine_passes(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = report(capsys)
    assert code == 0, checks
    assert list(checks) == list(doctor.CHECKS)
    assert checks["Postgres"]["text"].startswith("postgres (PostgreSQL) 18")
    neither = {name for name, check in checks.items() if check["ok"] is None} - {
        "Docker",
        "real time",
        "sound",
        "MIDI ports",
    }
    assert neither == {"token", "studio", *(assistant.title for assistant in ASSISTANTS.values())}
    assert not machine.data.exists()  # nothing was created


def test_each_problem_is_shown_with_its_fix(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.data.mkdir()
    (machine.data / "token").write_text("secret")
    (machine.data / "token").chmod(0o644)
    with socket.socket() as other_program:
        other_program.bind(("127.0.0.1", machine.port_base + 2))
        other_program.listen()
        assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "✗ token" in shown
    assert f"→ chmod 600 '{machine.data / 'token'}'" in shown
    assert f"used by another program: {machine.port_base + 2} (midi-store) by process {os.getpid()}" in shown
    assert "--port-base N" in shown


def test_out_of_date_installation(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("consort_cli.bootstrap.installed", lambda: False)
    code, checks = report(capsys)
    assert code == 1
    assert checks["installation"]["fix"]


def test_data_folder_that_cannot_be_created(
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


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgresql://me:canary@127.0.0.1:{port}/x", "Connection refused"),
        ("mysql://me:canary@127.0.0.1:{port}/x", "is not the address of a Postgres"),
    ],
)
def test_a_database_given_by_url(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, text: str
) -> None:
    monkeypatch.setenv("CONSORT_DATABASE_URL", url.format(port=free_port()))
    code, checks = report(capsys)
    assert code == 1
    assert text in checks["Postgres"]["text"] and "CONSORT_DATABASE_URL" in checks["Postgres"]["fix"]
    assert "canary" not in str(checks)


@pytest.mark.parametrize(("version", "has_vector", "ok"), [("17.2", True, True), ("17.2", False, False)])
def test_a_given_database_needs_pgvector(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, version: str, has_vector: bool, ok: bool
) -> None:
    monkeypatch.setenv("CONSORT_DATABASE_URL", "postgresql://x/y")
    monkeypatch.setattr("consort_kit.storage.postgres.inspect_database", lambda url, patience_s: (version, has_vector))
    finding = doctor.check_postgres(machine)
    assert finding.ok is ok and version in finding.text and bool(finding.fix) is not ok


def test_a_bucket_that_does_not_answer(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONSORT_BLOB_URL", "s3://bucket/x")
    settings = {"ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "ACCESS_KEY_ID": "k", "SECRET_ACCESS_KEY": "canary"}
    for name, value in settings.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    code, checks = report(capsys)
    assert code == 1
    assert "the bucket does not answer" in checks["bytes"]["text"] and "AWS_" in checks["bytes"]["fix"]
    assert "canary" not in str(checks)
    monkeypatch.setenv("CONSORT_BLOB_URL", "ftp://bucket/x")
    assert "must be a folder or s3://" in report(capsys)[1]["bytes"]["text"]
    monkeypatch.setenv("CONSORT_BLOB_URL", str(machine.data / "elsewhere"))
    assert report(capsys)[1]["bytes"]["ok"] is True


def test_too_little_disk_and_memory_and_an_old_python(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "NEEDED_DISK_MB", 10**12)
    monkeypatch.setattr(doctor, "NEEDED_MEMORY_MB", 10**12)
    monkeypatch.setattr("sys.version_info", (3, 10, 2))
    code, checks = report(capsys)
    assert code == 1
    assert (checks["disk"]["ok"], checks["memory"]["ok"], checks["Python"]["ok"]) == (False, None, False)
    assert checks["disk"]["fix"] and checks["memory"]["fix"] and "3.12 or 3.11" in checks["Python"]["fix"]


def test_a_terminal_that_knows_only_ascii(machine: Machine) -> None:
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "consort_cli.main", "doctor"], env=environment, capture_output=True, encoding="ascii"
    )
    assert "- locale" in done.stdout and "> export LC_ALL=C.UTF-8" in done.stdout, done.stderr
    assert "+ Python" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux needs setpriv")
def test_root_without_setpriv(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(machine.data))
    finding = doctor.check_postgres(machine)
    assert finding.ok is False and "util-linux" in finding.fix


@pytest.mark.parametrize(
    ("script", "ok", "text"),
    [("echo 29.1.3", True, "engine 29.1.3"), ("exit 1", None, "does not answer"), (None, None, "not installed")],
)
def test_docker_is_reported_and_never_a_failure(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str | None, ok: bool | None, text: str
) -> None:
    (tmp_path / "bin").mkdir()
    if script:
        (tmp_path / "bin" / "docker").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    finding = doctor.check_docker(machine)
    assert finding.ok is ok and text in finding.text


@pytest.mark.parametrize("name", ASSISTANTS)
def test_registration_with_an_assistant_is_found(
    name: str, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assistant = ASSISTANTS[name]
    assert doctor.check_assistant(name, machine).text == "not found here"
    assistant.config().parent.mkdir(parents=True, exist_ok=True)
    assistant.config().write_text("{}")
    assert doctor.check_assistant(name, machine).fix == f"./consort install {name}"
    main(["install", name])
    assert doctor.check_assistant(name, machine).ok is True
    assistant.config().write_text("{")
    assert doctor.check_assistant(name, machine).ok is None
    capsys.readouterr()


def test_missing_synth_and_real_time_priority_are_not_failures(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doctor.check_synth(machine).ok is True
    monkeypatch.setenv("CONSORT_SOUNDFONT", "/nowhere/font.sf2")
    finding = doctor.check_synth(machine)
    assert finding.ok is None and "/nowhere/font.sf2" in finding.text and "apt-get install" in finding.fix
    assert doctor.check_priority(machine).ok is not False


def test_midi_ports_and_sound_are_found(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_jack() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        receiver = Receiver(server)
        try:
            ports, sound = doctor.check_midi_ports(machine), doctor.check_sound(machine)
        finally:
            receiver.close()
    assert ports.ok is True and receiver.port in ports.text
    assert sound == (True, "can be heard: sound through jack", "")


def test_missing_sound_is_reported_with_a_fix(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSORT_SYNTH_AUDIO", "none")
    silent = doctor.check_sound(machine)
    assert silent.ok is None and silent.text.startswith("silent") and "CONSORT_SYNTH" in silent.fix
    monkeypatch.setenv("CONSORT_SOUNDFONT", "/nowhere/font.sf2")
    assert "the built-in synth is missing" in doctor.check_sound(machine).text


@pytest.mark.parametrize(
    ("row", "setting", "text", "fix"),
    [
        ("models", "CONSORT_AUDIO_MODELS", "plain methods replace them", "./consort up"),
        (
            "meaning",
            "CONSORT_SENTENCE_MODEL",
            "lacks config.json, vocab.txt, model.safetensors",
            "CONSORT_SENTENCE_MODEL",
        ),
        ("Strudel sound", "CONSORT_STRUDEL_SOUNDS", "no sound library", "./consort sounds build"),
        ("Strudel sound", "CONSORT_CHROMIUM", "no browser: render_strudel fails", "chromium"),
    ],
)
def test_what_the_tools_lack_is_named_with_its_fix(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, row: str, setting: str, text: str, fix: str
) -> None:
    assert doctor.CHECKS[row](machine).ok is True
    monkeypatch.setenv(setting, str(machine.data / "nowhere"))
    finding = doctor.CHECKS[row](machine)
    assert finding.ok is None and text in finding.text and fix in finding.fix


def test_a_missing_live_code_engine_is_named_with_its_fix(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.check_live_code_engine(machine).ok is True
    monkeypatch.setattr("consort_cli.live_code_engine.ENGINE", machine.data)
    finding = doctor.check_live_code_engine(machine)
    assert finding.ok is None and "not installed" in finding.text and "./consort up" in finding.fix
